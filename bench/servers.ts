import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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

/** Its first line of output reports where it is. */
async function start(name: string, script: string, flags: readonly string[]): Promise<Server> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const { url, apiKey } = await readReady(child);
  if (child.pid === undefined) throw new Error(`${name} has no process.`);
  return {
    name,
    url,
    apiKey,
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function readReady(child: ChildProcess): Promise<z.infer<typeof readySchema>> {
  if (child.stdout === null) throw new Error("The server has no output to read.");
  for await (const line of createInterface({ input: child.stdout })) return readySchema.parse(JSON.parse(line));
  throw new Error("The server ended before it was ready.");
}
