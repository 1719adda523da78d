import { z } from "zod";
import type { BatchStatus } from "#contract";

/** A batch at a service, as far as its answer describes it. */
export interface RemoteBatch {
  readonly id: string;
  /** Ours; an unknown word counts as running, until something else shows that it is none. */
  readonly status: BatchStatus;
  /** Whether the service's word is not in our table. */
  readonly isUnknown: boolean;
  /** The service's own word, as it came. */
  readonly rawStatus: string;
  /** Null where the service doesn't report it: the progress bar is indeterminate then. */
  readonly counts: RemoteCounts | null;
  readonly inputFileId: string | null;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
  readonly endedAt: number | null;
  readonly expiresAt: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The service's errors of the batch as a whole, a sentence each. */
  readonly errors: readonly string[];
}

/** What a service counts of the lines of a batch. */
export interface RemoteCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** All that nothing more comes of, also those that were cancelled or expired. */
  readonly done: number;
}

/**
 * Words that services use for the states of a batch, in lower case without separators and prefix
 * (docs/connections.md names who uses which).
 */
const statusWords: ReadonlyMap<string, BatchStatus> = new Map<string, BatchStatus>([
  ["validating", "validating"],
  ["queued", "validating"],
  ["pending", "validating"],
  ["created", "validating"],
  ["submitted", "validating"],
  ["scheduled", "validating"],
  ["preschedule", "validating"],
  ["inprogress", "in_progress"],
  ["progress", "in_progress"],
  ["running", "in_progress"],
  ["processing", "in_progress"],
  ["updating", "in_progress"],
  ["paused", "in_progress"],
  ["finalizing", "finalizing"],
  ["completed", "completed"],
  ["complete", "completed"],
  ["succeeded", "completed"],
  ["success", "completed"],
  ["partiallysucceeded", "completed"],
  ["partiallycompleted", "completed"],
  ["done", "completed"],
  ["finished", "completed"],
  ["ended", "completed"],
  ["failed", "failed"],
  ["error", "failed"],
  ["errored", "failed"],
  ["aborted", "failed"],
  ["expired", "expired"],
  ["timeoutexceeded", "expired"],
  ["cancelling", "cancelling"],
  ["canceling", "cancelling"],
  ["cancellationrequested", "cancelling"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
]);

/** The state that a service's word means. */
export function readStatus(rawStatus: string): Pick<RemoteBatch, "status" | "isUnknown" | "rawStatus"> {
  const word = rawStatus
    .toLowerCase()
    .replace(/^(job|batch)_state_/, "")
    .replaceAll(/[\s_-]/g, "");
  const status = statusWords.get(word);
  return { status: status ?? "in_progress", isUnknown: status === undefined, rawStatus };
}

/** Seconds as integer or decimal string, or a date as ISO 8601; anything else is no time. In Unix milliseconds. */
const timeSchema = z
  .unknown()
  .transform((value) => {
    if (typeof value === "number" && value > 0) return value * 1_000;
    if (typeof value !== "string" || value.trim() === "") return null;
    const time = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
    return Number.isFinite(time) && time > 0 ? time : null;
  })
  .catch(null);

/** Services write "" or leave a field out where there is nothing. */
const idSchema = z
  .string()
  .min(1)
  .nullish()
  .transform((id) => id ?? null)
  .catch(null);

const countSchema = z.coerce.number().int().min(0);
const countsSchema = z
  .object({
    total: countSchema,
    completed: countSchema.default(0),
    failed: countSchema.default(0),
    expired: countSchema.default(0).catch(0),
    cancelled: countSchema.default(0).catch(0),
  })
  .transform(({ total, completed, failed, expired, cancelled }): RemoteCounts => {
    return { total, completed, failed, done: completed + failed + expired + cancelled };
  })
  .nullish()
  .transform((counts) => counts ?? null)
  .catch(null);

const metadataSchema = z.record(z.string(), z.coerce.string()).catch({});

const sentenceSchema = z.union([
  z.string().min(1),
  z.looseObject({ message: z.string().min(1) }).transform(({ message }) => message),
]);
/** Null, a sentence, a list, or the API's list object. */
const errorsSchema = z
  .union([
    sentenceSchema.transform((sentence) => [sentence]),
    z.array(sentenceSchema),
    z.object({ data: z.array(sentenceSchema) }).transform(({ data }) => data),
  ])
  .catch([]);

const batchSchema = z.looseObject({
  id: z.string().min(1),
  status: z.string().min(1),
  request_counts: countsSchema,
  input_file_id: idSchema,
  output_file_id: idSchema,
  error_file_id: idSchema,
  created_at: timeSchema,
  completed_at: timeSchema,
  failed_at: timeSchema,
  expired_at: timeSchema,
  cancelled_at: timeSchema,
  expires_at: timeSchema,
  metadata: metadataSchema,
  errors: errorsSchema,
  error: errorsSchema,
});

/**
 * Reads a batch object of any service that follows the widely used batch API, however loosely. Null where it is none.
 */
export function readBatch(value: unknown): RemoteBatch | null {
  const wrapped = z.object({ job: z.unknown() }).safeParse(value);
  const { data } = batchSchema.safeParse(wrapped.data?.job ?? value);
  if (data === undefined) return null;
  return {
    id: data.id,
    ...readStatus(data.status),
    counts: data.request_counts,
    inputFileId: data.input_file_id,
    outputFileId: data.output_file_id,
    errorFileId: data.error_file_id,
    createdAt: data.created_at,
    endedAt: data.completed_at ?? data.failed_at ?? data.expired_at ?? data.cancelled_at,
    expiresAt: data.expires_at,
    metadata: data.metadata,
    errors: [...data.errors, ...data.error],
  };
}

/** Reads a page of batches: a list object, or a bare array. Null where it is neither; what is no batch is left out. */
export function readBatchList(
  value: unknown,
): { readonly batches: readonly RemoteBatch[]; readonly hasMore: boolean } | null {
  const { data } = z
    .union([
      z.array(z.unknown()).transform((batches) => ({ data: batches, has_more: false })),
      z.object({ data: z.array(z.unknown()), has_more: z.boolean().catch(false) }),
    ])
    .safeParse(value);
  if (data === undefined) return null;
  return { batches: data.data.map(readBatch).filter((batch) => batch !== null), hasMore: data.has_more };
}
