import { z } from "zod";
import { batchEndpoint, mockServerDefaults } from "#contract";
import type { ModelCatalog } from "../model-catalog.ts";

/** In tokens. */
const limitsSchema = z.object({ context: z.number(), output: z.number() });

const modelRuleSchema = z.object({
  id: z.string(),
  /** The id and its aliases. */
  names: z.array(z.string()),
  limits: limitsSchema,
});
export type ModelRule = z.infer<typeof modelRuleSchema>;

/** What the check of a batch input file must know of the service: plain data, so that it can be sent to a worker. */
export const checkRulesSchema = z.object({
  endpoint: z.string(),
  /** True where bodies are passed on as they are, and nothing in them is checked. */
  isPassedOn: z.boolean(),
  /** Null where every name is a model, and its limits are not known. */
  models: z.array(modelRuleSchema).nullable(),
  /** The limits of models that are not among these; null where there are no others. */
  others: limitsSchema.nullable(),
  fileLimits: z.object({ bytes: z.number(), requests: z.number(), lineBytes: z.number() }),
  /** What is refused besides what has no meaning: all that the API refuses (`api`), ranges alone, or nothing (`lenient`). */
  strictness: z.enum(["api", "ranges", "lenient"]),
});
export type CheckRules = z.infer<typeof checkRulesSchema>;

/** How large an input file may be. */
export interface FileLimits {
  readonly bytes: number;
  readonly requests: number;
  /** Of one request; a longer line is never in memory as a whole. */
  readonly lineBytes: number;
}

/** The longest line of an input file by default, in bytes. */
export const longestInputLine = mockServerDefaults.maxLineBytes;

/** The rules for files with requests to an endpoint, chat completions' by default, that name these models, within these limits. */
export function createCheckRules(
  catalog: ModelCatalog,
  fileLimits: FileLimits,
  endpoint: string = batchEndpoint,
  strictness: CheckRules["strictness"] = "api",
): CheckRules {
  return {
    endpoint,
    isPassedOn: false,
    others: catalog.others(),
    models: catalog.list().map((model) => ({
      id: model.id,
      names: [model.id, ...model.aliases],
      limits: { ...catalog.limits(model) },
    })),
    fileLimits: { ...fileLimits },
    strictness,
  };
}

/** The rules for files that go to a connection: it has models and limits of its own, and a file over those is cut into parts. */
export const connectionRules: CheckRules = {
  endpoint: batchEndpoint,
  isPassedOn: false,
  models: null,
  others: null,
  fileLimits: { bytes: Number.MAX_SAFE_INTEGER, requests: Number.MAX_SAFE_INTEGER, lineBytes: longestInputLine },
  strictness: "ranges",
};

/** The same rules where every name is a model; those that are not listed have no limits that are known. */
export function takeAnyModel(rules: CheckRules): CheckRules {
  return { ...rules, others: { context: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER } };
}
