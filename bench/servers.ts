import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve as absolute } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A server in a process of its own. */
export interface Server {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const readySchema = z.object({ url: z.url(), apiKey: z.string() });

export function startSheaf(): Promise<Server> {
  const flags = ["serve", "--json", "--port", "0", "--ephemeral", "--pace", "instant", "--no-rate-limit"];
  return start("sheaf serve", "../src/main/headless.ts", flags);
}

export function startAimock(): Promise<Server> {
  return start("@copilotkit/aimock", "./aimock-server.ts", []);
}

/** `answers` are the bodies it answers with, by path. */
export function startBare(answers: Readonly<Record<string, string>>): Promise<Server> {
  return start("bare node:http", "./bare-server.ts", [JSON.stringify(answers)]);
}

/** A chat server that answers after so many milliseconds. */
export function startSlow(latency: number): Promise<Server> {
  return start("slow server", "./slow-server.ts", [String(latency)]);
}

/** What a process saw of itself since it was last asked. */
const observedSchema = z.object({
  /** How often something was brought to the disk. */
  syncs: z.int(),
  /** How late its event loop was, in milliseconds: of a hundred times, and at the most. */
  loopDelay: z.number(),
  longestLoopDelay: z.number(),
  /** Megabytes that it has now, and at the most until now. */
  memory: z.number(),
  mostMemory: z.number(),
});
export type Observed = z.infer<typeof observedSchema>;

/** A Sheaf that answers on a data folder, and tells what its work takes. */
export interface ObservedSheaf extends Server {
  /** Milliseconds from its start to its first line. */
  readonly readyAfter: number;
  observe(): Promise<Observed>;
  kill(): Promise<void>;
}

/** What is run on a folder: the sources, unless the variable names the built program that users have. */
const program = absolute(process.env.SHEAF_PROGRAM ?? resolve("../src/main/headless.ts"));

export async function startOnFolder(dataDir: string, durability: string): Promise<ObservedSheaf> {
  const limits = ["--max-lines", "1000000", "--max-file-bytes", "4000000000", "--no-rate-limit", "--pace", "instant"];
  const flags = ["serve", "--json", "--port", "0", "--data-dir", dataDir, "--durability", durability, ...limits];
  const begin = performance.now();
  const child = spawnScript(program, flags, ["--import", resolve("./scale/observe-process.mjs")]);
  const server = await takeReady(`sheaf, ${durability}`, child);
  return {
    ...server,
    readyAfter: performance.now() - begin,
    async observe() {
      const answered = once(child, "message");
      child.send("observe");
      return observedSchema.parse((await answered)[0]);
    },
    kill: () => end(child, "SIGKILL"),
  };
}

async function start(name: string, script: string, flags: readonly string[]): Promise<Server> {
  return await takeReady(name, spawnScript(script, flags));
}

function resolve(script: string): string {
  return fileURLToPath(new URL(script, import.meta.url));
}

function spawnScript(script: string, flags: readonly string[], nodeFlags: readonly string[] = []): ChildProcess {
  const stdio: StdioOptions = ["ignore", "pipe", "inherit", ...(nodeFlags.length > 0 ? (["ipc"] as const) : [])];
  return spawn(process.execPath, [...nodeFlags, resolve(script), ...flags], { stdio });
}

/** Its first line of output reports where it is. */
async function takeReady(name: string, child: ChildProcess): Promise<Server> {
  const { url, apiKey } = await readReady(child);
  if (child.pid === undefined) throw new Error(`${name} has no process.`);
  return { name, url, apiKey, pid: child.pid, stop: () => end(child, "SIGTERM") };
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function readReady(child: ChildProcess): Promise<z.infer<typeof readySchema>> {
  if (child.stdout === null) throw new Error("The server has no output to read.");
  for await (const line of createInterface({ input: child.stdout })) return readySchema.parse(JSON.parse(line));
  throw new Error("The server ended before it was ready.");
}
