import { z } from "zod";
import { parseChecked } from "../checked-text/index.ts";
import type { Model } from "./model.ts";

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
 * (else what stands before the slash of the id), `aliases` and `reasoning`. Throws a TextError with all mistakes.
 */
export function parseModels(text: string, file: string): Model[] {
  return parseChecked(text, file, modelsSchema).map(
    ({ id, owned_by = ownerOf(id), aliases = [], reasoning = false }) => {
      return { id, ownedBy: owned_by, aliases, reasoning };
    },
  );
}

function ownerOf(id: string): string {
  const slash = id.indexOf("/");
  return slash > 0 ? id.slice(0, slash) : "local";
}
