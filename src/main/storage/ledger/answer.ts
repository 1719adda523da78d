import type { AnswerEnd } from "#contract";

/** Which of a batch's files holds a line's answer. */
export type AnswerFile = "output" | "error";

/** Where the answer to a line is, and what its bytes are checked by. */
export interface AnswerPlace {
  readonly file: AnswerFile;
  /** In bytes; the length is without the line end. */
  readonly start: number;
  readonly length: number;
  /** CRC-32 of the line with its line end. */
  readonly checksum: number;
}

/** What became of a line. */
export interface Answer extends AnswerPlace {
  /** True for an entry with the reason why the request never ran. */
  readonly skipped: boolean;
  /** From the request to its answer; null when not known. */
  readonly milliseconds: number | null;
  /** True where it was not asked for, but taken from another line: it cost nothing. */
  readonly reused: boolean;
  /** True where its bytes are known not to be those that were written. */
  readonly damaged: boolean;
}

/** What is known of an answer besides its text. */
export interface AnswerFacts {
  /** The model that answered, as it calls itself. */
  readonly model: string | null;
  readonly finishReason: string | null;
  /** Null for a line without an answer, and where an earlier version has not noted it. */
  readonly end: AnswerEnd | null;
  readonly errorCode: string | null;
  readonly promptTokens: number | null;
  /** Of these, the ones that the service had in its cache, which have a price of their own. */
  readonly cachedTokens: number;
  readonly completionTokens: number | null;
  /** Of these, the ones that the model thought in. */
  readonly reasoningTokens: number;
}

/** An answer as it is entered in the ledger of its batch. */
export interface LedgerAnswer extends Answer {
  /** Of the input file, from 1. */
  readonly line: number;
  /** The HTTP status; null where the request never ran. */
  readonly status: number | null;
  readonly facts: AnswerFacts;
}
