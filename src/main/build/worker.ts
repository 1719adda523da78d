import { eventIterator, os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import {
  pictureFoldersSchema,
  promptGroupSchema,
  replacementSchema,
  requestTemplateSchema,
  rowsSchema,
  sourceHeadSchema,
  sourceLayoutSchema,
} from "#contract";
import { checkRulesSchema, requestRulesSchema } from "#main/requests";
import { serveWorker } from "#main/storage";
import { buildErrorCodec } from "./errors.ts";
import { findPictures } from "./pictures/find-pictures.ts";
import { trySchema } from "./rendering/answer-schema.ts";
import { previewRow } from "./rendering/preview-row.ts";
import { checkRows, writeProgressSchema, writeRows } from "./rendering/render-rows.ts";
import { compileRequestTemplate } from "./rendering/request-template.ts";
import { sampleRequests } from "./rendering/token-sample.ts";
import { indexSource, readSourceHead } from "./sources/index-source.ts";
import { countReplaced, countValues, readSomeRows } from "./sources/read-rows.ts";
import { indexEventSchema, rowSchema, storedSourceSchema } from "./sources/stored-source.ts";

const contentSchema = z.object({ path: z.string(), source: storedSourceSchema });
const passSchema = contentSchema.extend({
  rules: checkRulesSchema,
  connection: requestRulesSchema.nullable(),
  template: requestTemplateSchema,
  rows: rowsSchema.optional(),
  pictureFolders: pictureFoldersSchema,
});
const fileSchema = z.object({ path: z.string(), name: z.string() });

/**
 * The RPC of Build's worker: all that reads or renders a table. Results that are passed on to the page (`preview` and
 * `check`) are validated there.
 */
const router = {
  index: os
    .input(fileSchema.extend({ layout: sourceLayoutSchema.optional() }))
    .output(eventIterator(indexEventSchema))
    .handler(({ input }) => indexSource(input.path, input.name, input.layout)),
  head: os
    .input(fileSchema)
    .output(sourceHeadSchema.nullable())
    .handler(({ input }) => readSourceHead(input.path, input.name)),
  rows: os
    .input(contentSchema.extend({ from: z.int().min(1), limit: z.int().min(1) }))
    .output(z.array(rowSchema))
    .handler(({ input }) => readSomeRows(input.path, input.source, input.from, input.limit)),
  countValues: os
    .input(contentSchema.extend({ at: z.string() }))
    .output(z.array(z.object({ value: z.string(), lines: z.int() })))
    .handler(({ input }) => countValues(input.path, input.source, input.at)),
  countReplaced: os
    .input(contentSchema.extend({ replacements: z.array(replacementSchema) }))
    .output(z.array(z.int()))
    .handler(({ input }) => countReplaced(input.path, input.source, input.replacements)),
  sample: os
    .input(contentSchema)
    .output(z.object({ estimate: z.int(), groups: z.array(promptGroupSchema), isExact: z.boolean() }))
    .handler(({ input }) => sampleRequests(input.path, input.source)),
  write: os
    .input(passSchema.extend({ target: z.string() }))
    .output(eventIterator(writeProgressSchema))
    .handler(({ input, signal }) => writeRows(input, input.template, input.target, signal)),
  usedColumns: os
    .input(z.object({ template: requestTemplateSchema, columns: z.array(z.string()) }))
    .output(z.array(z.string()))
    .handler(({ input }) => [...compileRequestTemplate(input.template, input.columns).usedColumns]),
  trySchema: os
    .input(z.object({ schema: z.string(), answer: z.string() }))
    .output(z.array(z.string()))
    .handler(({ input }) => trySchema(input.schema, input.answer)),
  pictures: os
    .input(contentSchema.extend({ column: z.string(), pictureFolders: pictureFoldersSchema }))
    .handler(({ input, signal }) => findPictures(input, signal)),
  preview: os
    .input(passSchema.extend({ row: z.int().min(1) }))
    .handler(({ input }) => previewRow(input, input.template, input.row)),
  check: os.input(passSchema).handler(({ input, signal }) => checkRows(input, input.template, signal)),
};

export type BuildWorkerClient = RouterClient<typeof router>;

serveWorker(router, buildErrorCodec);
