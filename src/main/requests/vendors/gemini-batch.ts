import { type ErrorBody, finalStatuses, type WrittenLine } from "#contract";
import type { JsonObject } from "#main/base";
import type { BatchRecord, FileRecord } from "#main/storage";
import { toGeminiError, toGenerateAnswer } from "./gemini-answer.ts";
import type { BatchOperation, BatchResult, GeminiFile } from "./gemini-batch-wire.ts";

const filePrefix = "files/";
const batchPrefix = "batches/";
/** What a batch answers with is a file that has the batch's own id. */
const resultsPrefix = "batch-";

function toGeminiFileName(id: string): string {
  return id.replace(/^file-/, filePrefix);
}

/** Our id of a file by its name, with or without `files/`. */
export function fromGeminiFileName(name: string): string {
  return `file-${name.replace(filePrefix, "")}`;
}

function toGeminiBatchName(id: string): string {
  return id.replace(/^batch_/, batchPrefix);
}

/** Our id of a batch by the last part of its name. */
export function fromGeminiBatchName(name: string): string {
  return `batch_${name}`;
}

/** Our id of the batch whose results a file is, by the last part of the file's name; null for any other file. */
export function fromResultsName(name: string): string | null {
  return name.startsWith(resultsPrefix) ? fromGeminiBatchName(name.slice(resultsPrefix.length)) : null;
}

/** A file as this API has it; `address` is where. */
export function toGeminiFile(file: FileRecord, address: string): GeminiFile {
  const { id, filename, mimeType, bytes, sha256, createdAt, expiresAt } = file;
  return {
    name: toGeminiFileName(id),
    displayName: filename,
    mimeType: mimeType ?? "application/octet-stream",
    sizeBytes: String(bytes),
    createTime: toTime(createdAt),
    updateTime: toTime(createdAt),
    ...(expiresAt === null ? {} : { expirationTime: toTime(expiresAt) }),
    ...(sha256 === null ? {} : { sha256Hash: Buffer.from(sha256).toString("base64") }),
    uri: address,
    state: "ACTIVE",
    source: "UPLOADED",
  };
}

const states: Readonly<Record<BatchRecord["status"], string>> = {
  validating: "BATCH_STATE_PENDING",
  in_progress: "BATCH_STATE_RUNNING",
  finalizing: "BATCH_STATE_RUNNING",
  cancelling: "BATCH_STATE_RUNNING",
  completed: "BATCH_STATE_SUCCEEDED",
  failed: "BATCH_STATE_FAILED",
  cancelled: "BATCH_STATE_CANCELLED",
  expired: "BATCH_STATE_EXPIRED",
};

const typePrefix = "type.googleapis.com/google.ai.generativelanguage.v1main";

/**
 * A batch as the operation that this API has for it. `inlined` are its results where its requests came as a list. Its metadata
 * has what no other API asks of a batch: its model, and the file that its requests came in.
 */
export function toBatchOperation(batch: BatchRecord, inlined: readonly BatchResult[]): BatchOperation {
  const { id, status, times, counts, metadata, problems } = batch;
  const { model = "", name: displayName = "", input_file: fileName } = metadata;
  const name = toGeminiBatchName(id);
  const done = finalStatuses.has(status);
  const ended = times.completed ?? times.failed ?? times.expired ?? times.cancelled;
  const { total, completed, failed } = counts;
  const output =
    fileName === undefined
      ? { inlinedResponses: { inlinedResponses: [...inlined] } }
      : { responsesFile: `${filePrefix}${resultsPrefix}${name.replace(batchPrefix, "")}` };
  const hasOutput = done && status !== "failed";
  return {
    name,
    metadata: {
      "@type": `${typePrefix}.GenerateContentBatch`,
      name,
      model: `models/${model}`,
      displayName,
      state: states[status],
      createTime: toTime(times.created),
      updateTime: toTime(ended ?? times.cancelling ?? times.inProgress ?? times.created),
      ...(ended === null ? {} : { endTime: toTime(ended) }),
      ...(fileName === undefined ? {} : { inputConfig: { fileName } }),
      batchStats: {
        requestCount: String(total),
        pendingRequestCount: String(done ? 0 : total - completed - failed),
        successfulRequestCount: String(completed),
        failedRequestCount: String(done ? total - completed : failed),
      },
      ...(hasOutput ? { output } : {}),
    },
    done,
    ...(hasOutput ? { response: { "@type": `${typePrefix}.GenerateContentBatchOutput`, ...output } } : {}),
    ...(status === "failed"
      ? { error: { code: 3, message: problems[0]?.message ?? "The batch failed.", status: "INVALID_ARGUMENT" } }
      : {}),
  };
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The codes of google.rpc.Code for HTTP statuses. */
const codes: Readonly<Record<number, number>> = {
  401: 16,
  403: 7,
  404: 5,
  409: 10,
  416: 11,
  429: 8,
  501: 12,
  503: 14,
};

/** What came of a request, by a line of our output or error file. */
export function toBatchResult({ response, error }: WrittenLine, withThoughts: boolean): BatchResult {
  if (response === null) {
    const isExpired = error?.code === "batch_expired";
    const status = isExpired ? "DEADLINE_EXCEEDED" : "CANCELLED";
    return { error: { code: isExpired ? 4 : 1, message: error?.message ?? "It never ran.", status } };
  }
  const { body, status_code: httpStatus } = response;
  if (httpStatus === 200) return { response: toGenerateAnswer(body, { withThoughts }) };
  const { message, status } = toGeminiError(body as ErrorBody & JsonObject, httpStatus).error;
  return { error: { code: codes[httpStatus] ?? (httpStatus < 500 ? 3 : 13), message, status } };
}
