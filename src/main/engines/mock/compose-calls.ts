import { type ChatCompletion, type ChatRequest, type ChatTool, type ToolCall, toolName } from "#contract";
import { countTokens } from "#main/requests";
import type { Random } from "../random.ts";
import type { ComposeInstance } from "./compose-instance.ts";
import { cutBelowTokens, isToolResult, lastUserText } from "./compose-text.ts";

interface ComposedCalls {
  readonly calls: ToolCall[];
  readonly tokens: number;
  /** When the limit of tokens ended them. */
  readonly isCut: boolean;
}

/** A tool as it is called: a function with JSON, a custom tool with text. `schema` is that of what it is called with. */
export interface CallableTool {
  readonly type: ToolCall["type"];
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>> | null;
}

/** The tools that a request brings and allows, the older `functions` among them. */
export function listTools({ tools, tool_choice: choice, functions, function_call: call }: ChatRequest): CallableTool[] {
  if (tools?.length) {
    const allowed = typeof choice === "object" && choice?.type === "allowed_tools" ? choice.allowed_tools.tools : null;
    const names = allowed?.map(readName);
    return tools.filter((tool) => names === undefined || names.includes(readName(tool))).map(toCallable);
  }
  if (!functions || call === "none") return [];
  return functions.map(({ name, parameters }) => ({ type: "function", name, schema: parameters ?? null }));
}

function toCallable(tool: ChatTool): CallableTool {
  const name = toolName(tool);
  if (tool.type === "function") return { type: "function", name, schema: tool.function.parameters ?? null };
  const { format } = tool.custom;
  const isPattern = format?.type === "grammar" && format.grammar.syntax === "regex";
  return {
    type: "custom",
    name,
    schema: isPattern ? { type: "string", pattern: `^(?:${format.grammar.definition})$` } : null,
  };
}

/** A tool, or what names it, by its type and name. */
function readName(tool: NamedTool): string {
  return `${tool.type} ${tool.type === "custom" ? tool.custom.name : tool.function.name}`;
}

type NamedTool =
  | { readonly type: "function"; readonly function: { readonly name: string } }
  | { readonly type: "custom"; readonly custom: { readonly name: string } };

/** Calls of the tools, with arguments that are valid by their schemas, within `limit` tokens. */
export function composeCalls(
  tools: readonly CallableTool[],
  limit: number,
  random: Random,
  composeInstance: ComposeInstance,
): ComposedCalls {
  const calls: ToolCall[] = [];
  let used = 0;
  for (const tool of tools) {
    const nameTokens = countTokens(tool.name);
    if (used + nameTokens > limit) return { calls, tokens: used, isCut: true };
    const whole = composeInput(tool, random, composeInstance);
    const text = cutBelowTokens(whole, limit - used - nameTokens);
    calls.push(describeCall(tool, text, calls.length));
    used += nameTokens + countTokens(text);
    if (text !== whole) return { calls, tokens: used, isCut: true };
  }
  return { calls, tokens: used, isCut: false };
}

/** A function's arguments as JSON, a custom tool's text. */
function composeInput({ type, name, schema }: CallableTool, random: Random, composeInstance: ComposeInstance): string {
  const value = schema === null ? undefined : composeInstance(schema, random);
  if (type === "custom") return typeof value === "string" ? value : `Input for ${name}.`;
  return JSON.stringify(value ?? {});
}

function describeCall({ type, name }: CallableTool, text: string, index: number): ToolCall {
  const id = `call_${index}`;
  return type === "custom"
    ? { id, type, custom: { name, input: text } }
    : { id, type, function: { name, arguments: text } };
}

/**
 * The choices with ids of their calls that no other completion has: clients keep the calls of a conversation by their ids. The
 * same choices where nothing is called.
 */
export function nameCalls(choices: ChatCompletion["choices"], completionId: string): ChatCompletion["choices"] {
  if (!choices.some(({ message }) => message.tool_calls?.length)) return choices;
  const unique = completionId.replace(/^chatcmpl-/, "");
  let count = 0;
  return choices.map(({ message, ...choice }) => ({
    ...choice,
    message: {
      ...message,
      ...(message.tool_calls && {
        tool_calls: message.tool_calls.map((call) => ({ ...call, id: `call_${unique}_${count++}` })),
      }),
    },
  }));
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
export function chooseTools(request: ChatRequest, random: Random): readonly CallableTool[] {
  const { parallel_tool_calls: parallel } = request;
  const choice = readChoice(request);
  const [first, ...rest] = listTools(request);
  if (first === undefined || choice === "none") return [];
  const tools: readonly [CallableTool, ...CallableTool[]] = [first, ...rest];
  if (typeof choice === "object") return tools.filter(({ name }) => name === choice.name).slice(0, 1);
  if (choice !== "required" && isToolResult(request.messages.at(-1))) return [];

  const words = new Set(wordsOf(lastUserText(request.messages)));
  const meant = tools.filter(({ name }) => wordsOf(name).some((word) => words.has(word)));
  if (meant.length === 0) return [random.pick(tools)];
  return meant.slice(0, parallel === false || isLegacy(request) ? 1 : mostCalls);
}

/** Whether tools are the older `functions`, of which an answer calls one at most, in a field of its own. */
export function isLegacy({ tools, functions }: ChatRequest): boolean {
  return !tools?.length && Boolean(functions);
}

/** Whether tools are called, or which one. */
function readChoice(request: ChatRequest): "none" | "auto" | "required" | { readonly name: string } {
  if (isLegacy(request)) return request.function_call ?? "auto";
  const { tool_choice: choice } = request;
  if (typeof choice !== "object" || choice === null) return choice ?? "auto";
  if (choice.type === "allowed_tools") return choice.allowed_tools.mode;
  return choice.type === "custom" ? choice.custom : choice.function;
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
