import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Runs one kind of `store.ts` in a process whose disk is patched before anything uses it. Returns what it prints. */
export async function runKind(kind: string, amount: string): Promise<string> {
  const script = fileURLToPath(new URL("store.ts", import.meta.url));
  const child = spawn(process.execPath, [script, kind, amount], { stdio: ["ignore", "pipe", "inherit"] });
  return await text(child.stdout);
}
