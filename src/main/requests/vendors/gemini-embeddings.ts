import { type EmbeddingRequest, embeddingListSchema } from "#contract";
import type { EmbedRequest } from "./gemini-wire.ts";
import { omitUnset } from "./unset.ts";

/** The request for an embedding that asks for the same. What only steers the vendor's own service goes along. */
export function readEmbedRequest(
  { content, taskType, title, outputDimensionality }: EmbedRequest,
  model: string,
): EmbeddingRequest {
  const input = content.parts.map(({ text }) => text).join("\n");
  return { model, input, ...omitUnset({ dimensions: outputDimensionality, taskType, title }) };
}

/** The vector of an answer in the compatible API's shape; null where it has none. */
export function toEmbedding(body: unknown): { values: number[] } | null {
  const vector = embeddingListSchema.safeParse(body).data?.data[0]?.embedding;
  if (vector === undefined) return null;
  if (typeof vector !== "string") return { values: vector };
  const bytes = Buffer.from(vector, "base64");
  return { values: Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4)) };
}
