import type { ChatTool, ToolCall } from "#contract";
import { countTokens } from "../../tokens/index.ts";
import type { ComposeInstance } from "./compose-instance.ts";
import { cutBelowTokens } from "./cut.ts";
import type { Random } from "./random.ts";

export interface ComposedCalls {
  readonly calls: ToolCall[];
  readonly tokens: number;
  /** When the limit of tokens ended them. */
  readonly isCut: boolean;
}

/** Calls of the tools, with arguments that are valid by their schemas, within `limit` tokens. */
export function composeCalls(
  tools: readonly ChatTool[],
  limit: number,
  random: Random,
  composeInstance: ComposeInstance,
): ComposedCalls {
  const calls: ToolCall[] = [];
  let used = 0;
  for (const { function: tool } of tools) {
    const nameTokens = countTokens(tool.name);
    if (used + nameTokens > limit) return { calls, tokens: used, isCut: true };
    const whole = JSON.stringify(tool.parameters ? composeInstance(tool.parameters, random) : {});
    const text = cutBelowTokens(whole, limit - used - nameTokens);
    calls.push(describeCall(tool.name, text, random));
    used += nameTokens + countTokens(text);
    if (text !== whole) return { calls, tokens: used, isCut: true };
  }
  return { calls, tokens: used, isCut: false };
}

function describeCall(name: string, text: string, random: Random): ToolCall {
  return { id: `call_${drawId(random)}`, type: "function", function: { name, arguments: text } };
}

/** 96 random bits, so that the same seed and request give the same ids too. */
function drawId(random: Random): string {
  return Array.from({ length: 3 }, () =>
    random
      .between(0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
}
