import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger, Machine } from "#main/base";

export interface CrashReport {
  /** Which process has ended, or had the error. */
  readonly process: "page" | "main" | "graphics" | "other";
  readonly reason: string;
  readonly exitCode: number | null;
  readonly frames: readonly string[];
}

/** The most reports that are kept; the oldest are removed. */
const mostReports = 10;
const reportName = /^crash-\d+\.json$/;

/**
 * Keeps reports of crashes on this computer, and sends them nowhere. They have no message of an error, which may have what
 * the user works on. Written at once: the process may be at its end.
 */
export function createCrashReports(folder: string, version: string, machine: Machine, logger: Logger) {
  return {
    /** Where the report is, and what it says; null where it can't be written. */
    add(report: CrashReport): { readonly path: string; readonly text: string } | null {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const at = machine.wall();
        const { node, electron, chrome } = process.versions;
        const content = {
          at: new Date(at).toISOString(),
          ...report,
          versions: { sheaf: version, electron, chrome, node },
        };
        const path = join(folder, `crash-${at}.json`);
        const text = `${JSON.stringify(content, null, 2)}\n`;
        writeFileSync(path, text, { mode: 0o600 });
        const names = readdirSync(folder).filter((name) => reportName.test(name));
        for (const name of names.toSorted().slice(0, -mostReports)) rmSync(join(folder, name), { force: true });
        return { path, text };
      } catch (error) {
        logger.warn("A report of a crash can't be written.", { reason: String(error) });
        return null;
      }
    },
  };
}

export type CrashReports = ReturnType<typeof createCrashReports>;
