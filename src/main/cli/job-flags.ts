import { z } from "zod";
import { type AdapterName, monthSchema, mostConcurrency, mostTokens } from "#contract";
import { answersFlags, connectionName, deadlineFlag, jobFolder, newJobFlags } from "./batch-flags.ts";
import { type FlagsOf, flag, inGroup, toggle } from "./flag.ts";
import {
  address,
  modelFactors,
  modelNames,
  modelPrices,
  oneOf,
  ownProxy,
  path,
  text,
  variable,
  wholeNumber,
} from "./flag-types.ts";
import { rowFlags, secretFlags } from "./shared-flags.ts";

/** Of all commands about jobs on connections. */
export const jobFlags = { dataDir: jobFolder, ...secretFlags, json: toggle("print JSON, and no progress") };
export type JobFlags = FlagsOf<typeof jobFlags>;

export const submitFlags = {
  connection: flag("<NAME>", "a connection of sheaf connections", connectionName, { required: true }),
  ...rowFlags,
  ...newJobFlags,
  ...jobFlags,
};
export type SubmitFlags = FlagsOf<typeof submitFlags>;

export const fetchFlags = {
  output: flag("<OUT>", "file for the answers; - is standard output", path, { short: "-o", required: true }),
  errors: answersFlags.errors,
  wait: toggle("follow it to its end first"),
  deadline: deadlineFlag,
  ...jobFlags,
};
export type FetchFlags = FlagsOf<typeof fetchFlags>;

export const retryFlags = {
  output: flag("<OUT>", "follow it to its end, and write all answers; - is standard output", path, { short: "-o" }),
  errors: answersFlags.errors,
  wait: toggle("follow it to its end, and write nothing"),
  evenIfPaid: toggle("also requests that the service counted as done: you may pay twice"),
  cut: toggle("also ask again where the token limit cut the answer"),
  empty: toggle("also ask again where the answer is empty"),
  maxTokens: flag("<N>", "the token limit of those answers", wholeNumber(1, mostTokens), {
    otherwise: "twice the request's limit, at most the model's where that is known",
  }),
  ...jobFlags,
};
export type RetryFlags = FlagsOf<typeof retryFlags>;

/** Of `sheaf costs`. */
export const costsFlags = {
  month: flag("<YYYY-MM>", "calendar month, in UTC", monthSchema, { otherwise: "this one" }),
  ...jobFlags,
};
export type CostsFlags = FlagsOf<typeof costsFlags>;

/** Of `sheaf resolve`: one of the first three. */
export const resolveFlags = {
  sendAgain: toggle("the service doesn't have it: send it again; you pay twice if it does"),
  is: flag("<BATCH>", "it is this batch of the service", text("the id of a batch")),
  cancel: toggle("give it up; its answers stay"),
  ...jobFlags,
};
export type ResolveFlags = FlagsOf<typeof resolveFlags>;

/** Of all `sheaf connections …`. */
export const connectionFlags = {
  dataDir: flag("<DIR>", "folder with the connections", path, { otherwise: "the app's" }),
  ...secretFlags,
  json: toggle("print JSON"),
};
export type ConnectionFlags = FlagsOf<typeof connectionFlags>;

/** Listed here and not imported: a command's help must not wait for the service to load. */
const adapterNames = [
  "chat",
  "openai-batch",
  "anthropic-batch",
  "gemini-batch",
] as const satisfies readonly AdapterName[];

export const connectionKeyFlags = {
  keyEnv: flag("<VAR>", "environment variable that holds the key", variable, {
    otherwise: "the key is asked for or piped in, and stored",
  }),
  ...connectionFlags,
};
export type ConnectionKeyFlags = FlagsOf<typeof connectionKeyFlags>;

export const connectionTestFlags = {
  ask: flag(
    "[MODEL]",
    "send one chat of at most 1 token, which may cost, and show what came back",
    z.union([z.literal(true), text("the name of a model")]),
  ),
  ...connectionFlags,
};
export type ConnectionTestFlags = FlagsOf<typeof connectionTestFlags>;

export const newConnectionFlags = {
  preset: flag(
    "<P>",
    "a known service: ollama, lm-studio, vllm, openai, anthropic, gemini, groq, together …",
    z.string(),
  ),
  adapter: flag("<A>", "how the service is called", oneOf(adapterNames), { otherwise: "the preset's" }),
  url: flag("<URL>", "base address, usually with /v1 at the end", address, {
    otherwise: "the preset's",
    isSecret: true,
  }),
  model: flag("<FROM=TO>", "the service's name for a model, *=TO for all", modelNames),
  concurrency: flag(
    "<N>",
    "calls in flight: of chat all, of batch services the direct ones",
    wholeNumber(1, mostConcurrency),
    { otherwise: "the preset's" },
  ),
  proxy: flag("<URL>", "proxy for its calls; - for the environment's", ownProxy, {
    otherwise: "the environment's",
    isSecret: true,
  }),
  caFile: flag("<FILE>", "certificates (PEM) to trust besides the system's; - for none", path),
  ...inGroup("Limits of one batch, and prices:", {
    maxLines: flag("<N>", "most lines of one batch", wholeNumber(1, 100_000_000), { otherwise: "the preset's" }),
    maxBytes: flag("<N>", "most bytes of one batch", wholeNumber(1, 1_000_000_000_000), { otherwise: "the preset's" }),
    maxQueuedTokens: flag("<N>", "most tokens queued at the service", wholeNumber(1, 1_000_000_000_000), {
      otherwise: "no limit",
    }),
    priceInput: flag("<[MODEL=]USD>", "price of a million input tokens", modelPrices),
    priceCached: flag("<[MODEL=]USD>", "price of a million cached input tokens", modelPrices),
    priceCacheWrite: flag("<[MODEL=]USD>", "price of a million tokens written to the cache", modelPrices),
    priceCacheWrite1h: flag("<[MODEL=]USD>", "price of a million tokens cached for an hour", modelPrices),
    priceOutput: flag("<[MODEL=]USD>", "price of a million output tokens", modelPrices),
    priceFactor: flag("<[MODEL=]N>", "what a batch costs compared with direct calls", modelFactors),
  }),
  ...connectionKeyFlags,
};
export type NewConnectionFlags = FlagsOf<typeof newConnectionFlags>;
