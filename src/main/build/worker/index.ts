export { type BuildWorker, createBuildWorker } from "./build-worker.ts";
