import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ChatRequest, finalStatuses } from "#contract";
import { quote, ServiceError } from "#main/base";
import type { Files } from "#main/batches";
import {
  type BatchResult,
  batchLineSchema,
  batchOperationSchema,
  type CreateBatchRequest,
  createBatchRequestSchema,
  fromGeminiBatchName,
  fromResultsName,
  type GenerateRequest,
  geminiErrorSchema,
  readGenerateRequest,
  toBatchOperation,
  toBatchResult,
  toCamelCase,
} from "#main/requests";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { isNestedTooDeep, mostLevels, parseJson, streamLines } from "#main/storage";
import { createTranslatedCheck } from "../check-translated.ts";
import { geminiPageQuery, toGeminiPage } from "../gemini-pages.ts";
import { addApart, addBodiless, type HttpApp } from "../http-app.ts";
import { answers, answersOf } from "../schemas.ts";
import type { Scope } from "../scopes.ts";
import { createGeminiValidator, parseVendorBody } from "../validate.ts";
import { createVendorBatch, openResults, readRequests, type VendorRequest } from "../vendor-batches.ts";
import { modelPath } from "./gemini.ts";
import { findGeminiFile } from "./gemini-files.ts";

/** A list of requests may have 20 MB at Gemini's own API; more are sent as a file. */
const bodyLimit = 32_000_000;

/** Gemini's batches: of a list of requests or of a file, which run as batches of chat completions. */
export function addGeminiBatchRoutes(app: HttpApp, service: Service): void {
  const { files, batches } = service;
  const check = createTranslatedCheck(service);
  const params = z.object({ batch: z.string() });
  const batchAnswers = answers(batchOperationSchema, geminiErrorSchema);

  addApart(app, (creating) => {
    creating.setValidatorCompiler(createGeminiValidator(service));
    creating.post(
      `${modelPath}::batchGenerateContent`,
      {
        bodyLimit,
        config: { createsBatch: true },
        schema: { params: z.object({ model: z.string() }), body: createBatchRequestSchema, response: batchAnswers },
      },
      async (request, reply) => {
        const { body, params, scope, outcome } = request;
        const { displayName: name = "", inputConfig } = body.batch;
        const { fileName } = inputConfig;
        const translate: Translate = (asked, place) =>
          check(readGenerateRequest(asked, asked.model?.replace(/^models\//, "") ?? params.model), place);
        const about = { name, model: params.model, ...(fileName === undefined ? {} : { input_file: fileName }) };
        const batch = await scope.creations.once(request, body, () =>
          createVendorBatch(service, scope, readInput(files, scope, inputConfig, translate), outcome, about),
        );
        return reply.send(toBatchOperation(batch, []));
      },
    );
  });

  app.get(
    "/v1beta/batches",
    {
      schema: {
        querystring: geminiPageQuery(10),
        response: answers(
          z.object({ operations: z.array(batchOperationSchema), nextPageToken: z.string().optional() }),
          geminiErrorSchema,
        ),
      },
    },
    async ({ scope, query }, reply) => {
      const listed = batches.list({ limit: Number.POSITIVE_INFINITY, owner: scope.owner });
      const { items, next } = toGeminiPage(listed.batches, query, ({ times }) => times.created);
      const operations = await Promise.all(items.map((batch) => show(files, batch)));
      return reply.send({ operations, ...next });
    },
  );

  app.get("/v1beta/batches/:batch", { schema: { params, response: batchAnswers } }, async ({ scope, params }, reply) =>
    reply.send(await show(files, findBatch(service, scope, params.batch))),
  );

  addBodiless(app, (ignoring) => {
    const empty = answers(z.object({}), geminiErrorSchema);
    ignoring.post(
      "/v1beta/batches/:batch(^.+)::cancel",
      { schema: { params, response: empty } },
      async ({ scope, params }, reply) => {
        await batches.cancel(findBatch(service, scope, params.batch).id);
        return reply.send({});
      },
    );
    ignoring.delete(
      "/v1beta/batches/:batch",
      { schema: { params, response: empty } },
      async ({ scope, params }, reply) => {
        await batches.remove(findBatch(service, scope, params.batch).id);
        return reply.send({});
      },
    );
  });

  // Its own API has it at both: the first is what the vendor's documents show, the second what its client asks for.
  for (const path of ["/download/v1beta/files/:file(^.+)::download", "/v1beta/files/:file(^.+)::download"]) {
    app.get(
      path,
      {
        schema: {
          params: z.object({ file: z.string() }),
          response: answersOf("application/octet-stream", "The bytes.", [200], geminiErrorSchema),
        },
      },
      (request, reply) => sendFile(service, request, reply, request.params.file),
    );
  }
}

/** Throws a ServiceError with the place. */
type Translate = (request: GenerateRequest, place: string) => ChatRequest;
type InputConfig = CreateBatchRequest["batch"]["inputConfig"];

/** The requests of a batch, translated. Throws a ServiceError with the place of the first that can't be. */
function readInput(
  files: Files,
  scope: Scope,
  { fileName, requests }: InputConfig,
  translate: Translate,
): AsyncIterable<VendorRequest> {
  if (fileName !== undefined && requests === undefined) {
    return readLines(files, findGeminiFile(files, scope, fileName).id, translate);
  }
  if (requests !== undefined && fileName === undefined) return readList(requests.requests, translate);
  const message = "batch.inputConfig has either fileName or requests.";
  throw new ServiceError("invalid_value", message, "batch.inputConfig");
}

async function* readList(
  requests: NonNullable<InputConfig["requests"]>["requests"],
  translate: Translate,
): AsyncGenerator<VendorRequest, void> {
  for (const [at, { request, metadata }] of requests.entries()) {
    const body = translate(request, `batch.inputConfig.requests.requests[${at}].request`);
    yield { customId: `request-${at + 1}`, body, metadata };
  }
}

async function* readLines(files: Files, id: string, translate: Translate): AsyncGenerator<VendorRequest, void> {
  const keys = new Set<string>();
  let number = 0;
  for await (const text of streamLines(await files.read(id))) {
    number += 1;
    if (text === "") continue;
    const line = parseLine(text, number);
    if (keys.has(line.key)) refuse(number, `the key ${quote(line.key)} was there before.`);
    keys.add(line.key);
    yield { customId: line.key, body: translate(line.request, `line ${number}, request`) };
  }
  if (keys.size === 0) throw new ServiceError("invalid_value", "The file has no request in it.");
}

function parseLine(text: string | null, number: number): z.infer<typeof batchLineSchema> {
  const value = text === null ? undefined : parseJson(text);
  if (value === undefined) return refuse(number, "it is not valid JSON.");
  if (isNestedTooDeep(value)) return refuse(number, `it has more than ${mostLevels} values in one another.`);
  try {
    return parseVendorBody(batchLineSchema, toCamelCase(value));
  } catch (error) {
    if (error instanceof ServiceError) return refuse(number, error.message);
    throw error;
  }
}

function refuse(line: number, message: string): never {
  throw new ServiceError("invalid_value", `line ${line}: ${message}`);
}

function findBatch({ batches }: Pick<Service, "batches">, { owner }: Scope, name: string): BatchRecord {
  const batch = batches.get(fromGeminiBatchName(name), owner);
  if (batch === undefined) throw new ServiceError("not_found", `No batch with the name ${quote(name)}.`);
  return batch;
}

/** A batch as an operation. The results of a list of requests are in it, in its order. */
async function show(files: Files, batch: BatchRecord) {
  const isInlined =
    finalStatuses.has(batch.status) && batch.status !== "failed" && batch.metadata.input_file === undefined;
  return toBatchOperation(batch, isInlined ? await collectResults(files, batch) : []);
}

async function collectResults(files: Files, batch: BatchRecord): Promise<BatchResult[]> {
  const results = new Map<string | null, BatchResult>();
  for await (const { key, ...result } of readResults(files, batch)) results.set(key, result);
  const inOrder: BatchResult[] = [];
  for await (const { customId, metadata } of readRequests(files, batch)) {
    inOrder.push({ ...(metadata === undefined ? {} : { metadata: { ...metadata } }), ...results.get(customId) });
  }
  return inOrder;
}

async function* readResults(
  files: Files,
  batch: BatchRecord,
): AsyncGenerator<BatchResult & { key: string | null }, void> {
  const thinking = new Set<string>();
  for await (const { customId, body } of readRequests(files, batch)) if (asksForThoughts(body)) thinking.add(customId);
  for await (const line of await openResults(files, batch)) {
    yield { key: line.custom_id, ...toBatchResult(line, thinking.has(line.custom_id ?? "")) };
  }
}

const thoughtsSchema = z.object({ thinkingConfig: z.object({ includeThoughts: z.literal(true) }) });

function asksForThoughts(body: VendorRequest["body"]): boolean {
  return thoughtsSchema.safeParse(body).success;
}

/** The bytes of an upload, or the results of a batch. */
async function sendFile(
  { files, batches }: Service,
  { scope }: FastifyRequest,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const batchId = fromResultsName(name);
  reply.headers({ "content-type": "application/octet-stream", "x-content-type-options": "nosniff" });
  if (batchId === null) return reply.send(await files.read(findGeminiFile(files, scope, name).id));
  const batch = batches.get(batchId, scope.owner);
  if (batch === undefined || !finalStatuses.has(batch.status)) {
    throw new ServiceError("not_found", `No file with the name ${quote(name)}.`);
  }
  return reply.send(Readable.from(writeLines(readResults(files, batch))));
}

async function* writeLines(results: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  for await (const result of results) yield `${JSON.stringify(result)}\n`;
}
