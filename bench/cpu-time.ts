import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of processor that all threads of a process have used; null where the system does not report it (Linux does). */
export function readCpuTime(pid: number): number | null {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"))
      .reduce((total, line) => total + Number.parseInt(line, 10), 0);
    return nanoseconds / 1e6;
  } catch {
    return null;
  }
}
