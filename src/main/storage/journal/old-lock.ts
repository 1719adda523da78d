import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { isErrno } from "../io/error.ts";

/**
 * The lock was a file with a pid once. Such a file counts as long as its pid is a Sheaf's: the answer is that pid. Any other
 * is removed, and the answer is null.
 */
export function findOldLock(folder: string): number | null {
  const path = join(folder, "lock");
  let pid: number;
  try {
    pid = Number.parseInt(readFileSync(path, "utf8"), 10);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  if (pid > 0 && pid !== process.pid && isSheaf(pid)) return pid;
  rmSync(path, { force: true });
  return null;
}

/** Whether a process is a Sheaf, judged by the command that it was started with. */
function isSheaf(pid: number): boolean {
  const [program = "", ...words] = readCommand(pid).map((word) => basename(word.replaceAll("\\", "/")).toLowerCase());
  return /^(sheaf|electron)(\.exe)?$/.test(program) || words.some((word) => /^headless\.[jt]s$/.test(word));
}

function readCommand(pid: number): string[] {
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";
  switch (process.platform) {
    case "linux":
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      } catch {
        return [];
      }
    case "win32": {
      const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`;
      return Array.from(run("powershell", "-NoProfile", "-Command", query).matchAll(/"([^"]*)"|(\S+)/g), (match) =>
        String(match[1] ?? match[2]),
      );
    }
    default:
      return run("ps", "-ww", "-o", "args=", "-p", String(pid)).trim().split(" ");
  }
}
