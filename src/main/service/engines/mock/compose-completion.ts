import type { ChatCompletion, ChatRequest } from "#contract";
import { countPromptTokens } from "../prompt.ts";
import { composeChoice } from "./compose-choice.ts";
import { wantsJson } from "./compose-text.ts";
import type { ComposeInstance } from "./instances/index.ts";
import { createRandom } from "./random.ts";

export type Composition = Pick<ChatCompletion, "choices" | "usage">;

/**
 * All the answers to a request, and what they cost. `composeInstance` is what `loadComposeInstance` gave for it.
 * @throws SchemaError when a schema of the request can't be served
 */
export function composeCompletion(
  request: ChatRequest,
  start: number,
  reasons: boolean,
  composeInstance: ComposeInstance | null,
): Composition {
  const random = createRandom(start);
  const composed = Array.from({ length: request.n ?? 1 }, (_, index) =>
    composeChoice(request, { index, random, reasons, composeInstance }),
  );
  const promptTokens = countPromptTokens(request.messages);
  const completionTokens = composed.reduce((total, { tokens }) => total + tokens, 0);
  const reasoningTokens = composed.reduce((total, each) => total + each.reasoningTokens, 0);
  return {
    choices: composed.map(({ choice }) => choice),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      ...(reasons ? { completion_tokens_details: { reasoning_tokens: reasoningTokens } } : {}),
    },
  };
}

/** Whether an answer needs values for JSON schemas. */
export function needsInstances(request: ChatRequest): boolean {
  return wantsJson(request) || (request.tool_choice !== "none" && (request.tools?.length ?? 0) > 0);
}

/** Loaded when first needed: most services answer in words all their life. */
export async function loadComposeInstance(): Promise<ComposeInstance> {
  const { composeInstance } = await import("./instances/index.ts");
  return composeInstance;
}
