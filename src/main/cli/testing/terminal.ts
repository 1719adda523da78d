import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";

const script = fileURLToPath(new URL("terminal.py", import.meta.url));

/** Whether programs can be given a terminal here. */
export const hasTerminals = process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0;

/** A program in a terminal of its own, as at a person's. */
export interface TerminalProgram {
  /** Resolves when this is on its screen. */
  shows(text: string): Promise<void>;
  pressCtrlC(): void;
  /** Its exit code, 128 + N where signal N ended it, and its screen: once it and all that it started have ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>;
}

/** Runs a program in a terminal. What is left of it at the end of the test is killed. */
export function startInTerminal(
  command: readonly string[],
  { env = {}, cwd }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): TerminalProgram {
  const child = spawn("python3", [script, ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  child.stdout.on("data", (chunk) => {
    screen += String(chunk);
  });
  const ended = once(child, "close").then(() => ({ code: child.exitCode, screen }));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return {
    shows: async (text) => {
      await expect.poll(() => (child.exitCode === null ? screen : `${screen}\n[It ended.]`)).toContain(text);
    },
    pressCtrlC: () => void child.stdin.write("\x03"),
    ended,
  };
}
