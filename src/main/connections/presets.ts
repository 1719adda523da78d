import { z } from "zod";
import rows from "./presets.json" with { type: "json" };

/** How a connection's lines are answered: called one by one, or as batches of the service's own API. */
export const adapterNameSchema = z.enum(["chat", "openai-batch", "anthropic-batch", "gemini-batch"]);
export type AdapterName = z.infer<typeof adapterNameSchema>;

/**
 * What is known of a service before it is asked. Every value can be changed by the user; what was not found out is left
 * out, and then shown as unknown (docs/connections.md).
 */
const presetSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  adapter: adapterNameSchema,
  /** Null where everybody has an address of their own. */
  url: z.url().nullable(),
  needsKey: z.boolean(),
  /** The header that carries the key; `authorization` with `Bearer` unless told. */
  keyHeader: z.enum(["authorization", "api-key", "x-goog-api-key"]).default("authorization"),
  /** Where a user makes a key. */
  keyPage: z.url().nullable().default(null),
  /** Calls at a time, of the adapter `chat`. */
  concurrency: z.int().min(1).default(8),
  /** Most lines and bytes of one batch; null where not known. */
  limits: z.object({ lines: z.int(), bytes: z.int() }).nullable().default(null),
  windows: z.array(z.string()).default(["24h"]),
  filePurpose: z.string().default("batch"),
  /** `elsewhere`: the service answers with another address, and the file goes there. */
  upload: z.enum(["form", "elsewhere"]).default("form"),
  takesMetadata: z.boolean().default(true),
  /** Whether it says how many lines are done while a batch runs. */
  hasCounts: z.boolean().default(true),
  /** Whether the lines of one batch may name several models. */
  mixedModels: z.boolean().default(true),
  resultsKeptDays: z.int().nullable().default(null),
  /** Under which its prices stand in `@pydantic/genai-prices`; null where nothing is paid or nothing is known. */
  priceProvider: z.string().nullable().default(null),
  /** What a batch costs beside direct calls; null where not known. */
  priceFactor: z.number().positive().nullable().default(null),
  /** The day on which this was looked up, and where; null for hearsay. */
  lookedUp: z.iso.date(),
  source: z.string().nullable(),
});
export type Preset = z.infer<typeof presetSchema>;

/** The services that a connection can be made to with a name alone, in the order in which they are offered. */
export const presets: readonly Preset[] = z.array(presetSchema).parse(rows);
