import { stat } from "node:fs/promises";
import { z } from "zod";
import { asObject, asText, isObject, type JsonObject } from "#main/base";
import { describeUnreadable } from "#main/engines";
import { fromGemini, toGeminiBatch } from "#main/requests";
import { readBytes } from "#main/storage";
import { type BatchAdapter, type RemoteOutcome, type RemoteResult, toFailed } from "./batch-adapter.ts";
import { geminiVersion } from "./gemini-api.ts";
import { createHttpClient, type ServerAddress } from "./http-client.ts";
import { type RemoteBatch, readStatus } from "./read-batch.ts";
import { readResults } from "./read-results.ts";

const countSchema = z.coerce.number().int().optional();

/** A batch is an operation here, and its metadata have its progress. Counts are text, and missing while they are 0. */
const operationSchema = z
  .looseObject({
    name: z.string(),
    metadata: z.looseObject({
      state: z.string(),
      displayName: z.string().optional(),
      createTime: z.string().optional(),
      endTime: z.string().optional(),
      batchStats: z
        .looseObject({
          requestCount: countSchema,
          successfulRequestCount: countSchema,
          failedRequestCount: countSchema,
        })
        .optional(),
      inputConfig: z.looseObject({ fileName: z.string().optional() }).optional(),
      output: z.looseObject({ responsesFile: z.string().optional() }).optional(),
    }),
    error: z.looseObject({ message: z.string() }).optional(),
  })
  .transform(({ name, metadata, error }): RemoteBatch => {
    const { batchStats: stats } = metadata;
    const [completed, failed] = [stats?.successfulRequestCount ?? 0, stats?.failedRequestCount ?? 0];
    const readTime = (text: string | undefined) => (text ? Date.parse(text) : null);
    return {
      id: name,
      ...readStatus(metadata.state),
      counts:
        stats?.requestCount === undefined
          ? null
          : { total: stats.requestCount, completed, failed, done: completed + failed },
      inputFileId: metadata.inputConfig?.fileName ?? null,
      outputFileId: metadata.output?.responsesFile ?? null,
      errorFileId: null,
      createdAt: readTime(metadata.createTime),
      endedAt: readTime(metadata.endTime),
      expiresAt: null,
      metadata: metadata.displayName === undefined ? {} : { name: metadata.displayName },
      errors: error === undefined ? [] : [error.message],
    };
  });

const listSchema = z.looseObject({ operations: z.array(operationSchema).default([]) });

/**
 * Gemini's batches: a file through its own file API, a batch for one model, a file of results. Lines of a batch name no
 * model, so all of a part must have the same one. Sources: the requests of `@google/genai`.
 */
export function createGeminiBatchAdapter(
  address: ServerAddress,
  { model }: { readonly model: (name: string) => string },
): BatchAdapter {
  const client = createHttpClient(address);

  const readList = (signal: AbortSignal) =>
    client.dated(`${geminiVersion}/batches`, listSchema, { query: { pageSize: "100" }, signal });

  async function* list(signal: AbortSignal): AsyncGenerator<RemoteBatch, void> {
    yield* (await readList(signal)).value.operations;
  }

  return {
    hasErrorFile: false,
    toRemoteId: ({ customId }) => customId,
    encode({ customId, request }) {
      const translated = toGeminiBatch(request);
      return "problems" in translated
        ? translated
        : { text: JSON.stringify({ key: customId, request: translated.params }) };
    },
    async upload({ path, name }, signal, onSent) {
      const { size } = await stat(path);
      const start = { "x-goog-upload-protocol": "resumable", "x-goog-upload-command": "start" };
      const uploadUrl = await client.header(`/upload${geminiVersion}/files`, "x-goog-upload-url", {
        method: "POST",
        json: { file: { displayName: name, mimeType: "application/jsonl" } },
        headers: {
          ...start,
          "x-goog-upload-header-content-length": String(size),
          "x-goog-upload-header-content-type": "application/jsonl",
        },
        signal,
      });
      const schema = z.looseObject({ file: z.looseObject({ name: z.string() }) });
      const finish = { "x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0" };
      const { file } = await client.jsonAt(uploadUrl, schema, {
        method: "POST",
        body: readBytes(path),
        headers: { ...finish, "content-length": String(size) },
        signal,
        onSent,
      });
      return file.name;
    },
    create: ({ fileId, token, model: name }, signal) =>
      client.create(
        `${geminiVersion}/models/${encodeURIComponent(model(name))}:batchGenerateContent`,
        operationSchema,
        {
          json: { batch: { displayName: token, inputConfig: { fileName: fileId } } },
          signal,
        },
      ),
    isOf({ inputFileId, metadata }, { fileId, token }) {
      if (inputFileId === null && metadata.name === undefined) return null;
      return inputFileId === fileId || metadata.name === token;
    },
    get: (id, signal) => client.json(`${geminiVersion}/${id}`, operationSchema, { signal }),
    list,
    async newest(signal) {
      const { value, clockOffset } = await readList(signal);
      return { ids: value.operations.map(({ id }) => id), clockOffset };
    },
    async cancel(id, signal) {
      await client.json(`${geminiVersion}/${id}:cancel`, z.unknown(), { method: "POST", signal });
    },
    async *results({ outputFileId, createdAt }, signal) {
      if (outputFileId === null) return;
      const lines = client.lines(`/download${geminiVersion}/${outputFileId}:download`, {
        query: { alt: "media" },
        signal,
      });
      const created = Math.floor((createdAt ?? address.machine.wall()) / 1_000);
      yield* readResults(lines, (value) => readResult(value, created), address);
    },
    models: async (signal) => {
      const schema = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });
      const { models } = await client.json(`${geminiVersion}/models`, schema, { query: { pageSize: "1000" }, signal });
      return models.map(({ name }) => name.replace(/^models\//, ""));
    },
    close: () => client.close(),
  };
}

function readResult(line: unknown, created: number): RemoteResult | null {
  const { key, ...result } = asObject(line);
  return typeof key === "string" ? { remoteId: key, outcome: readOutcome(key, result, created) } : null;
}

/** The codes of google.rpc.Code that are not failures of ours, as HTTP statuses. */
const statusOf: Readonly<Record<number, number>> = { 3: 400, 5: 404, 7: 403, 8: 429, 13: 500, 14: 503, 16: 401 };

function readOutcome(key: string, { response, error, status }: JsonObject, created: number): RemoteOutcome {
  const completion = fromGemini(response, key, created);
  if (completion !== null) return { state: "answered", requestId: null, completion };
  const given = isObject(error) ? error : status;
  if (!isObject(given) && response !== undefined && response !== null) {
    return toFailed(null, describeUnreadable(JSON.stringify(response)));
  }
  const { code: rpcCode, message: words, status: type } = asObject(given);
  const code = typeof rpcCode === "number" ? rpcCode : 13;
  const message = asText(words) ?? "The service gave neither an answer nor an error.";
  if (code === 1) return { state: "never_ran", reason: "cancelled", message };
  if (code === 4) return { state: "never_ran", reason: "expired", message };
  const statusCode = statusOf[code] ?? (code >= 400 && code < 600 ? code : 500);
  const own = { message, type: asText(type) ?? "server_error", param: null, code: null };
  return { state: "failed", requestId: null, statusCode, error: own };
}
