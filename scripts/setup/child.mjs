import { spawn } from "node:child_process";
import { root } from "./paths.mjs";

/**
 * How a child process ended.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, output: string, problem: Error | null, timedOut: boolean,
 *   interrupted: boolean }} Ending `interrupted`: this process was told to end, or what had started it is gone
 */

/** How often it is looked whether the shell between npm and this process is still there, in milliseconds. */
const lookEvery = 250;

/** @type {NodeJS.Signals[]} */
const passedOn = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a program and waits for its end. Signals that reach this process are passed on, and those
 * that npm hands to its shell, which ends without reporting it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd] the project's folder by default
 * @param {boolean} [options.quiet] keep the output (it is in the answer then) instead of showing it
 * @param {Record<string, string | undefined>} [options.env] added to this process's environment
 * @param {boolean} [options.shell] needed for .cmd files on Windows
 * @param {number} [options.timeout] in milliseconds; the child is killed then
 * @returns {Promise<Ending>}
 */
export function run(program, args, { cwd = root, quiet = false, env = {}, shell = false, timeout } = {}) {
  return new Promise((resolve) => {
    /** @type {import("node:child_process").ChildProcess | undefined} */
    let child;
    let interrupted = false;
    /** @param {NodeJS.Signals} signal */
    const passOn = (signal) => {
      interrupted = true;
      child?.kill(signal);
    };
    // Before the child is there: a signal that comes with its first sign of life must not end this process alone.
    for (const signal of passedOn) process.on(signal, passOn);
    child = spawn(program, [...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
      shell,
    });
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));

    let timedOut = false;
    const timer = timeout === undefined ? undefined : setTimeout(() => (timedOut = child.kill("SIGKILL")), timeout);
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      interrupted = true;
      child.kill("SIGTERM");
    }, lookEvery);

    /** @param {Pick<Ending, "code" | "signal" | "problem">} ending */
    const end = (ending) => {
      clearTimeout(timer);
      clearInterval(watch);
      for (const signal of passedOn) process.off(signal, passOn);
      resolve({ ...ending, output: Buffer.concat(chunks).toString("utf8"), timedOut, interrupted });
    };
    child.once("error", (problem) => end({ code: null, signal: null, problem }));
    child.once("close", (code, signal) => end({ code, signal, problem: null }));
  });
}

/**
 * Ends this process the way the child ended: with its exit code, or by the same signal.
 * @param {Ending} ending
 */
export function endLike(ending) {
  if (ending.signal !== null && process.platform !== "win32") process.kill(process.pid, ending.signal);
  else process.exitCode = ending.code ?? 1;
}
