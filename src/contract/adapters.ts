import { z } from "zod";

interface AdapterRow {
  /** How lines are answered, in a few words. */
  readonly words: string;
  /** The preset of a connection that was made by hand. */
  readonly preset: string;
  /** Whether its service takes batches; otherwise lines are called one by one. */
  readonly hasBatches: boolean;
  /** Whether addresses have the version of the API in them: they usually end in `/v1`. */
  readonly hasVersionInAddress: boolean;
}

/**
 * The APIs that a connection can speak. A new one is a row here; the types then ask for its translation of requests
 * (`requests`) and for its client (`connections`).
 */
export const adapterTable = {
  chat: { words: "Called line by line", preset: "chat", hasBatches: false, hasVersionInAddress: true },
  "openai-batch": {
    words: "Batches of an OpenAI-like API",
    preset: "sheaf",
    hasBatches: true,
    hasVersionInAddress: true,
  },
  "anthropic-batch": {
    words: "Anthropic’s message batches",
    preset: "anthropic",
    hasBatches: true,
    hasVersionInAddress: false,
  },
  "gemini-batch": { words: "Gemini’s batches", preset: "gemini", hasBatches: true, hasVersionInAddress: false },
} as const satisfies Readonly<Record<string, AdapterRow>>;

export type AdapterName = keyof typeof adapterTable;
export const adapterNames = Object.keys(adapterTable) as AdapterName[];
export const adapterNameSchema = z.enum(adapterNames);
