import { z } from "zod";
import type { LineState, ResultDetail } from "#contract";
import { parseOutcome } from "#service";
import { type JsonObject, parseAnswer } from "./cells.ts";

/** A request with its result, and its row of the table that the batch was built from. */
export interface ExportRow {
  /** Of the input file, from 1; null where that is not known. */
  readonly line: number | null;
  readonly customId: string;
  /** The last message of its user; null where the request is not known. */
  readonly question: string | null;
  readonly state: LineState;
  /** Null where there is none. */
  readonly answer: string | null;
  /** The object that the answer is; null for any other. */
  readonly object: JsonObject | null;
  readonly finishReason: string | null;
  readonly error: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** That was asked; null where the request is not known. */
  readonly model: string | null;
  /** In US dollars; null where no price is known. */
  readonly cost: number | null;
  readonly milliseconds: number | null;
  readonly verdict: string | null;
  readonly grade: string | null;
  /** In the order of the table's columns; null where the table has no such row. */
  readonly cells: readonly string[] | null;
}

const lineSchema = z.object({
  custom_id: z.string(),
  verification: z.object({ verdict: z.string() }).nullish().catch(null),
  grade: z.object({ grade: z.string() }).nullish().catch(null),
});

/**
 * A row from a line of an output or error file, as the service and `sheaf run` write them.
 * @throws ZodError when it is no such line
 */
export function parseExportRow(line: unknown, cells: readonly string[] | null): ExportRow {
  const { custom_id: customId, verification, grade } = lineSchema.parse(line);
  return {
    ...emptyRow(customId, cells),
    ...describeOutcome(parseOutcome(line)),
    verdict: verification?.verdict ?? null,
    grade: grade?.grade ?? null,
  };
}

/** A request that has no result. */
export function emptyRow(customId: string, cells: readonly string[] | null): ExportRow {
  return {
    line: null,
    customId,
    question: null,
    state: "waiting",
    answer: null,
    object: null,
    finishReason: null,
    error: null,
    promptTokens: null,
    completionTokens: null,
    model: null,
    cost: null,
    milliseconds: null,
    verdict: null,
    grade: null,
    cells,
  };
}

/** A row from a line of a batch. */
export function toExportRow(detail: ResultDetail, cells: readonly string[] | null): ExportRow {
  const { line, customId, question, model, cost, milliseconds, verdict, grade } = detail;
  return { line, customId, question, ...describeOutcome(detail), model, cost, milliseconds, verdict, grade, cells };
}

function describeOutcome({
  state,
  answer,
  errorCode,
  finishReason,
  promptTokens,
  completionTokens,
}: ReturnType<typeof parseOutcome>) {
  const isAnswered = state === "answered";
  const error = errorCode === null || errorCode === "" ? answer : `${errorCode}: ${answer}`;
  return {
    state,
    answer: isAnswered ? answer : null,
    object: isAnswered ? parseAnswer(answer) : null,
    finishReason,
    error: isAnswered || state === "waiting" ? null : error,
    promptTokens,
    completionTokens,
  };
}
