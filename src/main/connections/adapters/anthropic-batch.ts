import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { z } from "zod";
import { asObject, asText, isObject, type JsonObject } from "#main/base";
import { describeUnreadable } from "#main/engines";
import { fromAnthropic, toAnthropic, toAnthropicId } from "#main/requests";
import { streamLines } from "#main/storage";
import { anthropicHeaders } from "./anthropic-api.ts";
import { type BatchAdapter, type RemoteOutcome, type RemoteResult, toFailed } from "./batch-adapter.ts";
import { createHttpClient, type ServerAddress } from "./http-client.ts";
import { type RemoteBatch, type RemoteCounts, readStatus } from "./read-batch.ts";
import { readResults } from "./read-results.ts";

const batchesPath = "/v1/messages/batches";

const counts = z.looseObject({
  processing: z.int(),
  succeeded: z.int(),
  errored: z.int(),
  canceled: z.int(),
  expired: z.int(),
});

const time = z
  .string()
  .nullish()
  .transform((value) => (value ? Date.parse(value) : null));

/** A message batch. Its counts stay at 0 until it has ended: before, only the total is known. */
const batchSchema = z
  .looseObject({
    id: z.string(),
    processing_status: z.string(),
    request_counts: counts.nullish().catch(null),
    created_at: time,
    ended_at: time,
    expires_at: time,
    results_url: z.string().nullish(),
  })
  .transform((batch): RemoteBatch => {
    return {
      id: batch.id,
      ...readStatus(batch.processing_status),
      counts: batch.request_counts ? toCounts(batch.request_counts) : null,
      inputFileId: null,
      outputFileId: batch.results_url ? batch.id : null,
      errorFileId: null,
      createdAt: batch.created_at,
      endedAt: batch.ended_at,
      expiresAt: batch.expires_at,
      metadata: {},
      errors: [],
    };
  });

function toCounts({ processing, succeeded, errored, canceled, expired }: z.infer<typeof counts>): RemoteCounts {
  const done = succeeded + errored + canceled + expired;
  return { total: processing + done, completed: succeeded, failed: errored, done };
}

const listSchema = z.looseObject({ data: z.array(batchSchema) });

/** Anthropic's message batches: all requests in the body of the create, one file of results. */
export function createAnthropicBatchAdapter(
  address: ServerAddress,
  { model }: { readonly model: (name: string) => string },
): BatchAdapter {
  const client = createHttpClient({ ...address, headers: { ...anthropicHeaders, ...address.headers } });

  async function* list(signal: AbortSignal): AsyncGenerator<RemoteBatch, void> {
    yield* (await client.json(batchesPath, listSchema, { query: { limit: "1000" }, signal })).data;
  }

  return {
    hasErrorFile: false,
    toRemoteId: ({ customId, line }) => toAnthropicId(customId, line),
    encode({ line, customId, request }) {
      const translated = toAnthropic({ ...request, model: model(request.model) });
      if ("problems" in translated) return translated;
      return { text: JSON.stringify({ custom_id: toAnthropicId(customId, line), params: translated.params }) };
    },
    upload: async () => null,
    create: ({ path }, signal) =>
      client.create(batchesPath, batchSchema, {
        body: Readable.from(writeRequests(path)),
        headers: { "content-type": "application/json" },
        signal,
      }),
    isOf: () => null,
    get: (id, signal) => client.json(`${batchesPath}/${encodeURIComponent(id)}`, batchSchema, { signal }),
    list,
    async newest(signal) {
      const { value, clockOffset } = await client.dated(batchesPath, listSchema, { query: { limit: "100" }, signal });
      return { ids: value.data.map(({ id }) => id), clockOffset };
    },
    async cancel(id, signal) {
      await client.json(`${batchesPath}/${encodeURIComponent(id)}/cancel`, z.unknown(), { method: "POST", signal });
    },
    async *results({ id, createdAt }, signal) {
      // Not the address in `results_url`: the key goes nowhere but to the connection's own.
      const lines = client.lines(`${batchesPath}/${encodeURIComponent(id)}/results`, { signal });
      const created = Math.floor((createdAt ?? address.machine.wall()) / 1_000);
      yield* readResults(lines, (value) => readResult(value, created), address);
    },
    models: async (signal) => {
      const schema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
      const { data } = await client.json("/v1/models", schema, { query: { limit: "1000" }, signal });
      return data.map(({ id }) => id);
    },
    close: () => client.close(),
  };
}

/** The body of a create, written as it is sent: a part may have 256 MB. */
async function* writeRequests(path: string): AsyncGenerator<string, void> {
  let separator = '{"requests":[';
  for await (const line of streamLines(createReadStream(path))) {
    if (!line) continue;
    yield separator + line;
    separator = ",";
  }
  yield "]}";
}

/** The statuses that direct calls answer with for the same types of errors. */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

function readResult(line: unknown, created: number): RemoteResult | null {
  const { custom_id: remoteId, result } = asObject(line);
  if (typeof remoteId !== "string" || !isObject(result)) return null;
  return { remoteId, outcome: readOutcome(result, created) };
}

function readOutcome(result: JsonObject, created: number): RemoteOutcome {
  switch (result.type) {
    case "succeeded": {
      const completion = fromAnthropic(result.message, created);
      if (completion !== null) return { state: "answered", requestId: null, completion };
      return toFailed(null, describeUnreadable(JSON.stringify(result.message ?? null)));
    }
    case "errored": {
      const outer = asObject(result.error);
      const { type, message } = isObject(outer.error) ? outer.error : outer;
      const kind = asText(type) ?? "api_error";
      const words = asText(message) ?? `The service gave no message, only the type ${kind}.`;
      return failed(statusOf[kind] ?? 500, kind, words, asText(outer.request_id));
    }
    case "canceled":
      return { state: "never_ran", reason: "cancelled", message: "The batch was cancelled before this request ran." };
    case "expired":
      return { state: "never_ran", reason: "expired", message: "The batch expired before this request ran." };
    default:
      return toFailed(null, describeUnreadable(JSON.stringify(result)));
  }
}

function failed(statusCode: number, type: string, message: string, requestId: string | null): RemoteOutcome {
  return { state: "failed", requestId, statusCode, error: { message, type, param: null, code: null } };
}
