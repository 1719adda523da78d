import type { LineState } from "#contract";
import { parseOutcome, type ResultLine } from "#main/results";
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

/** The members of a line that are not of its outcome. */
interface LineMembers {
  readonly custom_id?: unknown;
  readonly verification?: { readonly verdict?: unknown } | null;
  readonly grade?: { readonly grade?: unknown } | null;
}

/**
 * A row from a line of an output or error file, as the service and `sheaf run` write them.
 * @throws Error when it is no such line
 */
export function parseExportRow(line: unknown, cells: readonly string[] | null): ExportRow {
  const outcome = parseOutcome(line);
  const { custom_id: customId, verification, grade } = line as LineMembers;
  // A request that was damaged on disk has a result without an id.
  if (typeof customId !== "string" && customId !== null) throw new Error("It has no custom_id.");
  return {
    ...emptyRow(customId ?? "", cells),
    ...describeOutcome(outcome),
    verdict: toText(verification?.verdict),
    grade: toText(grade?.grade),
  };
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
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
export function toExportRow(result: ResultLine, cells: readonly string[] | null): ExportRow {
  const { line, customId, question, model, cost, milliseconds, verdict, grade } = result;
  return { line, customId, question, ...describeOutcome(result), model, cost, milliseconds, verdict, grade, cells };
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
