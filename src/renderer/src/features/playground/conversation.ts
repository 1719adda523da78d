import { z } from "zod";
import type { PlaygroundRequest, RequestTemplate } from "#contract";

const failureSchema = z.object({ message: z.string(), details: z.string() });

/** One turn of the conversation; an answer with what it took, or why there is none. */
const turnSchema = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  reasoning: z.string().default(""),
  model: z.string().nullable().default(null),
  finish: z.string().nullable().default(null),
  promptTokens: z.int().nullable().default(null),
  completionTokens: z.int().nullable().default(null),
  milliseconds: z.number().nullable().default(null),
  /** The user stopped it. */
  isStopped: z.boolean().default(false),
  failure: failureSchema.nullable().default(null),
});
export type Turn = z.infer<typeof turnSchema>;

/** What the conversation is held with. Numbers stay as they were typed. */
const settingsSchema = z.object({
  connectionId: z.string().nullable().default(null),
  model: z.string().default(""),
  system: z.string().default(""),
  temperature: z.string().default(""),
  topP: z.string().default(""),
  maxTokens: z.string().default(""),
});
export type Settings = z.infer<typeof settingsSchema>;

export const conversationSchema = z.object({
  turns: z.array(turnSchema).default([]),
  settings: settingsSchema.prefault({}),
  /** What is being written. */
  draft: z.string().default(""),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Whether a text, which may be long, has nothing but space. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

export function createTurn(role: Turn["role"], text: string): Turn {
  return turnSchema.parse({ id: crypto.randomUUID(), role, text });
}

/** What a field of the parameters takes. */
const parameterRanges = {
  temperature: { least: 0, most: 2, isWhole: false },
  topP: { least: 0, most: 1, isWhole: false },
  maxTokens: { least: 1, most: 1_000_000, isWhole: true },
} as const;
export type ParameterName = keyof typeof parameterRanges;

/** The number of a field, undefined for an empty one, or what is wrong with it. */
export function readParameter(name: ParameterName, typed: string): { value?: number; problem?: string } {
  const text = typed.trim().replace(",", ".");
  if (text === "") return {};
  const { least, most, isWhole } = parameterRanges[name];
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return { value };
  return { problem: `${isWhole ? "A whole number" : "A number"} from ${least} to ${most.toLocaleString("en")}` };
}

/** What is sent for the turns so far; null while a parameter is wrong, or no model is chosen. */
export function toRequest(turns: readonly Turn[], settings: Settings): PlaygroundRequest | null {
  const { connectionId, model, system } = settings;
  const read = (name: ParameterName) => readParameter(name, settings[name]);
  const [temperature, topP, maxTokens] = [read("temperature"), read("topP"), read("maxTokens")];
  if (model === "" || [temperature, topP, maxTokens].some(({ problem }) => problem !== undefined)) return null;
  const said = turns.filter(({ role, text }) => role === "user" || text !== "");
  return {
    connectionId,
    model,
    messages: [
      ...(system.trim() === "" ? [] : [{ role: "system" as const, content: system }]),
      ...said.map(({ role, text }) => ({ role, content: text })),
    ],
    ...(temperature.value !== undefined && { temperature: temperature.value }),
    ...(topP.value !== undefined && { topP: topP.value }),
    ...(maxTokens.value !== undefined && { maxTokens: maxTokens.value }),
  };
}

/**
 * The prompt of a batch that asks what this conversation asks: its messages up to the last of the user. What reads like a
 * placeholder stays text.
 */
export function toTemplate(turns: readonly Turn[], settings: Settings): Partial<RequestTemplate> | null {
  const lastQuestion = turns.findLastIndex(({ role }) => role === "user");
  const request = toRequest(turns.slice(0, lastQuestion + 1), settings);
  if (request === null || lastQuestion === -1) return null;
  const { connectionId, model, messages, temperature, topP, maxTokens } = request;
  return {
    connectionId,
    model,
    messages: messages.map(({ role, content }) => ({ role, content: escapeTemplate(content) })),
    temperature: temperature ?? null,
    maxCompletionTokens: maxTokens ?? null,
    ...(topP !== undefined && { further: JSON.stringify({ top_p: topP }, null, 2) }),
  };
}

function escapeTemplate(text: string): string {
  return /\{[{%]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}
