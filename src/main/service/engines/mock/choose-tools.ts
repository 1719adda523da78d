import type { ChatRequest, ChatTool } from "#contract";
import { lastUserText } from "./last-message.ts";
import type { Random } from "./random.ts";

/** Most tools that are called at once. */
const mostCalls = 4;
/** What many tools' names begin with says nothing of what they are about. */
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
