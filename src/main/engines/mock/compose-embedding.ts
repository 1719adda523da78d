import type { EmbeddingList, EmbeddingRequest } from "#contract";
import { countTokens } from "#main/requests";
import { createRandom, deriveStarts } from "../random.ts";

/** Numbers of a vector by model, where a request doesn't ask for so many. */
const ownDimensions: Readonly<Record<string, number>> = { "text-embedding-3-large": 3_072 };
const usualDimensions = 1_536;
const mostDimensions = 4_096;
/** How many numbers of a vector each word of a text has a part in. */
const spread = 96;
/** What a text has of its own, so that no other is quite the same. */
const ownShare = 0.05;

/**
 * Vectors of length 1 that follow from the seed, the model and the text alone. Texts that share words are closer to one
 * another than those that don't; a shorter vector is the beginning of a longer one, made length 1 again.
 */
export function composeEmbeddings(request: EmbeddingRequest, seed: number): EmbeddingList {
  const { model, dimensions, encoding_format: format } = request;
  const length = dimensions ?? ownDimensions[model] ?? usualDimensions;
  const texts = listTexts(request.input);
  const tokens = texts.reduce((sum, text) => sum + countInput(text), 0);
  return {
    object: "list",
    data: texts.map((text, index) => {
      const vector = composeVector(typeof text === "string" ? text : text.join(" "), model, seed).subarray(0, length);
      const unit = normalize(vector);
      const embedding = format === "base64" ? Buffer.from(unit.buffer).toString("base64") : [...unit];
      return { object: "embedding", index, embedding };
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** A text, or a text in tokens. */
type Input = string | readonly number[];

function listTexts(input: EmbeddingRequest["input"]): readonly Input[] {
  if (typeof input === "string") return [input];
  const isTokens = (list: EmbeddingRequest["input"]): list is number[] => typeof list[0] === "number";
  return isTokens(input) ? [input] : input;
}

function countInput(input: Input): number {
  return typeof input === "string" ? countTokens(input) : input.length;
}

/** A vector of the greatest length that can be asked for; shorter ones are cut from it. */
function composeVector(text: string, model: string, seed: number): Float32Array {
  const vector = new Float32Array(mostDimensions);
  const own = createRandom(deriveStarts(seed, `${model}\n${text}`).answer);
  for (let at = 0; at < vector.length; at++) vector[at] = (own.next() - 0.5) * ownShare;
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const random = createRandom(deriveStarts(seed, `${model} word ${word}`).answer);
    for (let part = 0; part < spread; part++) {
      const at = random.between(0, vector.length - 1);
      vector[at] = (vector[at] ?? 0) + (random.next() < 0.5 ? -1 : 1);
    }
  }
  return vector;
}

function normalize(vector: Float32Array): Float32Array<ArrayBuffer> {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return Float32Array.from(vector, (number) => number / length);
}
