import { z } from "zod";
import type { DialectName } from "#contract";
import { parseConfigFile } from "#main/storage";

/** The plan that the limits are those of. */
export type Tier = "free" | "standard";

/** Tokens by tier, for the R1 model and for the others (service-interface.md, Limits; `32k` read as 32,000). */
const limitsByTier: Readonly<Record<Tier, { reasoning: TokenLimits; other: TokenLimits }>> = {
  free: {
    reasoning: { context: 32_000, output: 4_000 },
    other: { context: 32_000, output: 4_000 },
  },
  standard: {
    reasoning: { context: 164_000, output: 164_000 },
    other: { context: 131_000, output: 131_000 },
  },
};

/** Clients of the compatible API count 131k as it does (decisions.md, For a mock server in other people's tests). */
const openaiLimits: TokenLimits = { context: 131_072, output: 131_072 };

/** What the limits of models depend on. */
export interface LimitSettings {
  readonly tier: Tier;
  /** `service` by default. */
  readonly dialect?: DialectName;
}

interface CatalogOptions {
  /** Whether any other name is a model, too; not by default. */
  readonly anyModel?: boolean;
}

/**
 * The catalogue of `models` with the limits of a tier, a function where it may change. Throws when two models share a name.
 */
export function createModelCatalog(
  settings: Tier | (() => LimitSettings),
  models: readonly Model[] = defaultModels,
  { anyModel = false }: CatalogOptions = {},
): ModelCatalog {
  const byName = new Map<string, Model>();
  for (const model of models) {
    for (const name of new Set([model.id, ...model.aliases])) {
      if (byName.has(name)) throw new Error(`Two models have the name "${name}".`);
      byName.set(name, model);
    }
  }
  const read = typeof settings === "string" ? () => ({ tier: settings }) : settings;
  return {
    list: () => models,
    find: (name) => byName.get(name) ?? (anyModel && name.trim() !== "" ? describeOther(name) : undefined),
    limits: ({ reasoning }) => limitsOf(read(), reasoning),
    others: () => (anyModel ? limitsOf(read(), false) : null),
  };
}

function limitsOf({ tier, dialect = "service" }: LimitSettings, reasoning: boolean): TokenLimits {
  if (dialect === "openai" && tier === "standard" && !reasoning) return openaiLimits;
  return limitsByTier[tier][reasoning ? "reasoning" : "other"];
}

/** A model that is not in the list. */
function describeOther(id: string): Model {
  return { id, ownedBy: ownerOf(id), aliases: [], reasoning: false };
}

/** The interface document's neutral identifier, as it is there and without its angle brackets. */
function neutralNames(identifier: string): string[] {
  return [identifier, identifier.replaceAll(/[<>]/g, "")];
}

/** The models of the service (decisions.md, Models), in the order of the interface document. */
const defaultModels: readonly Model[] = [
  {
    id: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    ownedBy: "klusterai",
    aliases: neutralNames("<vendor_a>/<Family1>-3.1-8B-Instruct-Turbo"),
    reasoning: false,
  },
  {
    id: "klusterai/Meta-Llama-3.1-405B-Instruct-Turbo",
    ownedBy: "klusterai",
    aliases: neutralNames("<vendor_a>/<Family1>-3.1-405B-Instruct-Turbo"),
    reasoning: false,
  },
  {
    id: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
    ownedBy: "klusterai",
    aliases: neutralNames("<vendor_a>/<Family1>-3.3-70B-Instruct-Turbo"),
    reasoning: false,
  },
  {
    id: "deepseek-ai/DeepSeek-R1",
    ownedBy: "deepseek-ai",
    aliases: neutralNames("<vendor_b>/<Family2>-R1"),
    reasoning: true,
  },
];

const name = z.string().min(1).max(200);

const fullModelSchema = z.strictObject({
  id: name,
  owned_by: name.optional(),
  aliases: z.array(name).max(100).optional(),
  reasoning: z.boolean().optional(),
});

const modelSchema = z
  .union([name.transform((id): z.infer<typeof fullModelSchema> => ({ id })), fullModelSchema])
  .describe("A model's id; or { id: …, owned_by: …, aliases: […], reasoning: true }.");

const modelsSchema = z
  .array(modelSchema)
  .min(1)
  .max(10_000)
  .check(({ value, issues }) => {
    const owners = new Map<string, number>();
    for (const [at, model] of value.entries()) {
      for (const used of new Set([model.id, ...(model.aliases ?? [])])) {
        if (owners.has(used))
          issues.push({
            code: "custom",
            message: `has the name '${used}' of an earlier model`,
            path: [at],
            input: value,
          });
        owners.set(used, at);
      }
    }
  });

/**
 * The models of a list in YAML or JSON, in its order: an id each, or a map with `id` and, where they are wanted, `owned_by`
 * (else what is before the slash of the id), `aliases` and `reasoning`. Throws a ConfigFileError with all mistakes.
 */
export function parseModels(text: string, file: string): Model[] {
  return parseConfigFile(text, file, modelsSchema).map(
    ({ id, owned_by = ownerOf(id), aliases = [], reasoning = false }) => {
      return { id, ownedBy: owned_by, aliases, reasoning };
    },
  );
}

function ownerOf(id: string): string {
  const slash = id.indexOf("/");
  return slash > 0 ? id.slice(0, slash) : "local";
}

/** A model that requests may name. */
export interface Model {
  readonly id: string;
  readonly ownedBy: string;
  /** Other names under which requests may ask for it. */
  readonly aliases: readonly string[];
  /** True for the R1 model, whose limits differ (service-interface.md, Limits). */
  readonly reasoning: boolean;
}

export interface TokenLimits {
  /** Most tokens of prompt and answer together. */
  readonly context: number;
  /** Most tokens of an answer. */
  readonly output: number;
}

/** The models and the limits in force. */
export interface ModelCatalog {
  list(): readonly Model[];
  /** By id or alias; where any name is a model, one that is not in the list, too. */
  find(name: string): Model | undefined;
  limits(model: Model): TokenLimits;
  /** The limits of models that are not in the list; null where there are none. */
  others(): TokenLimits | null;
}

/** The request for the model that its name stands for, where that is an alias. */
export function resolveModel<T extends { readonly model: string }>(request: T, catalog: Pick<ModelCatalog, "find">): T {
  const model = catalog.find(request.model)?.id ?? request.model;
  return model === request.model ? request : { ...request, model };
}
