import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporary-folder.ts";

/** Runs `store.ts` in a process whose disk is patched before anything uses it. Returns what it prints. */
export async function runKinds(...kinds: readonly string[]): Promise<string> {
  const script = fileURLToPath(new URL("store.ts", import.meta.url));
  const env = { ...process.env, TMPDIR: temporaryFolder };
  const child = spawn(process.execPath, [script, ...kinds], { env, stdio: ["ignore", "pipe", "inherit"] });
  return await text(child.stdout);
}
