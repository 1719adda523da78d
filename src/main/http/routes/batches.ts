import { z } from "zod";
import { batchListSchema, batchSchema, createBatchSchema } from "#contract";
import { quote, ServiceError } from "#main/base";
import type { Owner } from "#main/batches";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import type { Dialect } from "../dialect.ts";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { answers, listQuery } from "../schemas.ts";
import { sendJson, toCreatedWireBatch, toWireBatch, toWireBatchList } from "../wire.ts";

const batchParams = z.object({ batch_id: z.string() });
const deletedBatchSchema = z.object({ id: z.string(), object: z.literal("batch"), deleted: z.literal(true) });
const batchListQuery = listQuery({ most: 100, default: 20 });

/** Batches: create, read, list, cancel. */
export function addBatchRoutes(app: HttpApp, { batches }: Pick<Service, "batches">, dialect: Dialect): void {
  const writeBatch = createBatchWriter(dialect);

  app.post(
    "/v1/batches",
    { config: { createsBatch: true }, schema: { body: createBatchSchema, response: answers(batchSchema) } },
    async (request, reply) => {
      const { body, scope, outcome } = request;
      const batch = await scope.creations.once(request, body, () =>
        batches.create({
          owner: scope.owner,
          inputFileId: body.input_file_id,
          endpoint: body.endpoint,
          completionWindow: body.completion_window,
          metadata: body.metadata ?? {},
          outputLifetime: body.output_expires_after ? body.output_expires_after.seconds * 1_000 : null,
          outcome,
        }),
      );
      return reply.send(toCreatedWireBatch(batch, dialect));
    },
  );

  app.get(
    "/v1/batches",
    { schema: { querystring: batchListQuery, response: answers(batchListSchema) } },
    (request, reply) => {
      const { limit, after } = request.query;
      const { owner } = request.scope;
      const page = batches.list({
        limit,
        owner,
        ...(after !== undefined && { after: findBatch(batches, owner, after, "after").id }),
      });
      reply.send(toWireBatchList(page.batches, page.hasMore, dialect));
    },
  );

  app.get(
    "/v1/batches/:batch_id",
    { schema: { params: batchParams, response: answers(batchSchema) } },
    (request, reply) => {
      const batch = findBatch(batches, request.scope.owner, request.params.batch_id, "batch_id");
      sendJson(reply, writeBatch(batch));
    },
  );

  addBodiless(app, (bodiless) => {
    bodiless.post(
      "/v1/batches/:batch_id/cancel",
      { schema: { params: batchParams, response: answers(batchSchema) } },
      async (request, reply) => {
        const { id } = findBatch(batches, request.scope.owner, request.params.batch_id, "batch_id");
        return reply.send(toWireBatch(await batches.cancel(id), dialect));
      },
    );
  });
}

/** `DELETE /sheaf/batches/{id}`, which the compatible API doesn't have. */
export function addBatchDeletion(app: HttpApp, { batches }: Pick<Service, "batches">): void {
  addBodiless(app, (bodiless) => {
    bodiless.delete(
      "/sheaf/batches/:batch_id",
      { schema: { params: batchParams, response: answers(deletedBatchSchema) } },
      async (request, reply) => {
        const { id } = findBatch(batches, request.scope.owner, request.params.batch_id, "batch_id");
        await batches.remove(id, { withRetries: false });
        return reply.send({ id, object: "batch", deleted: true });
      },
    );
  });
}

function findBatch(batches: Service["batches"], owner: Owner, id: string, param: string): BatchRecord {
  const batch = batches.get(id, owner);
  if (batch === undefined) throw new ServiceError("not_found", `No batch with the id ${quote(id)}.`, param);
  return batch;
}

/** Clients poll: the text of a record, which never changes, is made once. */
function createBatchWriter(dialect: Dialect): (batch: BatchRecord) => string {
  const written = new WeakMap<BatchRecord, string>();
  return (batch) => {
    const known = written.get(batch);
    if (known !== undefined) return known;
    const text = JSON.stringify(toWireBatch(batch, dialect));
    written.set(batch, text);
    return text;
  };
}
