import type { FindingKind, JudgeName, TextSource, TextSpan, Verdict, VerifyInput, VerifyResult } from "#contract";

/** Where something is in a text: `[start, end)` in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One of the three texts, read once for all checks. */
export interface Text {
  readonly source: TextSource;
  readonly text: string;
  readonly sentences: readonly Range[];
}

/** What a check is given. */
export interface Reading {
  readonly prompt: Text;
  readonly response: Text;
  readonly document: Text | null;
}

/** What a check found about a part of the response. */
export interface Finding {
  readonly kind: FindingKind | null;
  readonly verdict: Verdict;
  /** The part of the response that it is about. */
  readonly range: Range;
  /** One sentence. */
  readonly reason: string;
  readonly evidence: readonly TextSpan[];
}

/** One kind of check: pure, deterministic, and in time that grows with the texts about linearly. */
export type Check = (reading: Reading) => readonly Finding[];

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** Called with how many of the claims have been judged. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called when a model was to judge and the rules alone did, with why, as a clause. */
  readonly onFallback?: (problem: string) => void;
}

/** Comes to a result for a response. Rejects only when the signal is aborted. */
export interface Verifier {
  readonly judge: JudgeName;
  /** Loads what it needs, so that the first response doesn't wait for it. */
  prepare?(): void;
  verify(input: VerifyInput, options?: VerifyOptions): Promise<VerifyResult>;
}
