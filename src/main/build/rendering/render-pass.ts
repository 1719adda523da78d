import { setImmediate } from "node:timers/promises";
import type { CheckProgress, Problem } from "#contract";
import { type CheckRules, createLineChecker, createProblemTally } from "#service";
import type { CompiledRecipe } from "../recipes/index.ts";
import { type Row, readRows, type StoredSource } from "../sources/index.ts";
import { createTokenSample } from "./token-sample.ts";

/** The thread is free for other work after so long: for an abort, and for the preview of a row. */
const turnMilliseconds = 20;

/** A source, where its content is, and what its lines are checked against. */
export interface PassInput {
  readonly path: string;
  readonly source: StoredSource;
  readonly rules: CheckRules;
}

/** What a pass has come to. */
export interface PassState {
  progress(finished: boolean): CheckProgress;
  /** Lines made so far. */
  readonly lines: number;
  /** Rows so far that no line could be made of. */
  readonly leftOut: number;
  /** The first error found. */
  readonly firstError: Problem | null;
}

export interface RenderPass extends PassState {
  /** Renders and checks all rows. Each answer is the next lines, with line ends. */
  run(): AsyncGenerator<string>;
}

/**
 * One pass over the rows of a table: each becomes a line of a batch input file, and goes through the service's own
 * check at once. The numbers of lines in problems are those of the rows.
 */
export function createRenderPass({ path, source, rules }: PassInput, recipe: CompiledRecipe): RenderPass {
  const checker = createLineChecker(rules);
  const tally = createProblemTally();
  const tokens = createTokenSample(source.rowCount);
  const hopeless = recipe.problems.some(({ severity }) => severity === "error");
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

  function take(row: Row): string {
    const { line, problems } = recipe.render(row);
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
    async *run() {
      report(recipe.problems);
      if (hopeless) return;
      let text = "";
      let turnStarted = performance.now();
      for await (const rows of readRows(path, source)) {
        for (const row of rows) {
          text += take(row);
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
    progress: (finished) => ({
      done,
      total: source.rowCount,
      finished,
      bytes,
      promptTokens: tokens.estimate(),
      errorCount: tally.errorCount,
      warningCount: tally.warningCount,
      groups: tally.groups(),
    }),
    get lines() {
      return lines;
    },
    get leftOut() {
      return done - lines;
    },
    get firstError() {
      return firstError;
    },
  };
}
