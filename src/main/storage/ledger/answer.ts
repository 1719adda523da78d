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
  /** What else its price depends on; left out where the service reported nothing of it. */
  readonly bill?: AnswerBill | undefined;
}

/** What the price of an answer depends on besides its prompt, cached and completion tokens. */
export interface AnswerBill {
  /** Of the prompt's tokens, the ones that the service stored in its cache. */
  readonly cacheWriteTokens: number;
  /** Of these, the ones that it keeps for an hour. */
  readonly cacheWrite1hTokens: number;
  /** What the service itself says that the answer cost, in US dollars; null where it says nothing. */
  readonly cost: number | null;
  /** The tier in which it was answered, where that has other prices than the usual one; null for the usual one. */
  readonly tier: string | null;
}

/** An answer as it is entered in the ledger of its batch. */
export interface LedgerAnswer extends Answer {
  /** Of the input file, from 1. */
  readonly line: number;
  /** The HTTP status; null where the request never ran. */
  readonly status: number | null;
  readonly facts: AnswerFacts;
}
