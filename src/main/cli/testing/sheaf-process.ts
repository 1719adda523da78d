import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { createSystemMachine, type Machine } from "#main/base";
import { findCommand } from "../../../../scripts/setup/build.mjs";
import { sharedThreads } from "../../service/testing/index.ts";
import type { CommandProcess, StopSignal } from "../command-process.ts";
import { runCli } from "../run-cli.ts";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Its stdin; default: empty. */
  readonly stdin?: string;
  /** For a command in the test's process; default: the computer's own. */
  readonly machine?: Machine;
}

/** A `sheaf` command that runs in the process of the test. */
export interface SheafCall {
  /** The first line on its stdout; fails with its stderr when it ends without one. */
  firstLine(): Promise<string>;
  /** What is on its stdout so far. */
  printed(): string;
  /** What is on its stderr so far. */
  logged(): string;
  signal(name: StopSignal): void;
  readonly finished: Promise<Finished>;
}

/**
 * Starts the `sheaf` command in this process: all of it but Node's own start, which takes longer than most commands.
 * What belongs to a process (signals from outside, its end, its pipes) is tested with `startSheaf`.
 */
export function callSheaf(
  args: readonly string[],
  { env = {}, stdin = "", machine = createSystemMachine() }: StartOptions = {},
): SheafCall {
  const signals = new EventEmitter();
  const exit = Promise.withResolvers<number>();
  const stdout = recordStream();
  const stderr = recordStream();
  const io: CommandProcess = {
    stdin: Readable.from([stdin]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { ...cleanEnvironment(), ...env },
    machine,
    threads: sharedThreads(),
    on: (name, listener) => signals.on(name, listener),
    off: (name, listener) => signals.off(name, listener),
    exit: exit.resolve,
  };
  const finished = Promise.race([runCli(args, io), exit.promise]).then((code) => {
    stdout.stream.end();
    return { code, stdout: stdout.read(), stderr: stderr.read() };
  });
  return {
    async firstLine() {
      const line = await stdout.firstLine;
      if (line !== undefined) return line;
      throw new Error(`sheaf ${args[0]} ended before it was ready: ${(await finished).stderr}`);
    },
    printed: stdout.read,
    logged: stderr.read,
    signal: (name) => void signals.emit(name, name),
    finished,
  };
}

/** Runs the `sheaf` command to its end, in this process. */
export async function runSheaf(args: readonly string[], options: StartOptions = {}): Promise<Finished> {
  return await callSheaf(args, options).finished;
}

const readySchema = z.strictObject({ url: z.url(), apiKey: z.string(), pid: z.int() });

/** A server of `sheaf serve` that is ready. */
export interface RunningServer extends z.infer<typeof readySchema> {
  /** Ends it with a signal, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `sheaf serve --json` on a free port, in this process. */
export async function startServer(
  args: readonly string[] = ["--ephemeral"],
  options: StartOptions = {},
): Promise<RunningServer> {
  const call = callSheaf(["serve", "--json", "--port", "0", ...args], options);
  const ready = readySchema.parse(JSON.parse(await call.firstLine()));
  return {
    ...ready,
    async stop() {
      call.signal("SIGTERM");
      return (await call.finished).code;
    },
  };
}

/** Starts the `sheaf` command as a process of its own. */
export function startSheaf(args: readonly string[], { env = {}, stdin = "" }: StartOptions = {}) {
  const child = spawn(process.execPath, [findCommand(), ...args], {
    env: { ...cleanEnvironment(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A command may end without reading its input.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return child;
}

/** Runs the `sheaf` command as a process, to its end. */
export async function runSheafProcess(args: readonly string[], options: StartOptions = {}): Promise<Finished> {
  const child = startSheaf(args, options);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  return { code, stdout, stderr };
}

/** Resolves to the exit code; null when a signal ended the process. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  await once(child, "exit");
  return child.exitCode;
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  const { SHEAF_API_KEY: _, ...clean } = process.env;
  return clean;
}

/** A stream that collects what is written to it. */
function recordStream() {
  let content = "";
  const firstLine = Promise.withResolvers<string | undefined>();
  const stream = new Writable({
    write(chunk, _encoding, done) {
      content += String(chunk);
      if (content.includes("\n")) firstLine.resolve(content.slice(0, content.indexOf("\n")));
      done();
    },
    final(done) {
      firstLine.resolve(undefined);
      done();
    },
  });
  return { stream, read: () => content, firstLine: firstLine.promise };
}
