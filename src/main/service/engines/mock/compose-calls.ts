import type { ChatRequest, ChatTool, ToolCall } from "#contract";
import { countTokens } from "../../tokens/index.ts";
import type { Random } from "../random.ts";
import type { ComposeInstance } from "./compose-instance.ts";
import { cutBelowTokens, lastUserText } from "./compose-text.ts";

interface ComposedCalls {
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

/** Most tools that are called at once. */
const mostCalls = 4;
/** What many tools' names begin with, which is not what they are about. */
const verbs = new Set([
  "get",
  "set",
  "find",
  "fetch",
  "look",
  "list",
  "make",
  "create",
  "search",
  "run",
  "call",
  "tool",
]);

/**
 * The tools that an answer calls; none for an answer in text. With `tool_choice` `auto` (or unset), it calls some until
 * the last message is the result of one. Those whose names share a word with the user's message are called, all at once
 * unless `parallel_tool_calls` is false; where none does, one of them is.
 */
export function chooseTools(request: ChatRequest, random: Random): readonly ChatTool[] {
  const { tools, tool_choice: choice = "auto", parallel_tool_calls: parallel } = request;
  const [first, ...rest] = tools ?? [];
  if (first === undefined || choice === "none") return [];
  if (typeof choice === "object" && choice !== null) {
    return [first, ...rest].filter((tool) => tool.function.name === choice.function.name).slice(0, 1);
  }
  if (choice !== "required" && request.messages.at(-1)?.role === "tool") return [];

  const words = new Set(wordsOf(lastUserText(request.messages)));
  const meant = [first, ...rest].filter((tool) => wordsOf(tool.function.name).some((word) => words.has(word)));
  if (meant.length === 0) return [random.pick([first, ...rest])];
  return meant.slice(0, parallel === false ? 1 : mostCalls);
}

/** `getWeatherNow` → `weather`, `now`. */
function wordsOf(text: string): string[] {
  const words =
    text
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !verbs.has(word));
}
