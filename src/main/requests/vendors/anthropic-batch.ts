import type { ErrorBody, WrittenLine } from "#contract";
import type { JsonObject } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { toAnthropicError, toMessage } from "./anthropic-answer.ts";
import type { MessageBatch, MessageBatchResult } from "./anthropic-wire.ts";

const ownPrefix = "batch_";
const prefix = "msgbatch_";

/** The id of a batch as this API has it. */
export function toMessageBatchId(id: string): string {
  return id.replace(ownPrefix, prefix);
}

/** Our id of such a batch; of what is no such id, the empty one that none has. */
export function fromMessageBatchId(id: string): string {
  return id.startsWith(prefix) ? id.replace(prefix, ownPrefix) : "";
}

/** @param resultsUrl where its results are, once it has ended */
export function toMessageBatch({ id, status, times, counts }: BatchRecord, resultsUrl: string): MessageBatch {
  const ended = times.completed ?? times.failed ?? times.expired ?? times.cancelled;
  const { total, completed } = counts;
  // Of an input that did not pass its check no line ran.
  const failed = status === "failed" ? total : counts.failed;
  const left = ended === null ? 0 : total - completed - failed;
  return {
    id: toMessageBatchId(id),
    type: "message_batch",
    processing_status: ended !== null ? "ended" : status === "cancelling" ? "canceling" : "in_progress",
    request_counts: {
      processing: ended === null ? total : 0,
      succeeded: ended === null ? 0 : completed,
      errored: ended === null ? 0 : failed,
      canceled: status === "cancelled" ? left : 0,
      expired: status === "expired" ? left : 0,
    },
    created_at: toTime(times.created),
    expires_at: toTime(times.expires),
    ended_at: ended === null ? null : toTime(ended),
    cancel_initiated_at: times.cancelling === null ? null : toTime(times.cancelling),
    archived_at: null,
    results_url: ended === null ? null : resultsUrl,
  };
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A line of our output or error file as a result. */
export function toMessageBatchResult({ custom_id, response, error }: WrittenLine): MessageBatchResult {
  return { custom_id, result: toResult(response, error) };
}

function toResult(response: WrittenLine["response"], error: WrittenLine["error"]): MessageBatchResult["result"] {
  if (response === null) return { type: error?.code === "batch_expired" ? "expired" : "canceled" };
  const { body, status_code: status, request_id: requestId } = response;
  if (status === 200) return { type: "succeeded", message: toMessage(body, "batch") };
  return { type: "errored", error: toAnthropicError(body as ErrorBody & JsonObject, status, requestId) };
}
