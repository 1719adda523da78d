import { z } from "zod";

const partSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) }),
]);

/** The body of a request to `/v1/moderations`. A list of parts is one input, a list of texts is several. */
export const moderationRequestSchema = z.looseObject({
  model: z.string().optional(),
  input: z.union([z.string(), z.array(z.string()).min(1).max(2_048), z.array(partSchema).min(1).max(100)]),
});
export type ModerationRequest = z.infer<typeof moderationRequestSchema>;

/** What inputs are looked through for. */
export const moderationCategories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;
export type ModerationCategory = (typeof moderationCategories)[number];
const categorySchema = z.enum(moderationCategories);

/** The answer of `/v1/moderations`. */
export const moderationSchema = z.looseObject({
  id: z.string(),
  model: z.string(),
  results: z.array(
    z.looseObject({
      flagged: z.boolean(),
      categories: z.record(categorySchema, z.boolean()),
      category_scores: z.record(categorySchema, z.number()),
      category_applied_input_types: z.record(categorySchema, z.array(z.enum(["text", "image"]))),
    }),
  ),
});
export type Moderation = z.infer<typeof moderationSchema>;
