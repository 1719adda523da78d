import { z } from "zod";
import { type AdapterName, adapterNameSchema, type ChatRequest, type Problem } from "#contract";
import { listProblems, parsePartLine, type Translation, type TranslationProblem } from "./part-line.ts";
import { toAnthropic } from "./translate-anthropic.ts";
import { toGeminiBatch } from "./translate-gemini.ts";

/** What decides which requests a connection supports: plain data, so that it can be sent to a worker. */
export const requestRulesSchema = z.object({
  name: z.string(),
  adapter: adapterNameSchema,
  /** The most of one batch; null where there is no limit. */
  bytes: z.number().nullable(),
});
export type RequestRules = z.infer<typeof requestRulesSchema>;

/** How a request is written for each API; null where it is sent as it is. */
const translators: Readonly<Record<AdapterName, ((request: ChatRequest, service: string) => Translation) | null>> = {
  chat: null,
  "openai-batch": null,
  "anthropic-batch": toAnthropic,
  "gemini-batch": toGeminiBatch,
};

/** What the service has no counterpart for in a request. */
export function findUntranslatable(
  { adapter, name }: RequestRules,
  request: ChatRequest,
): readonly TranslationProblem[] {
  const translated = translators[adapter]?.(request, name);
  return translated !== undefined && "problems" in translated ? translated.problems : [];
}

/** Why a connection can't take a line of a batch input file whose request is sound, and what it is sent in another way. */
export function checkForConnection(rules: RequestRules, text: string, line: number): Problem[] {
  const { name, bytes } = rules;
  const tooLarge = { param: null, message: `The request is larger than a whole batch may be at ${name}.` };
  const isTooLarge = bytes !== null && Buffer.byteLength(text) > bytes;
  const translated = translators[rules.adapter]?.(parsePartLine(text, line).request, name) ?? { params: {} };
  const untranslatable = "problems" in translated ? translated.problems : [];
  const notes = "problems" in translated ? [] : (translated.notes ?? []);
  return [
    ...listProblems({ problems: [...untranslatable, ...(isTooLarge ? [tooLarge] : [])] }, line),
    ...notes.map((note): Problem => ({ code: "invalid_request", ...note, line, severity: "warning" })),
  ];
}
