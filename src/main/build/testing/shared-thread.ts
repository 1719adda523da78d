import { findEntry } from "#app-paths";
import { type BuildThread, createBuildThread } from "../build-thread.ts";

let thread: BuildThread | null = null;

/** The thread that reads tables for all tests of a process: it takes longer to start than most tests run. */
export function sharedBuildThread(): BuildThread {
  thread ??= createBuildThread(findEntry("build-worker"));
  return thread;
}
