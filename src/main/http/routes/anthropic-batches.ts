import { Readable } from "node:stream";
import { z } from "zod";
import { quote, ServiceError } from "#main/base";
import {
  anthropicErrorSchema,
  createMessageBatchSchema,
  deletedMessageBatchSchema,
  fromMessageBatchId,
  messageBatchSchema,
  readMessagesRequest,
  toMessageBatch,
  toMessageBatchId,
  toMessageBatchResult,
} from "#main/requests";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { anthropicPageOf, anthropicPageQuery, toAnthropicPage } from "../anthropic-pages.ts";
import { createTranslatedCheck } from "../check-translated.ts";
import { addApart, addBodiless, type HttpApp } from "../http-app.ts";
import { answers, answersOf } from "../schemas.ts";
import { readBaseAddress, type Scope } from "../scopes.ts";
import { createVendorValidator } from "../validate.ts";
import { createVendorBatch, openResults } from "../vendor-batches.ts";

/** As Anthropic's own API. */
const bodyLimit = 256_000_000;

const path = "/v1/messages/batches";
const params = z.object({ message_batch_id: z.string() });

/** Anthropic's message batches: lists of requests, which run as batches of chat completions. */
export function addAnthropicBatchRoutes(app: HttpApp, service: Service): void {
  const { files, batches } = service;
  const check = createTranslatedCheck(service);
  const batchAnswers = answers(messageBatchSchema, anthropicErrorSchema);
  const write = (batch: BatchRecord, request: Parameters<typeof readBaseAddress>[0]) =>
    toMessageBatch(batch, `${readBaseAddress(request)}${path}/${toMessageBatchId(batch.id)}/results`);

  addApart(app, (creating) => {
    creating.setValidatorCompiler(createVendorValidator(service));
    creating.post(
      path,
      {
        bodyLimit,
        config: { createsBatch: true },
        schema: { body: createMessageBatchSchema, response: batchAnswers },
      },
      async (request, reply) => {
        const requests = request.body.requests.map(({ custom_id: customId, params }, at) => ({
          customId,
          body: check(readMessagesRequest(params), `requests[${at}].params`),
        }));
        const { scope, outcome } = request;
        const batch = await scope.creations.once(request, request.body, () =>
          createVendorBatch(service, scope, requests, outcome),
        );
        return reply.send(write(batch, request));
      },
    );
  });

  app.get(
    path,
    {
      schema: {
        querystring: anthropicPageQuery,
        response: answers(anthropicPageOf(messageBatchSchema), anthropicErrorSchema),
      },
    },
    (request, reply) => {
      const listed = batches.list({ limit: Number.POSITIVE_INFINITY, owner: request.scope.owner });
      reply.send(
        toAnthropicPage(
          listed.batches.map((batch) => write(batch, request)),
          request.query,
        ),
      );
    },
  );

  app.get(`${path}/:message_batch_id`, { schema: { params, response: batchAnswers } }, (request, reply) => {
    reply.send(write(findBatch(request.scope, request.params.message_batch_id), request));
  });

  app.get(
    `${path}/:message_batch_id/results`,
    {
      schema: {
        params,
        response: answersOf("application/x-jsonl", "A result for each request.", [200], anthropicErrorSchema),
      },
    },
    async (request, reply) => {
      const batch = findBatch(request.scope, request.params.message_batch_id);
      const { results_url: url } = write(batch, request);
      if (url === null) {
        throw new ServiceError(
          "not_found",
          `The batch ${quote(toMessageBatchId(batch.id))} has not ended: it has no results yet.`,
        );
      }
      const results = await openResults(files, batch);
      return reply.type("application/x-jsonl").send(Readable.from(writeResults(results)));
    },
  );

  addBodiless(app, (ignoring) => {
    ignoring.post(
      `${path}/:message_batch_id/cancel`,
      { schema: { params, response: batchAnswers } },
      async (request, reply) => {
        const { id } = findBatch(request.scope, request.params.message_batch_id);
        return reply.send(write(await batches.cancel(id), request));
      },
    );
    ignoring.delete(
      `${path}/:message_batch_id`,
      { schema: { params, response: answers(deletedMessageBatchSchema, anthropicErrorSchema) } },
      async (request, reply) => {
        const { id } = findBatch(request.scope, request.params.message_batch_id);
        await batches.remove(id);
        return reply.send({ id: toMessageBatchId(id), type: "message_batch_deleted" });
      },
    );
  });

  function findBatch({ owner }: Scope, id: string): BatchRecord {
    const batch = batches.get(fromMessageBatchId(id), owner);
    if (batch === undefined) throw new ServiceError("not_found", `No message batch with the id ${quote(id)}.`);
    return batch;
  }
}

async function* writeResults(results: Awaited<ReturnType<typeof openResults>>): AsyncGenerator<string, void> {
  for await (const result of results) yield `${JSON.stringify(toMessageBatchResult(result))}\n`;
}
