import type { ConformanceCheck } from "./run-conformance.ts";

const words = { SUCCESS: "passed", FAILURE: "failed", WARNING: "warned", SKIPPED: "skipped" } as const;

/** `8 passed, 1 failed`. A scenario without a check that passed or failed was not run, whatever its suite says. */
export function countChecks(checks: readonly ConformanceCheck[] | undefined): string {
  if (checks === undefined) return "–";
  if (!checks.some(({ status }) => status === "SUCCESS" || status === "FAILURE")) return "not run";
  return Object.entries(words)
    .map(([status, word]) => ({ count: checks.filter((check) => check.status === status).length, word }))
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}`)
    .join(", ");
}
