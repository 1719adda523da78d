import { z } from "zod";

const tokensSchema = z.array(z.int().min(0)).min(1);

/** The body of a request to `/v1/embeddings`: texts, or texts as tokens. */
export const embeddingRequestSchema = z.looseObject({
  model: z.string(),
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2_048),
    tokensSchema.max(8_192),
    z.array(tokensSchema).min(1).max(2_048),
  ]),
  dimensions: z.int().min(1).max(4_096).nullish(),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  user: z.string().nullish(),
});
export type EmbeddingRequest = z.infer<typeof embeddingRequestSchema>;

/** The answer of `/v1/embeddings`; in base64 a vector is its numbers as 32-bit floats, the least significant byte first. */
export const embeddingListSchema = z.looseObject({
  object: z.literal("list"),
  data: z.array(
    z.looseObject({
      object: z.literal("embedding"),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type EmbeddingList = z.infer<typeof embeddingListSchema>;
