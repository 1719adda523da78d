import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { type CheckProgress, type Problem, problemSchema, type RequestTemplate } from "#contract";
import { type CheckRules, createLineChecker, createProblemTally } from "#service/validation";
import { readRows } from "../sources/read-rows.ts";
import type { Row, StoredSource } from "../sources/stored-source.ts";
import { createThrottle } from "../throttle.ts";
import { type CompiledRequestTemplate, compileRequestTemplate } from "./request-template.ts";
import { createTokenSample } from "./token-sample.ts";

/** The thread is free for other work after so long: for an abort, and for the preview of a row. */
const turnMilliseconds = 20;

/** A source, where its content is, and what its lines are checked against. */
export interface PassInput {
  readonly path: string;
  readonly source: StoredSource;
  readonly rules: CheckRules;
}

/** What is in a batch input file that was written from a table. */
const writeResultSchema = z.object({
  lines: z.int(),
  /** Rows that no line could be made of. */
  leftOut: z.int(),
  errorCount: z.int(),
  firstError: problemSchema.nullable(),
});
export type WriteResult = z.infer<typeof writeResultSchema>;

/** How far the writing is; `result` comes with the last event. */
export const writeProgressSchema = z.object({ done: z.int(), total: z.int(), result: writeResultSchema.nullable() });
export type WriteProgress = z.infer<typeof writeProgressSchema>;

/**
 * Checks all that a table and a request template would send. Reports progress at most ten times a second; the last event
 * is `finished`. A template that can't be used ends the check before the first row.
 */
export async function* checkRows(input: PassInput, template: RequestTemplate): AsyncGenerator<CheckProgress> {
  const pass = createRenderPass(input, compileRequestTemplate(template, input.source.columns));
  const isTime = createThrottle();
  for await (const _lines of pass.run()) {
    if (isTime()) yield pass.progress(false);
  }
  yield pass.progress(true);
}

/**
 * Renders all rows into a batch input file at `target`, and checks them on the way. Reports progress at most ten times a
 * second; the last event says what is in the file. Ended early, it leaves a part of the file behind.
 */
export async function* writeRows(
  input: PassInput,
  template: RequestTemplate,
  target: string,
): AsyncGenerator<WriteProgress> {
  const pass = createRenderPass(input, compileRequestTemplate(template, input.source.columns));
  const total = input.source.rowCount;
  const isTime = createThrottle();
  const file = createWriteStream(target);
  const closed = finished(file);
  closed.catch(() => undefined);
  try {
    for await (const text of pass.run()) {
      if (!file.write(text)) await Promise.race([once(file, "drain"), closed]);
      if (isTime()) yield { done: pass.progress(false).done, total, result: null };
    }
  } finally {
    file.end();
  }
  await closed;
  const { done, errorCount } = pass.progress(true);
  const { lines, firstError } = pass;
  yield { done, total, result: { lines, leftOut: done - lines, errorCount, firstError } };
}

/**
 * One pass over the rows of a table: each becomes a line of a batch input file, and goes through the service's own
 * check at once. The numbers of lines in problems are those of the rows.
 */
function createRenderPass({ path, source, rules }: PassInput, template: CompiledRequestTemplate) {
  const checker = createLineChecker(rules);
  const tally = createProblemTally();
  const tokens = createTokenSample(source.rowCount);
  const isUnusable = template.problems.some(({ severity }) => severity === "error");
  let done = 0;
  let lines = 0;
  let bytes = 0;
  let firstError: Problem | null = null;

  function report(problems: readonly Problem[]): void {
    for (const problem of problems) {
      tally.add(problem);
      if (problem.severity === "error") firstError ??= problem;
    }
  }

  function renderLine(row: Row): string {
    const { line, problems } = template.render(row);
    report(problems);
    if (line === null) {
      // Counted as a request all the same, so that the limit on requests is that of the rows.
      checker.refuse(row.number, "");
      return "";
    }
    report(checker.check(line, row.number));
    const lineBytes = Buffer.byteLength(line) + 1;
    tokens.add(line, lineBytes);
    bytes += lineBytes;
    lines += 1;
    return `${line}\n`;
  }

  return {
    /** Renders and checks all rows. Each answer is the next lines, with line ends. */
    async *run(): AsyncGenerator<string> {
      report(template.problems);
      if (isUnusable) return;
      let text = "";
      let turnStarted = performance.now();
      for await (const rows of readRows(path, source)) {
        for (const row of rows) {
          text += renderLine(row);
          done += 1;
          if (performance.now() - turnStarted < turnMilliseconds) continue;
          yield text;
          text = "";
          await setImmediate();
          turnStarted = performance.now();
        }
      }
      yield text;
      report(checker.finish(bytes));
    },
    progress: (isFinished: boolean): CheckProgress => ({
      done,
      total: source.rowCount,
      finished: isFinished,
      bytes,
      promptTokens: tokens.estimate(),
      errorCount: tally.errorCount,
      warningCount: tally.warningCount,
      groups: tally.groups(),
    }),
    /** Lines made so far. */
    get lines() {
      return lines;
    },
    get firstError() {
      return firstError;
    },
  };
}
