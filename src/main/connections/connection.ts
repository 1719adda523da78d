import { z } from "zod";
import { type AdapterName, adapterNameSchema, type Preset, presets } from "./presets.ts";

/** Where the lines of batches are answered. Its key is not in here: that is the SecretStore's, or a variable's. */
export const connectionSchema = z.object({
  id: z.string().regex(/^conn_[a-z0-9]+$/),
  name: z.string().trim().min(1).max(64),
  adapter: adapterNameSchema,
  /** The preset that it was made from; null for one made by hand. */
  preset: z.string().nullable(),
  /** The base address; http and https only, without a user or password in it. */
  url: z.url({ protocol: /^https?$/ }).refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    message: "An address has no user or password in it: the key has a place of its own.",
  }),
  /** The environment variable that holds the key; null where the SecretStore has it. */
  keyVariable: z.string().nullable().default(null),
  /** The service's own name for a model of ours; `*` for every model without one. */
  models: z.record(z.string(), z.string()).default({}),
  /** Of the adapter `chat`: calls at a time, and caps a minute. */
  concurrency: z.int().min(1).max(1_000).default(8),
  requestsPerMinute: z.int().min(1).nullable().default(null),
  tokensPerMinute: z.int().min(1).nullable().default(null),
  /** Most lines and bytes of one batch of the service; null for no limit. */
  limits: z
    .object({ lines: z.int().min(1).nullable(), bytes: z.int().min(1).nullable() })
    .default({ lines: null, bytes: null }),
  window: z.string().default("24h"),
  /** What a batch costs beside direct calls; null where it is not known. */
  priceFactor: z.number().positive().nullable().default(null),
  /** Typed by the user, in US dollars for a million tokens; null to look them up. */
  prices: z
    .object({ input: z.number().min(0), output: z.number().min(0) })
    .nullable()
    .default(null),
});
export type Connection = z.infer<typeof connectionSchema>;

/** What is known of the service that a connection is made to; of one made by hand what holds for its adapter. */
export function presetOf({ preset, adapter }: Pick<Connection, "preset" | "adapter">): Preset {
  const found = presets.find(({ id }) => id === preset) ?? presets.find(({ id }) => id === generic[adapter]);
  if (found === undefined) throw new Error(`There is no preset for the adapter ${adapter}.`);
  return found;
}

const generic: Readonly<Record<AdapterName, string>> = {
  chat: "chat",
  "openai-batch": "sheaf",
  "anthropic-batch": "anthropic",
  "gemini-batch": "gemini",
};

/** Whether the model names of a request stand for others at the service. */
export function modelAt({ models }: Pick<Connection, "models">): (name: string) => string {
  return (name) => models[name] ?? models["*"] ?? name;
}
