import { z } from "zod";
import { kindOfFinish } from "./finish-kinds.ts";

interface ErrorKindRow {
  /** After a count: `8 refused`. */
  readonly words: string;
  /** Whether the same request fails in the same way each time it is sent to the same model. */
  readonly isLasting: boolean;
  readonly codes: readonly string[];
  /** The HTTP statuses of errors that came without a code. */
  readonly statuses: readonly number[];
}

/** Why lines failed, in the order in which texts name it. What is not known here is `other`: a retry may help. */
const kinds = {
  limited: { words: "rate limited", isLasting: false, codes: ["rate_limit_exceeded"], statuses: [429] },
  refused: {
    words: "refused",
    isLasting: true,
    // Beside the words that end refused answers.
    codes: [
      ...["content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed", "datainspectionfailed"],
      ...["moderation_blocked", "invalid_prompt"],
    ],
    statuses: [],
  },
  too_long: {
    words: "too long",
    isLasting: true,
    codes: ["context_length_exceeded", "string_above_max_length", "upstream_answer_too_large"],
    statuses: [413],
  },
  invalid: { words: "invalid", isLasting: true, codes: ["missing_required_parameter"], statuses: [400, 415, 422] },
  timed_out: { words: "timed out", isLasting: false, codes: ["timeout", "upstream_timeout"], statuses: [408, 504] },
  other: { words: "other", isLasting: false, codes: [], statuses: [] },
} as const satisfies Readonly<Record<string, ErrorKindRow>>;

export type ErrorKind = keyof typeof kinds;
export const errorKinds = Object.keys(kinds) as readonly ErrorKind[];
export const errorKindTable: Readonly<Record<ErrorKind, ErrorKindRow>> = kinds;

/** How many lines failed in which way; one that is left out has none. */
export type ErrorCounts = Readonly<Partial<Record<ErrorKind, number>>>;
export const errorCountsSchema = z.partialRecord(z.enum(errorKinds), z.int());

/** The codes by which services name a field that they don't take. A key that is refused is none: it can be changed. */
const invalidField = /^(invalid|unsupported)_(?!api_key|authentication|credentials)/;

/** The kind of a line's error, by its code: the service's own, or `http_` and its status. */
export function kindOfError(code: string): ErrorKind {
  const name = code.toLowerCase();
  if (kindOfFinish(name) === "filtered") return "refused";
  const status = Number(/^(?:http_)?(\d{3})$/.exec(name)?.[1] ?? Number.NaN);
  const found = errorKinds.find((kind) => {
    const { codes, statuses } = errorKindTable[kind];
    return codes.includes(name) || statuses.includes(status);
  });
  return found ?? (invalidField.test(name) ? "invalid" : "other");
}

/** Counts lines by the codes of their errors. */
export function countErrors(codes: readonly string[]): ErrorCounts {
  return sumErrors(codes.map((code) => ({ [kindOfError(code)]: 1 })));
}

export function sumErrors(all: readonly ErrorCounts[]): ErrorCounts {
  const sums: Partial<Record<ErrorKind, number>> = {};
  for (const counts of all) {
    for (const kind of errorKinds) if (counts[kind]) sums[kind] = (sums[kind] ?? 0) + counts[kind];
  }
  return sums;
}

/** Whether a line with this error fails again when it is sent again as it was: a retry of it is not offered. */
export function isLastingError(code: string): boolean {
  return errorKindTable[kindOfError(code)].isLasting;
}

/** How many of these lines fail again when they are sent again as they were. */
export function countLasting(counts: ErrorCounts): number {
  return errorKinds.reduce((sum, kind) => sum + (errorKindTable[kind].isLasting ? (counts[kind] ?? 0) : 0), 0);
}
