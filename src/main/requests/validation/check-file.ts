import { crc32 } from "node:zlib";
import type { Problem, ProblemGroup } from "#contract";
import { type ScannedLine, scanLines } from "#main/storage";
import { createLineChecker } from "./line-checker.ts";
import { createProblemTally } from "./problem-tally.ts";
import type { CheckRules } from "./rules.ts";

/** What a check of a whole input file found. */
export interface ValidationReport {
  readonly requests: number;
  readonly bytes: number;
  /** All problems by line, bounded at 10,000 and one `too_many_problems` that counts the rest. */
  readonly problems: readonly Problem[];
  readonly errorCount: number;
  readonly warningCount: number;
  /** Lines with an error, each counted once. */
  readonly faultyLines: number;
  readonly groups: readonly ProblemGroup[];
  /** The most frequent first. */
  readonly models: readonly string[];
}

/** What one pass over an input file gives. */
export interface FileCheck {
  readonly report: ValidationReport;
  /** Where each request starts in the file, and where the last one ends. Whole for a file without problems only. */
  readonly lineStarts: Float64Array<ArrayBuffer>;
  /** CRC-32 of each request without its line end. */
  readonly lineChecksums: Uint32Array<ArrayBuffer>;
}

export interface CheckFileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined;
}

/** Checks a file on disk in one pass. Rejects when it can't be read, and with the signal's reason. */
export async function checkFile(path: string, rules: CheckRules, options: CheckFileOptions = {}): Promise<FileCheck> {
  const checker = createLineChecker(rules);
  const tally = createProblemTally();
  const { lineBytes: maxLineBytes } = rules.fileLimits;
  const starts: number[] = [];
  const checksums: number[] = [];
  let lineNumber = 0;
  let requestsEnd = 0;
  let bytes = 0;

  function onLine({ bytes: line, start, end }: ScannedLine): void {
    lineNumber += 1;
    bytes = end;
    const requestsBefore = checker.requests;
    const problems = line === null ? checker.refuseLong(lineNumber) : checker.check(line, lineNumber);
    for (const problem of problems) tally.add(problem);
    if (checker.requests === requestsBefore || checker.requests > rules.fileLimits.requests) return;
    starts.push(start);
    checksums.push(line === null ? 0 : crc32(line));
    requestsEnd = end;
  }

  await scanLines(path, onLine, { maxLineBytes, signal: options.signal, onChunk: options.onProgress });
  for (const problem of checker.finish(bytes)) tally.add(problem);
  return {
    report: {
      requests: checker.requests,
      bytes,
      problems: tally.list(),
      errorCount: tally.errorCount,
      warningCount: tally.warningCount,
      faultyLines: tally.faultyLines,
      groups: tally.groups(true),
      models: checker.models(),
    },
    lineStarts: Float64Array.from([...starts, requestsEnd]),
    lineChecksums: Uint32Array.from(checksums),
  };
}
