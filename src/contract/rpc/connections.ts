import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { adapterNameSchema } from "../adapters.ts";
import { cutKey, findKeyProblem } from "../key-text.ts";
import { procedure } from "./errors.ts";

/**
 * What is known of a service before it is asked. Every value can be changed by the user; what was not found out is left
 * out, and then shown as unknown (docs/connections.md).
 */
export const presetSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  adapter: adapterNameSchema,
  /** Null where everybody has an address of their own. */
  url: z.url().nullable(),
  needsKey: z.boolean(),
  /** The header that carries the key; `authorization` with `Bearer` by default. */
  keyHeader: z.enum(["authorization", "api-key", "x-api-key", "x-goog-api-key"]).default("authorization"),
  /** Where a user makes a key. */
  keyPage: z.url().nullable().default(null),
  /** Single calls at a time. */
  concurrency: z.int().min(1).default(8),
  /** Most lines and bytes of one batch; null where not known. */
  limits: z.object({ lines: z.int(), bytes: z.int() }).nullable().default(null),
  windows: z.array(z.string()).default(["24h"]),
  filePurpose: z.string().default("batch"),
  /** `elsewhere`: the service answers with another address, and the file goes there. */
  upload: z.enum(["form", "elsewhere"]).default("form"),
  takesMetadata: z.boolean().default(true),
  /** Whether it reports how many lines are done while a batch runs. */
  hasCounts: z.boolean().default(true),
  /** Whether the lines of one batch may name several models. */
  mixedModels: z.boolean().default(true),
  resultsKeptDays: z.int().nullable().default(null),
  /** Whether it has an MCP endpoint that verifies, at `/mcp` below its address. */
  hasMcp: z.boolean().default(false),
  /** The provider of its prices in `@pydantic/genai-prices`; null where nothing is paid or nothing is known. */
  priceProvider: z.string().nullable().default(null),
  /** What a batch costs compared with direct calls; null where not known, or not certain. */
  priceFactor: z.number().positive().nullable().default(null),
  /** The same of what the service had in its cache, where that is another. */
  cachedPriceFactor: z.number().positive().nullable().default(null),
  /** Whether its list of models is complete, so that another name is a mistake for sure. */
  listsAllModels: z.boolean().default(false),
  /** The day on which this was looked up, and where; null for hearsay. */
  lookedUp: z.iso.date(),
  source: z.string().nullable(),
});
export type Preset = z.infer<typeof presetSchema>;

/** What the batches of a connection showed of its service; null for what is not known yet. */
const observedCapabilitiesSchema = z.object({
  /** Whether it reports how many lines are done while a batch runs. */
  hasCounts: z.boolean().nullable().default(null),
  /** Whether answers can be fetched while a batch runs. */
  hasPartialResults: z.boolean().nullable().default(null),
  hasMcp: z.boolean().nullable().default(null),
  cancelKeepsResults: z.boolean().nullable().default(null),
  keepsMetadata: z.boolean().nullable().default(null),
  /** The longest that a batch took which was completed, in minutes. */
  longestMinutes: z.int().nullable().default(null),
});
export type ObservedCapabilities = z.infer<typeof observedCapabilitiesSchema>;

/** Of a server: http and https only, without a user or password in it. */
const addressSchema = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    message: "An address has no user or password in it: the key has a place of its own.",
  });

/** A password is no part of it: connections are shown, listed and backed up with all that they hold but their keys. */
export const proxyForm = /^(https?|socks5h?):\/\/[^\s/@]+\/?$/;

/** Calls at a time of one connection: as many as a cluster of some tens of engines works on together. */
export const mostConcurrency = 4_096;

/** Typed by the user, in US dollars for a million tokens. Without a price of their own, tokens in the cache cost as input does. */
const typedPricesSchema = z.object({
  input: z.number().min(0),
  output: z.number().min(0),
  cached: z.number().min(0).nullable().default(null),
  cacheWrite: z.number().min(0).nullable().default(null),
  /** Of what stays in the cache for an hour; by default as what is written to it else. */
  cacheWrite1h: z.number().min(0).nullable().default(null),
});
export type TypedPrices = z.infer<typeof typedPricesSchema>;

/** Where the lines of batches are answered. Its key is not in here: that is the SecretStore's, or a variable's. */
export const connectionSchema = z.object({
  id: z.string().regex(/^conn_[a-z0-9]+$/),
  name: z.string().trim().min(1).max(64),
  adapter: adapterNameSchema,
  /** The preset that it was made from; null for one made by hand. */
  preset: z.string().nullable(),
  /** The base address. */
  url: addressSchema,
  /** Its MCP endpoint for verification; null for the one at `/mcp` below the address. */
  mcpUrl: addressSchema.nullable().default(null),
  /** The environment variable that holds the key; null where the SecretStore has it. */
  keyVariable: z.string().nullable().default(null),
  /** The service's own name for a model of ours; `*` for every model without one. */
  models: z.record(z.string(), z.string()).default({}),
  /** Of single calls: how many at a time, and caps a minute. */
  concurrency: z.int().min(1).max(mostConcurrency).default(8),
  requestsPerMinute: z.int().min(1).nullable().default(null),
  tokensPerMinute: z.int().min(1).nullable().default(null),
  /** Most lines and bytes of one batch of the service, and tokens queued there in all; null for no limit. */
  limits: z
    .object({
      lines: z.int().min(1).nullable(),
      bytes: z.int().min(1).nullable(),
      tokens: z.int().min(1).nullable().default(null),
    })
    .default({ lines: null, bytes: null, tokens: null }),
  window: z.string().default("24h"),
  /** The proxy that it is asked through; null for that of the environment. */
  proxy: z.string().trim().regex(proxyForm).nullable().default(null),
  /** A file of certificates (PEM) that are trusted besides those of the system. */
  caFile: z.string().trim().min(1).max(4_096).nullable().default(null),
  /** What a batch costs compared with direct calls; null where it is not known. */
  priceFactor: z.number().positive().nullable().default(null),
  /** Of all models without prices of their own; null to look them up. */
  prices: typedPricesSchema.nullable().default(null),
  /** By the model, as requests name it; `factor`: what a batch costs compared with direct calls. */
  modelPrices: z
    .array(
      z.object({
        model: z.string().trim().min(1).max(200),
        prices: typedPricesSchema.nullable().default(null),
        factor: z.number().positive().nullable().default(null),
      }),
    )
    .max(200)
    .default([]),
  learned: observedCapabilitiesSchema.prefault({}),
});
export type Connection = z.infer<typeof connectionSchema>;

/** A connection as the page gets it: all but its key, which nothing sends back. */
export const connectionViewSchema = connectionSchema.extend({
  hasKey: z.boolean(),
  hasMcpToken: z.boolean(),
  /** Whether it has an MCP endpoint, as far as is known without asking. */
  hasMcp: z.boolean(),
  /** Batches that have not ended there: they wait when it goes. */
  unfinishedBatches: z.int(),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** Something that a connection can or can't do. */
export const connectionCheckSchema = z.object({
  what: z.enum(["address", "key", "models", "batches", "files", "mcp", "answer"]),
  /** `missing`: the server doesn't offer it. */
  state: z.enum(["works", "fails", "missing"]),
  /** One sentence, and the next step where there is one. */
  message: z.string(),
  /** What came back for a test request, as text. */
  details: z.string().optional(),
  /** The address at which the service was found instead. */
  suggestedUrl: z.string().optional(),
});
export type ConnectionCheck = z.infer<typeof connectionCheckSchema>;

/** The steps of the test so far. */
export const connectionReportSchema = z.object({
  /** Whether all that the connection's adapter needs works; null until all was tried. */
  works: z.boolean().nullable(),
  checks: z.array(connectionCheckSchema),
});
export type ConnectionReport = z.infer<typeof connectionReportSchema>;

/** The state of a connection's MCP endpoint. */
export const connectionMcpSchema = z.object({
  /** `missing`: there is none; `unknown`: it could not be asked, for the reason in `message`. */
  state: z.enum(["on", "off", "missing", "unknown"]),
  /** Whether it can be turned on and off from here. */
  canSwitch: z.boolean(),
  url: z.string(),
  /** One sentence, and the next step where there is one. */
  message: z.string(),
});
export type ConnectionMcp = z.infer<typeof connectionMcpSchema>;

/** A server of models that answers on this computer. */
export const localModelsSchema = z.object({
  /** The preset that it is connected by: `chat` for one that is not known by name. */
  preset: z.string(),
  /** Where its API is. */
  url: z.url(),
  /** `no_model`: it runs and has none yet; `loading`: it will answer soon; `needs_key`: it answers only with its key. */
  state: z.enum(["ready", "no_model", "loading", "needs_key"]),
  models: z.array(z.string()),
});
export type LocalModels = z.infer<typeof localModelsSchema>;

/** A model that a connection's service doesn't list. */
export const unlistedModelSchema = z.object({
  model: z.string(),
  /** Names that it lists, the nearest first. */
  nearest: z.array(z.string()),
  /** True where the service lists all its models; else it may be there all the same. */
  isProblem: z.boolean(),
});
export type UnlistedModel = z.infer<typeof unlistedModelSchema>;

/** One sentence or two: which model is not listed, and what is. */
export function describeUnlisted({ model, nearest, isProblem }: UnlistedModel, name: string): string {
  const missing = isProblem
    ? `${name} does not have the model ‘${model}’.`
    : `${name} does not list the model ‘${model}’.`;
  return `${missing} Nearest: ${nearest.join(", ")}.`;
}

const connectionIdInput = z.object({ id: z.string() });

/** As it is pasted: what is copied with a key is cut, and one that no header can carry is refused. */
const keySchema = z
  .string()
  .max(10_000)
  .transform(cutKey)
  .pipe(
    z
      .string()
      .min(1)
      .superRefine((key, { addIssue }) => {
        const problem = findKeyProblem(key);
        if (problem !== null) addIssue(`It has ${problem}. Copy it again.`);
      }),
  )
  .nullable();

export const connectionsContract = {
  /** In the order in which they were added. */
  list: procedure.output(z.array(connectionViewSchema)),
  /** The services that are known by name. */
  presets: procedure.output(z.array(presetSchema)),
  /** Asks the usual ports of this computer for servers of models, a second at most. Nothing is asked until this is called. */
  findLocal: procedure.output(z.array(localModelsSchema)),
  /**
   * Stores a new connection, or a changed one under its id. This is the only way of a key, and it leads inward: text stores it, null
   * removes it, absent leaves it. Another address drops key, variable and MCP token. A variable can only stay or be cleared: any
   * other is REFUSED. A CONFLICT where another has the name, NOT_FOUND where the connection was removed.
   */
  save: procedure
    .input(
      z.object({
        connection: connectionSchema.partial({ id: true }),
        key: keySchema.optional(),
        /** The token of its MCP endpoint, in the same way; another MCP address drops it. */
        mcpToken: keySchema.optional(),
      }),
    )
    .output(connectionViewSchema),
  /** Its key goes, too; what its batches have answered stays. */
  remove: procedure.input(connectionIdInput),
  /**
   * Tests what a connection needs, step by step; ends after the event with the result. It only reads, unless `asks`: then one
   * chat of at most one token is sent, which may cost.
   */
  test: procedure
    .input(connectionIdInput.extend({ asks: z.boolean().optional() }))
    .output(eventIterator(connectionReportSchema)),
  /** Lets what waits for it try again at once. */
  retry: procedure.input(connectionIdInput),
  /** The names by which its models can be asked for. Some servers list none. */
  models: procedure.input(connectionIdInput).output(z.array(z.string())),
  /** Those of the models that it does not list; none where it lists no models, or can't be asked. */
  unlisted: procedure
    .input(connectionIdInput.extend({ models: z.array(z.string()).max(1_000) }))
    .output(z.array(unlistedModelSchema)),
  /** Asks for the state of its MCP endpoint. */
  mcpStatus: procedure.input(connectionIdInput).output(connectionMcpSchema),
  /** Turns its MCP endpoint on or off; the token that it answers with is stored. */
  mcpSetEnabled: procedure.input(connectionIdInput.extend({ enabled: z.boolean() })).output(connectionMcpSchema),
};
