import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isErrno } from "./error.ts";

/** Where a process id counts: on this computer, in this container. Eight hexadecimal digits. */
export function findPlaceOfProcesses(): string {
  let space = "";
  try {
    space = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has these.
  }
  return createHash("sha256").update(`${hostname()} ${space}`).digest("hex").slice(0, 8);
}

/** Whether there is a process with this id here. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isErrno(error, "ESRCH");
  }
}
