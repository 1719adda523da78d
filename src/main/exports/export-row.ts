import { z } from "zod";
import type { LineState, ResultColumnDefinition } from "#contract";
import { type JsonObject, parseAnswerObject } from "#main/answers";
import { parseOutcome } from "#main/results";

type Member = NonNullable<ResultColumnDefinition["row"]>["member"];
type Columns<Name extends Member> = Partial<Readonly<Record<Name, string | number | null | undefined>>>;

/** Columns that other files may have of a line, by their members. */
export type JoinedColumns = Columns<Exclude<Member, "customId" | "state" | "answer" | "errorCode">>;

/** What columns are exported of a line; what is not known of it is left out. */
interface ExportedLine extends Columns<Member> {
  readonly customId: string;
  readonly state: LineState;
  /** The answer, or the error's message. */
  readonly answer: string;
  readonly errorCode: string | null;
  readonly calls?: readonly { readonly name: string; readonly input: string }[];
  readonly otherChoices?: readonly string[];
}

/** A request with its result, and its row of the table that the batch was built from. */
export interface ExportRow {
  readonly line: ExportedLine;
  /** The object that the answer is; null for any other. */
  readonly object: JsonObject | null;
  /** In the order of the table's columns; null where the table has no such row. */
  readonly cells: readonly string[] | null;
}

/** The members of a line that are not of its outcome. */
interface LineMembers {
  readonly custom_id?: unknown;
  readonly verification?: {
    readonly verdict?: unknown;
    readonly form?: unknown;
    /** Those that speak against the answer, in its order. */
    readonly claims?: unknown;
  } | null;
  readonly grade?: { readonly grade?: unknown } | null;
}

/**
 * A row from a line of an output or error file, as the service and `sheaf run` write them. `join` adds columns that other
 * files have; an answer is null where the request has none.
 * @throws Error when it is no such line
 */
export function parseExportRow(
  line: unknown,
  cells: readonly string[] | null,
  join?: (customId: string, answer: string | null) => JoinedColumns,
): ExportRow {
  const { answeredBy: model, ...outcome } = parseOutcome(line);
  const { custom_id: customId, verification, grade } = line as LineMembers;
  // A request that was damaged on disk has a result without an id.
  if (typeof customId !== "string" && customId !== null) throw new Error("It has no custom_id.");
  const verdict = toText(verification?.verdict);
  const id = customId ?? "";
  const known = {
    model,
    verdict,
    form: toText(verification?.form),
    ...readReason(verification?.claims, verdict),
    grade: toText(grade?.grade),
    ...join?.(id, outcome.state === "answered" ? outcome.answer : null),
  };
  return toExportRow({ customId: id, ...outcome, ...known }, cells);
}

const claimsSchema = z.array(
  z.object({ verdict: z.string(), text: z.string(), findings: z.array(z.object({ reason: z.string() })) }),
);

/** Of the first claim that has the verdict of the answer. */
function readReason(claims: unknown, verdict: string | null) {
  const found = claimsSchema.safeParse(claims).data?.find((claim) => claim.verdict === verdict);
  return { verifyReason: found?.findings[0]?.reason ?? null, verifyClaim: found?.text ?? null };
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A request that has no result. */
export function emptyRow(customId: string, cells: readonly string[] | null): ExportRow {
  return toExportRow({ customId, state: "waiting", answer: "", errorCode: null }, cells);
}

/** A row from a line of a batch. */
export function toExportRow(line: ExportedLine, cells: readonly string[] | null): ExportRow {
  return { line, object: line.state === "answered" ? parseAnswerObject(line.answer) : null, cells };
}
