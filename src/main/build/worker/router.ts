import { eventIterator, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { checkProgressSchema, csvLayoutSchema, previewSchema, recipeSchema } from "#contract";
import { checkRulesSchema } from "#service";
import { checkRows, previewRow, sampleRequests, writeProgressSchema, writeRows } from "../rendering/index.ts";
import {
  indexEventSchema,
  indexSource,
  readSomeRows,
  reindexCsv,
  rowSchema,
  sourceIndexSchema,
  storedSourceSchema,
} from "../sources/index.ts";
import { base, tellErrors } from "./worker-errors.ts";

const contentSchema = z.object({ path: z.string(), source: storedSourceSchema });
const passSchema = contentSchema.extend({ rules: checkRulesSchema });
const tableSchema = sourceIndexSchema.pick({ csv: true, columns: true, rowCount: true, checkpoints: true });

/** What the main thread can ask of Build's worker: all that reads or renders a table. */
export const workerRouter = {
  index: base
    .input(z.object({ path: z.string(), name: z.string() }))
    .output(eventIterator(indexEventSchema))
    .handler(({ input }) => tellErrors(indexSource(input.path, input.name))),
  reindex: base
    .input(z.object({ path: z.string(), csv: csvLayoutSchema }))
    .output(tableSchema)
    .handler(({ input }) => reindexCsv(input.path, input.csv)),
  rows: base
    .input(contentSchema.extend({ from: z.int().min(1), limit: z.int().min(1) }))
    .output(z.array(rowSchema))
    .handler(({ input }) => readSomeRows(input.path, input.source, input.from, input.limit)),
  preview: base
    .input(passSchema.extend({ recipe: recipeSchema, row: z.int().min(1) }))
    .output(previewSchema)
    .handler(({ input }) => previewRow(input, input.recipe, input.row)),
  sample: base
    .input(contentSchema)
    .output(z.int())
    .handler(({ input }) => sampleRequests(input)),
  check: base
    .input(passSchema.extend({ recipe: recipeSchema }))
    .output(eventIterator(checkProgressSchema))
    .handler(({ input }) => tellErrors(checkRows(input, input.recipe))),
  write: base
    .input(passSchema.extend({ recipe: recipeSchema, target: z.string() }))
    .output(eventIterator(writeProgressSchema))
    .handler(({ input }) => tellErrors(writeRows(input, input.recipe, input.target))),
};

export type WorkerRouterClient = RouterClient<typeof workerRouter>;
