import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { z } from "zod";
import {
  type CheckProgress,
  type Problem,
  problemGroupSchema,
  problemSchema,
  type RequestTemplate,
  type Rows,
  type Span,
  spanSchema,
} from "#contract";
import { createSystemMachine, nextTurn } from "#main/base";
import {
  type CheckRules,
  checkForConnection,
  createLineChecker,
  createProblemTally,
  type RequestRules,
} from "#main/requests";
import { BuildError } from "../errors.ts";
import { readRows } from "../sources/read-rows.ts";
import type { PassSource, Row } from "../sources/stored-source.ts";
import { createThrottle } from "../throttle.ts";
import { chooseRows, findFilterProblems } from "./choose-rows.ts";
import { type CompiledRequestTemplate, compileRequestTemplate } from "./request-template.ts";
import { findSheetProblems } from "./sheet-problems.ts";
import { createTokenSample } from "./token-sample.ts";

/** The longest time without yielding the thread, to an abort or to the preview of a row. */
const turnMilliseconds = 20;
/** Build's worker is a thread of its own, which is handed no port. */
const machine = createSystemMachine();

/** What lines are checked against: the rules of every batch, and those of the connection where there is one. */
export interface PassRules {
  readonly rules: CheckRules;
  readonly connection: RequestRules | null;
}

/** A source, the path of its content, and the rules for its lines. */
export interface PassInput extends PassRules {
  readonly path: string;
  readonly source: PassSource;
  /** Default: all of them. */
  readonly rows?: Rows | undefined;
  /** Folders of this computer whose pictures are read; default: none. */
  readonly pictureFolders?: readonly string[] | undefined;
}

/** The content of a batch input file that was written from a table. */
const writeResultSchema = z.object({
  lines: z.int(),
  /** The rows that became lines, in their order. */
  written: z.array(spanSchema),
  /** Rows that couldn't become lines. */
  leftOut: z.int(),
  blocked: z.boolean(),
  errorCount: z.int(),
  firstError: problemSchema.nullable(),
  /** All problems by code, with the numbers of their rows. */
  groups: z.array(problemGroupSchema),
});
export type WriteResult = z.infer<typeof writeResultSchema>;

/** The progress of writing; the last event has the `result`. */
export const writeProgressSchema = z.object({ done: z.int(), total: z.int(), result: writeResultSchema.nullable() });
export type WriteProgress = z.infer<typeof writeProgressSchema>;

/**
 * Checks all that a table and a request template would send. Reports progress at most ten times a second; the last event
 * is `finished`. A template that can't be used ends the check before the first row.
 */
export async function* checkRows(
  input: PassInput,
  template: RequestTemplate,
  signal?: AbortSignal,
): AsyncGenerator<CheckProgress> {
  const pass = await createRenderPass(input, template, signal);
  const isTime = createThrottle();
  for await (const _lines of pass.run()) {
    if (isTime()) yield pass.progress(false);
  }
  yield pass.progress(true);
}

/** The next lines of a batch input file, with line ends; the last step has no text and the `result`. */
export interface RenderStep extends WriteProgress {
  readonly text: string;
}

/** Renders the chosen rows into the lines of a batch input file, and checks them on the way. */
export async function* renderRows(
  input: PassInput,
  template: RequestTemplate,
  signal?: AbortSignal,
): AsyncGenerator<RenderStep> {
  const pass = await createRenderPass(input, template, signal);
  const counts = () => {
    const { done, total } = pass.progress(false);
    return { done, total };
  };
  for await (const text of pass.run()) yield { text, ...counts(), result: null };
  yield { text: "", ...counts(), result: pass.result() };
}

/**
 * Renders all rows into a batch input file at `target`, and checks them on the way. Reports progress at most ten times a
 * second; the last event has the content of the file. Ended early, it leaves a part of the file behind.
 */
export async function* writeRows(
  input: PassInput,
  template: RequestTemplate,
  target: string,
  signal?: AbortSignal,
): AsyncGenerator<WriteProgress> {
  const isTime = createThrottle();
  const file = createWriteStream(target);
  const closed = finished(file);
  closed.catch(() => undefined);
  let last: WriteProgress | null = null;
  try {
    for await (const { text, ...progress } of renderRows(input, template, signal)) {
      if (!file.write(text)) await Promise.race([once(file, "drain"), closed]);
      if (progress.result !== null) last = progress;
      else if (isTime()) yield progress;
    }
  } finally {
    file.end();
    await closed.catch(() => undefined);
  }
  await closed;
  if (last !== null) yield last;
}

/**
 * One pass over the rows of a source: each becomes a line of a batch input file, and goes through the service's own
 * check at once. The numbers of lines in problems are those of the rows.
 */
async function createRenderPass(input: PassInput, requestTemplate: RequestTemplate, signal: AbortSignal | undefined) {
  const { path, source, rules, connection, rows: wanted, pictureFolders } = input;
  const template =
    source.holds === "requests"
      ? readyRequests
      : compileRequestTemplate(requestTemplate, source.columns, { connection, pictureFolders });
  const chosen = await chooseRows(input, wanted, signal);
  const problemsOfAll = [...template.problems, ...findFilterProblems(source, wanted)];
  const skipsFaulty = wanted?.skipFaulty === true;
  const checker = createLineChecker(rules, source.holds === "rows" ? "row" : "line");
  const tally = createProblemTally();
  const tokens = createTokenSample(chosen.total);
  const isUnusable = problemsOfAll.some(isError);
  const written: Span[] = [];
  let done = 0;
  let lines = 0;
  let leftOut = 0;
  let bytes = 0;
  let firstError: Problem | null = null;
  /** The first error that leaving out its row doesn't solve. */
  let firstOfFile: Problem | null = null;
  /** The reason why the pass stopped at a row. */
  let refusal: Problem | null = null;

  function report(problems: readonly Problem[]): void {
    for (const problem of problems) {
      tally.add(problem);
      if (!isError(problem)) continue;
      firstError ??= problem;
      if (problem.line === null) firstOfFile ??= problem;
    }
  }

  function renderLine(row: Row): string {
    const { line, problems, refusal: found = null } = template.render(row);
    if (found !== null) {
      refusal = found;
      report([found]);
      return "";
    }
    report(problems);
    if (line === null) {
      leftOut += 1;
      // Counted as a request all the same, so that the limit on requests is that of the rows.
      if (!skipsFaulty) checker.count();
      return "";
    }
    const ofRequest = withConnection(checker.check(line, row.number), connection, line, row.number);
    report(ofRequest);
    if (skipsFaulty && (problems.some(isError) || ofRequest.some(isError))) {
      checker.withdraw();
      return "";
    }
    const lineBytes = Buffer.byteLength(line) + 1;
    tokens.add(line, lineBytes);
    bytes += lineBytes;
    lines += 1;
    const last = written.at(-1);
    if (last?.[1] === row.number - 1) last[1] = row.number;
    else written.push([row.number, row.number]);
    return `${line}\n`;
  }

  const isBlocked = () => (skipsFaulty ? firstOfFile : firstError) !== null;

  return {
    /** Renders and checks the chosen rows. Yields the next lines, with line ends. */
    async *run(): AsyncGenerator<string> {
      report(problemsOfAll);
      if (isUnusable) return;
      report(findSheetProblems(source));
      let text = "";
      let turnStarted = machine.monotonic();
      for await (const rows of readRows(path, source)) {
        for (const row of rows) {
          if (chosen.take(row.number)) {
            text += renderLine(row);
            if (refusal !== null) return;
            done += 1;
          }
          if (machine.monotonic() - turnStarted < turnMilliseconds) continue;
          yield text;
          text = "";
          await nextTurn();
          turnStarted = machine.monotonic();
        }
        if (done === chosen.total) break;
      }
      yield text;
      report(checker.finish(bytes));
    },
    progress: (isFinished: boolean): CheckProgress => ({
      done,
      total: chosen.total,
      ...(chosen.fitting === undefined ? {} : { fitting: chosen.fitting }),
      finished: isFinished,
      requests: refusal === null ? lines : 0,
      faultyRows: tally.faultyLines,
      blocked: isBlocked(),
      bytes: refusal === null ? bytes : 0,
      promptTokens: refusal === null ? tokens.estimate() : 0,
      prompts: refusal === null ? tokens.groups() : [],
      tokensExact: tokens.isExact(),
      errorCount: tally.errorCount,
      warningCount: tally.warningCount,
      groups: tally.groups(isFinished),
      ...(source.holds === "requests" && { models: checker.models() }),
    }),
    /** The content of the file when all rows have been rendered. Throws where a row was refused. */
    result(): WriteResult {
      if (refusal !== null) throw new BuildError("refused", refusal.message);
      return {
        lines,
        written,
        leftOut: skipsFaulty ? 0 : leftOut,
        blocked: isBlocked(),
        errorCount: tally.errorCount,
        firstError: skipsFaulty ? firstOfFile : firstError,
        groups: tally.groups(true),
      };
    },
  };
}

/** The problems of a line; where there are none, what the connection doesn't support in it. */
export function withConnection(
  found: readonly Problem[],
  connection: RequestRules | null,
  line: string,
  row: number,
): readonly Problem[] {
  return connection === null || found.some(isError) ? found : [...found, ...checkForConnection(connection, line, row)];
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

/** A file of requests: each row is a line that is sent as it is. */
const readyRequests: CompiledRequestTemplate = {
  problems: [],
  usedColumns: [],
  render({ cells: [line = ""], fault, number }) {
    if (fault === null) return { line, problems: [] };
    const problem = {
      code: "invalid_json_line",
      message: fault,
      param: null,
      line: number,
      severity: "error",
    } as const;
    return { line: null, problems: [problem] };
  },
};
