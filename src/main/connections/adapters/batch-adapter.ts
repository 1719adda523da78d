import type { ErrorBody } from "#contract";
import type { EngineError, JsonObject } from "#main/base";
import type { PartLine, TranslationProblem } from "#main/requests";
import type { RemoteBatch } from "./read-batch.ts";

/** A service's result for one line. */
export type RemoteOutcome =
  | {
      readonly state: "answered";
      readonly requestId: string | null;
      /** A chat completion as the service sent it. */
      readonly completion: JsonObject;
    }
  | {
      readonly state: "failed";
      readonly requestId: string | null;
      readonly statusCode: number;
      readonly error: ErrorBody["error"];
      /** What came of the answer all the same: its text and its usage count. */
      readonly partial?: JsonObject;
    }
  | { readonly state: "never_ran"; readonly reason: "cancelled" | "expired" | "refused"; readonly message: string };

/** A result that failed though the service sent something, which may have cost. */
export function toFailed(requestId: string | null, { statusCode, body }: EngineError): RemoteOutcome {
  const { error, ...partial } = body;
  return { state: "failed", requestId, statusCode, error, partial };
}

export interface RemoteResult {
  /** Whether it is from a file that has errors alone. */
  readonly isOfErrors?: true;
  /** As it was sent: `toRemoteId` of the line. */
  readonly remoteId: string;
  readonly outcome: RemoteOutcome;
}

/** A line of a service's results that is no result. */
export interface UnreadableResult {
  /** Whether it is from a file that has errors alone. */
  readonly isOfErrors?: true;
  /** It has more than 64 MB, or it is no JSON of a result. */
  readonly unreadable: "too_long" | "no_result";
}

/** A part on its way to the service. */
export interface Submission {
  /** The part's requests, one JSON object a line, as `encode` wrote them. */
  readonly path: string;
  /** For people at the service. */
  readonly name: string;
  /** Our random token: a batch that carries it is this part. */
  readonly token: string;
  /** Of the part's first line: for services that want one model for all. */
  readonly model: string;
  /** What `upload` answered; null for services that take the requests inline. */
  readonly fileId: string | null;
}

/** What a service has at a time. */
export interface NewestBatches {
  readonly ids: readonly string[];
  /** By how many milliseconds the service's clock is ahead of ours, by its `Date` header; null where it has none. */
  readonly clockOffset: number | null;
}

/**
 * One kind of batch service. Every method rejects with a ConnectionError, or with the signal's reason. None of them retries:
 * the caller knows whether that is safe.
 */
export interface BatchAdapter {
  /** Whether the service has a file of its own for lines that failed. */
  readonly hasErrorFile: boolean;
  /** The id under which a line is sent; differs from ours where the service's alphabet is smaller. */
  toRemoteId(line: Pick<PartLine, "line" | "customId">): string;
  /** The line of the file that is sent, or why this service can't answer this request. */
  encode(line: PartLine): { readonly text: string } | { readonly problems: readonly TranslationProblem[] };
  /** Uploads the part, and reports how many bytes have been sent; null where there are no files. */
  upload(submission: Submission, signal: AbortSignal, onSent: (bytes: number) => void): Promise<string | null>;
  create(submission: Submission, signal: AbortSignal): Promise<RemoteBatch>;
  /** Whether a batch results from a submission; null where the service stores nothing that identifies it. */
  isOf(batch: RemoteBatch, submission: Submission): boolean | null;
  get(id: string, signal: AbortSignal): Promise<RemoteBatch>;
  /** The newest batches, the last one first; older ones may be left out. */
  list(signal: AbortSignal): AsyncIterable<RemoteBatch>;
  /** The ids of the newest 100 batches, with one request; and the service's clock. */
  newest(signal: AbortSignal): Promise<NewestBatches>;
  cancel(id: string, signal: AbortSignal): Promise<void>;
  /** All results of a batch that has ended, in any order, and lines of them that can't be read. */
  results(batch: RemoteBatch, signal: AbortSignal): AsyncIterable<RemoteResult | UnreadableResult>;
  /** A text for people without the connection's key, which services repeat. */
  hideKey?(text: string): string;
  /** Model names, for choosing one. */
  models(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}
