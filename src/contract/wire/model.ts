import { z } from "zod";

/** A model as `GET /v1/models` lists it. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});
export type WireModel = z.infer<typeof modelSchema>;
