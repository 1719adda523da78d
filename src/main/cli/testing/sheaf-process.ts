import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const headless = fileURLToPath(new URL("../../headless.ts", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What it reads on its stdin; nothing unless told. */
  readonly stdin?: string;
}

/** Starts the `sheaf` command as a process of its own. */
export function startSheaf(args: readonly string[], { env = {}, cwd, stdin = "" }: StartOptions = {}) {
  const { SHEAF_API_KEY: _, ...clean } = process.env;
  const child = spawn(process.execPath, [headless, ...args], {
    env: { ...clean, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  // A command that ends without reading is no error of the test's.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return child;
}

/** Runs the `sheaf` command to its end. */
export async function runSheaf(args: readonly string[], options: StartOptions = {}): Promise<Finished> {
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

const readySchema = z.strictObject({ url: z.url(), apiKey: z.string(), pid: z.int() });

/** Starts `sheaf serve --json` on a free port and waits for the line that says where it is. */
export async function startServer(args: readonly string[] = ["--ephemeral"], options: StartOptions = {}) {
  const child = startSheaf(["serve", "--json", "--port", "0", ...args], options);
  const stderr = text(child.stderr);
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return { ...readySchema.parse(JSON.parse(line)), child };
  }
  throw new Error(`sheaf serve ended before it was ready: ${await stderr}`);
}

export async function stopServer({ child }: { readonly child: ChildProcess }): Promise<number | null> {
  child.kill("SIGTERM");
  return await exitOf(child);
}
