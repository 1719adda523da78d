import { z } from "zod";
import type { ErrorBody, Preset } from "#contract";
import { findError, isCompletion, parseBody, readErrorValue } from "#main/answers";
import { asObject, asTextOrJson } from "#main/base";
import { describeFailedAnswer, describeUnreadable } from "#main/engines";
import {
  type BatchAdapter,
  type RemoteOutcome,
  type RemoteResult,
  toFailed,
  type UnreadableResult,
} from "./batch-adapter.ts";
import { ConnectionError } from "./connection-error.ts";
import { createHttpClient, type ServerAddress } from "./http-client.ts";
import { type RemoteBatch, readBatch, readBatchList } from "./read-batch.ts";
import { readResults } from "./read-results.ts";

/** How many batches of the list are searched for one of ours: more than are created between two reads. */
const mostLookedThrough = 400;

/** The metadata key of our token. */
const tokenKey = "sheaf_part";

/** Batches of the widely used batch API: a file of requests, a batch made from it, files of answers. */
export function createOpenaiBatchAdapter(
  address: ServerAddress,
  quirks: Pick<Preset, "filePurpose" | "takesMetadata" | "upload"> & {
    readonly window: string;
    readonly model: (name: string) => string;
  },
): BatchAdapter {
  const client = createHttpClient(address);

  const batchFrom = z.unknown().transform((value, context): RemoteBatch => {
    const batch = readBatch(value);
    if (batch !== null) return batch;
    context.addIssue("no batch");
    return z.NEVER;
  });

  async function readPage(after: string | undefined, signal: AbortSignal) {
    const query = { limit: "100", ...(after ? { after } : {}) };
    const { value, clockOffset } = await client.dated("/batches", z.unknown(), { query, signal });
    const page = readBatchList(value);
    if (page === null) throw new ConnectionError("not_the_api", address.name);
    return { ...page, clockOffset };
  }

  async function* list(signal: AbortSignal): AsyncGenerator<RemoteBatch, void> {
    let after: string | undefined;
    for (let seen = 0; seen < mostLookedThrough; ) {
      const page = await readPage(after, signal);
      yield* page.batches;
      seen += page.batches.length;
      after = page.batches.at(-1)?.id;
      if (!page.hasMore || after === undefined) return;
    }
  }

  async function* readFile(
    id: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<RemoteResult | UnreadableResult, void> {
    if (id === null) return;
    yield* readResults(client.lines(`/files/${encodeURIComponent(id)}/content`, { signal }), readResultLine, address);
  }

  return {
    hasErrorFile: true,
    toRemoteId: ({ customId }) => customId,
    encode({ customId, request }) {
      const body = { ...request, model: quirks.model(request.model) };
      return { text: JSON.stringify({ custom_id: customId, method: "POST", url: "/v1/chat/completions", body }) };
    },
    async upload({ path, name }, signal, onSent) {
      if (quirks.upload === "elsewhere") {
        const query = { file_name: `${name}.jsonl`, file_type: "jsonl", purpose: quirks.filePurpose };
        return await client.uploadByRedirect("/files", path, "x-together-file-id", { query, signal, onSent });
      }
      const { id } = await client.json("/files", z.looseObject({ id: z.string().min(1) }), {
        method: "POST",
        form: { path, filename: `${name}.jsonl`, fields: { purpose: quirks.filePurpose } },
        signal,
        onSent,
      });
      return id;
    },
    create: ({ fileId, name, token }, signal) =>
      client.create("/batches", batchFrom, {
        json: {
          input_file_id: fileId,
          endpoint: "/v1/chat/completions",
          completion_window: quirks.window,
          ...(quirks.takesMetadata ? { metadata: { name, [tokenKey]: token } } : {}),
        },
        signal,
      }),
    isOf({ inputFileId, metadata }, { fileId, token }) {
      if (inputFileId !== null || metadata[tokenKey] !== undefined) {
        return metadata[tokenKey] === token || (fileId !== null && inputFileId === fileId);
      }
      return null;
    },
    get: (id, signal) => client.json(`/batches/${encodeURIComponent(id)}`, batchFrom, { signal }),
    list,
    async newest(signal) {
      const { batches, clockOffset } = await readPage(undefined, signal);
      return { ids: batches.map(({ id }) => id), clockOffset };
    },
    async cancel(id, signal) {
      await client.json(`/batches/${encodeURIComponent(id)}/cancel`, z.unknown(), { method: "POST", signal });
    },
    async *results(batch, signal) {
      yield* readFile(batch.outputFileId, signal);
      for await (const result of readFile(batch.errorFileId, signal)) yield { ...result, isOfErrors: true };
    },
    models: (signal) => client.json("/models", modelsSchema, { signal }),
    close: () => client.close(),
  };
}

const modelSchema = z.looseObject({ id: z.string() });
const modelsSchema = z
  .union([z.array(modelSchema), z.looseObject({ data: z.array(modelSchema) }).transform(({ data }) => data)])
  .transform((models) => models.map(({ id }) => id));

const lineSchema = z.looseObject({
  custom_id: z.union([z.string(), z.number().transform(String)]),
  response: z
    .looseObject({
      status_code: z.coerce.number().int().catch(200),
      request_id: z.string().nullish(),
      body: z.unknown().optional(),
    })
    .nullish(),
  error: z.unknown().optional(),
});

/** A line of an output or error file; null for what is none. */
export function readResultLine(value: unknown): RemoteResult | null {
  const { data } = lineSchema.safeParse(value);
  if (data === undefined) return null;
  return { remoteId: data.custom_id, outcome: readOutcome(data) };
}

function readOutcome({ response, error }: z.infer<typeof lineSchema>): RemoteOutcome {
  const requestId = response?.request_id ?? null;
  const statusCode = response?.status_code ?? 500;
  const body = typeof response?.body === "string" ? (parseBody(response.body) ?? response.body) : response?.body;
  if (statusCode < 300) {
    const found = findError(body);
    if (found !== null) return toFailed(requestId, describeFailedAnswer(found, asObject(body)));
    if (isCompletion(body)) return { state: "answered", requestId, completion: body };
  }
  const told = readError(error) ?? readError(body);
  const message = told?.message ?? "The service gave neither an answer nor an error.";
  const reason = /^batch_(cancelled|expired)$/.exec(told?.code ?? "")?.[1];
  if (response == null && (reason === "cancelled" || reason === "expired"))
    return { state: "never_ran", reason, message };
  // Something came in place of an answer, and may have cost.
  if (statusCode < 300 && told === null && body !== undefined && body !== null) {
    return toFailed(requestId, describeUnreadable(typeof body === "string" ? body : JSON.stringify(body)));
  }
  const own = { message, type: told?.type ?? "server_error", param: told?.param ?? null, code: told?.code ?? null };
  return { state: "failed", requestId, statusCode: statusCode < 300 ? 500 : statusCode, error: own };
}

function readError(value: unknown): ErrorBody["error"] | null {
  if (typeof value === "string") return value === "" ? null : { ...noWords, message: value };
  const found = readErrorValue(value);
  if (found !== null) {
    const { message, type, param, code } = found;
    return { message, type: type ?? noWords.type, param, code };
  }
  const code = asTextOrJson(asObject(value).code);
  return code ? { ...noWords, message: `The service gave no message, only the code ${code}.`, code } : null;
}

const noWords = { type: "server_error", param: null, code: null };
