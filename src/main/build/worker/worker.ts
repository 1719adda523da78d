import { MessagePort, workerData } from "node:worker_threads";
import { eventIterator, type RouterClient } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { z } from "zod";
import { csvLayoutSchema, requestTemplateSchema } from "#contract";
import { checkRulesSchema } from "#service";
import { previewRow } from "../rendering/preview-row.ts";
import { checkRows, writeProgressSchema, writeRows } from "../rendering/render-rows.ts";
import { sampleRequests } from "../rendering/token-sample.ts";
import { indexSource, reindexCsv } from "../sources/index-source.ts";
import { readSomeRows } from "../sources/read-rows.ts";
import { indexEventSchema, rowSchema, sourceIndexSchema, storedSourceSchema } from "../sources/stored-source.ts";
import { base, serializeStreamErrors } from "./worker-errors.ts";

const contentSchema = z.object({ path: z.string(), source: storedSourceSchema });
const passSchema = contentSchema.extend({ rules: checkRulesSchema, template: requestTemplateSchema });
const tableSchema = sourceIndexSchema.pick({ csv: true, columns: true, rowCount: true, checkpoints: true });

/**
 * What the main thread can ask of Build's worker: all that reads or renders a table. What goes on to the page as it is
 * (`preview` and `check`) is checked there, where it leaves.
 */
const workerRouter = {
  index: base
    .input(z.object({ path: z.string(), name: z.string() }))
    .output(eventIterator(indexEventSchema))
    .handler(({ input }) => serializeStreamErrors(indexSource(input.path, input.name))),
  reindex: base
    .input(z.object({ path: z.string(), csv: csvLayoutSchema }))
    .output(tableSchema)
    .handler(({ input }) => reindexCsv(input.path, input.csv)),
  rows: base
    .input(contentSchema.extend({ from: z.int().min(1), limit: z.int().min(1) }))
    .output(z.array(rowSchema))
    .handler(({ input }) => readSomeRows(input.path, input.source, input.from, input.limit)),
  sample: base
    .input(contentSchema)
    .output(z.int())
    .handler(({ input }) => sampleRequests(input.path, input.source)),
  write: base
    .input(passSchema.extend({ target: z.string() }))
    .output(eventIterator(writeProgressSchema))
    .handler(({ input }) => serializeStreamErrors(writeRows(input, input.template, input.target))),
  preview: base
    .input(passSchema.extend({ row: z.int().min(1) }))
    .handler(({ input }) => previewRow(input, input.template, input.row)),
  check: base.input(passSchema).handler(({ input }) => serializeStreamErrors(checkRows(input, input.template))),
};

export type WorkerRouterClient = RouterClient<typeof workerRouter>;

/** The entry of Build's worker thread. It answers on the port that it was started with, until it is terminated. */
const { port } = z.object({ port: z.instanceof(MessagePort) }).parse(workerData);
new RPCHandler(workerRouter).upgrade(port);
port.start();
