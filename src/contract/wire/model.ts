import { z } from "zod";
import { countSchema } from "./numbers.ts";

/** A model as `GET /v1/models` lists it. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: countSchema,
  owned_by: z.string(),
});
export type WireModel = z.infer<typeof modelSchema>;
