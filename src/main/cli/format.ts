import { formatCount, type Problem } from "#contract";

/** `file:line: code: message`, as editors and grep understand it; without the line where the whole file is meant. */
export function formatProblem(file: string, { line, severity, code, message }: Problem): string {
  const place = line === null ? file : `${file}:${line}`;
  return `${place}: ${severity === "warning" ? "warning: " : ""}${code}: ${message}`;
}

/** `1 problem`, `12 problems in 11 lines`; a list that was cut off has an entry with the number of further problems. */
export function summarizeProblems(problems: readonly Problem[]): string {
  if (problems.some(({ code }) => code === "too_many_problems")) {
    return `more than ${formatCount(problems.length - 1, "problem")}`;
  }
  const lines = new Set(problems.map(({ line }) => line));
  lines.delete(null);
  const count = formatCount(problems.length, "problem");
  return lines.size === 0 ? count : `${count} in ${formatCount(lines.size, "line")}`;
}

/** Milliseconds as `0.4 s` or `1,204.5 s`. */
export function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return `${seconds.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
}
