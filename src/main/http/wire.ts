import type { FastifyReply } from "fastify";
import {
  finalStatuses,
  formatCount,
  type Problem,
  type WireBatch,
  type WireBatchList,
  type WireFile,
  type WireModel,
} from "#contract";
import type { AnthropicModel, Model } from "#main/requests";
import type { BatchRecord, FileRecord } from "#main/storage";
import type { Dialect, ListExtras, WireTime } from "./dialect.ts";
import { anyModelHelp, lenientHelp } from "./validate.ts";

/** The batch as `POST /v1/batches` answers it. */
export function toCreatedWireBatch(batch: BatchRecord, dialect: Dialect): WireBatch {
  return describeBatch(batch, dialect.createdBatchTime);
}

/** The batch as every other response has it. */
export function toWireBatch(batch: BatchRecord, dialect: Dialect): WireBatch {
  return describeBatch(batch, dialect.batchTime);
}

/** With the flag that would have the server accept it. */
function toWireProblem({ code, message, param, line, flag }: Problem) {
  const help = code === "model_not_found" ? anyModelHelp : flag === "--lenient" ? lenientHelp : "";
  return { code, message: message + help, param, line };
}

/** Most problems of each batch in a list: with all of them, a page of failed batches could have hundreds of megabytes. */
const mostListedProblems = 100;

/** The batch as a list has it: of many problems the first, and a last entry with the place of the others. */
function toListedWireBatch(batch: BatchRecord, dialect: Dialect): WireBatch {
  const { id, problems } = batch;
  const more = problems.length - mostListedProblems;
  if (more <= 0) return toWireBatch(batch, dialect);
  const message = `${formatCount(more, "more problem is", "more problems are")} listed at GET /v1/batches/${id}.`;
  const rest: Problem = { code: "too_many_problems", message, param: null, line: null, severity: "error" };
  return toWireBatch({ ...batch, problems: [...problems.slice(0, mostListedProblems), rest] }, dialect);
}

function describeBatch(batch: BatchRecord, toTime: (milliseconds: number) => WireTime): WireBatch {
  const { times, counts, problems } = batch;
  const toOptionalTime = (milliseconds: number | null) => (milliseconds === null ? null : toTime(milliseconds));
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    errors: problems.length === 0 ? null : { object: "list", data: problems.map(toWireProblem) },
    input_file_id: batch.inputFileId,
    completion_window: batch.completionWindow,
    status: batch.status,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: toTime(times.created),
    in_progress_at: toOptionalTime(times.inProgress),
    expires_at: toTime(times.expires),
    finalizing_at: toOptionalTime(times.finalizing),
    completed_at: toOptionalTime(times.completed),
    failed_at: toOptionalTime(times.failed),
    expired_at: toOptionalTime(times.expired),
    cancelling_at: toOptionalTime(times.cancelling),
    cancelled_at: toOptionalTime(times.cancelled),
    ...(finalStatuses.has(batch.status) ? describeEnd(batch) : {}),
    request_counts: { total: counts.total, completed: counts.completed, failed: counts.failed },
    metadata: batch.metadata,
  };
}

/** What the answers of a batch that has ended took. Of one that an earlier version ended, that is not known. */
function describeEnd({ models, usage }: BatchRecord): Pick<WireBatch, "model" | "usage"> {
  const model = models[0] ?? null;
  if (usage === null) return { model, usage };
  const { prompt, cached, completion, reasoning } = usage;
  return {
    model,
    usage: {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: completion,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: prompt + completion,
    },
  };
}

/** A page of things with ids. */
interface Page<T> {
  readonly object: "list";
  readonly data: readonly T[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** A page of things with ids, as lists have it. */
export function toPage<T extends { readonly id: string }>(data: readonly T[], hasMore: boolean): Page<T> {
  return { object: "list", data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore };
}

/** The list as it is written: `items_per_page` is more than a number can hold (see dialect.ts). */
type WrittenBatchList = Omit<WireBatchList, "data" | keyof ListExtras> & Page<WireBatch> & Partial<ListExtras>;

export function toWireBatchList(batches: readonly BatchRecord[], hasMore: boolean, dialect: Dialect): WrittenBatchList {
  const data = batches.map((batch) => toListedWireBatch(batch, dialect));
  return { ...toPage(data, hasMore), ...dialect.listExtras(data.length) };
}

export function toWireFile(file: FileRecord, dialect: Dialect): WireFile {
  return {
    id: file.id,
    object: "file",
    bytes: file.bytes,
    created_at: dialect.fileTime(file.createdAt),
    ...(file.expiresAt !== null && { expires_at: dialect.fileTime(file.expiresAt) }),
    filename: file.filename,
    purpose: file.purpose,
    ...dialect.fileExtras(file.faulty),
  };
}

export function toWireFileList(files: readonly FileRecord[], hasMore: boolean, dialect: Dialect): Page<WireFile> {
  return toPage(
    files.map((file) => toWireFile(file, dialect)),
    hasMore,
  );
}

/** 1 January 2025: the catalogue does not say when its models were made, and clients expect a time. */
const modelsCreated = 1_735_689_600;

export function toWireModel(model: Model): WireModel {
  return { id: model.id, object: "model", created: modelsCreated, owned_by: model.ownedBy };
}

export function toWireModelList(models: readonly Model[]): { object: "list"; data: WireModel[] } {
  return { object: "list", data: models.map(toWireModel) };
}

export function toAnthropicModel({ id }: Pick<Model, "id">): AnthropicModel {
  return {
    type: "model",
    id,
    display_name: id,
    created_at: new Date(modelsCreated * 1_000).toISOString(),
    max_input_tokens: null,
    max_tokens: null,
    capabilities: null,
    deprecated_at: null,
    retires_at: null,
    lifecycle: "active",
    line: null,
  };
}

/**
 * Sends JSON that is written already, once all requests that came together with this one have had their turn: their answers
 * go out together, and a client with many of them is woken once.
 */
export function sendJson(reply: FastifyReply, text: string): void {
  setImmediate(() => reply.type("application/json; charset=utf-8").send(text));
}
