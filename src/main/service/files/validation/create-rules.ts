import { z } from "zod";
import { batchEndpoint, chatMessageSchema, chatRequestSchema } from "#contract";
import type { FileLimits, ModelCatalog } from "../../types.ts";
import type { CheckRules, ParameterRule } from "./rules.ts";

/** The rules for files that name these models, within these limits. Roles and ranges are those of the contract. */
export function createCheckRules(catalog: ModelCatalog, fileLimits: FileLimits): CheckRules {
  return {
    endpoint: batchEndpoint,
    roles: [...chatMessageSchema.shape.role.options],
    parameters: numberParameters(),
    models: catalog.list().map((model) => ({
      id: model.id,
      names: [model.id, ...model.aliases],
      limits: { ...catalog.limits(model) },
    })),
    fileLimits: { ...fileLimits },
  };
}

/** How zod writes a nullish number down as JSON Schema. */
const nullishNumberSchema = z.object({
  anyOf: z.tuple([
    z.object({ type: z.enum(["number", "integer"]), minimum: z.number(), maximum: z.number() }),
    z.object({ type: z.literal("null") }),
  ]),
});

function numberParameters(): ParameterRule[] {
  const { properties = {} } = z.toJSONSchema(chatRequestSchema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const parsed = nullishNumberSchema.safeParse(property);
    if (!parsed.success) return [];
    const [{ type, minimum, maximum }] = parsed.data.anyOf;
    return [{ name, integer: type === "integer", minimum, maximum }];
  });
}
