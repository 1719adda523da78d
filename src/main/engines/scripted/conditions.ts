import { type ChatMessage, messageText, readToolCall, toolCallSchema } from "#contract";
import type { EngineCall } from "#main/base";
import { quote } from "#main/base";
import { createPattern, type Match, type TextMatch } from "./rule-schema.ts";

/** One condition of a rule. */
export interface Condition {
  /** Its key in the rule, as `headers.x-tenant`. */
  readonly name: string;
  meets(call: EngineCall): boolean;
  /** For people: what the call has, and what the rule wants. */
  describe(call: EngineCall): string;
}

/** The conditions of a rule that look at one call; `call` and `request` are the rule book's. */
export function createConditions(match: Match): Condition[] {
  const conditions: Condition[] = [];
  /** Holds where any of the texts does. */
  const add = (name: string, wanted: TextMatch | undefined, textsOf: (call: EngineCall) => readonly string[]) => {
    if (wanted === undefined) return;
    const matches = createTextMatcher(wanted);
    conditions.push({
      name,
      meets: (call) => textsOf(call).some(matches),
      describe: (call) => `${name} is ${listTexts(textsOf(call))}, not ${describeMatch(wanted)}`,
    });
  };

  add("model", match.model, ({ request }) => [request.model]);
  add("custom_id", match.custom_id, ({ line }) => (line === null ? [] : [line.customId]));
  add("endpoint", match.endpoint, ({ endpoint = "/v1/chat/completions" }) => [endpoint]);
  add("response_format", match.response_format, ({ request }) => [request.response_format?.type ?? "text"]);
  add("schema_name", match.schema_name, ({ request }) => listSet(request.response_format?.json_schema?.name));
  for (const [key, wanted] of Object.entries(match.metadata ?? {})) {
    add(`metadata.${key}`, wanted, (call) => listSet(readMetadata(call, key)));
  }
  for (const [name, wanted] of Object.entries(match.headers ?? {})) {
    add(`headers.${name}`, wanted, ({ headers = {} }) => [headers[name.toLowerCase()] ?? []].flat());
  }
  add("system_message", match.system_message, ({ request: { messages } }) => listSet(readSystem(messages)));
  add("last_user_message", match.last_user_message, ({ request: { messages } }) => {
    const last = messages.findLast(({ role }) => role === "user");
    return last === undefined ? [] : [messageText(last)];
  });
  if (match.turn !== undefined) {
    const turns = [match.turn].flat();
    const countTurns = ({ request: { messages } }: EngineCall) => messages.filter(({ role }) => role === "user").length;
    conditions.push({
      name: "turn",
      meets: (call) => turns.includes(countTurns(call)),
      describe: (call) => `turn is ${countTurns(call)}, not ${turns.join(" or ")}`,
    });
  }
  addToolResult(match, conditions);
  return conditions;
}

/** The tool and its result are of one and the same message. */
function addToolResult({ tool_name: name, tool_result: result }: Match, conditions: Condition[]): void {
  if (name === undefined && result === undefined) return;
  const isName = name === undefined ? () => true : createTextMatcher(name);
  const isResult = result === undefined ? () => true : createTextMatcher(result);
  const wanted = [
    name === undefined ? [] : `tool_name ${describeMatch(name)}`,
    result === undefined ? [] : `tool_result ${describeMatch(result)}`,
  ].flat();
  conditions.push({
    name: name === undefined ? "tool_result" : "tool_name",
    meets: ({ request }) =>
      listToolResults(request.messages).some((found) => isName(found.name) && isResult(found.text)),
    describe({ request }) {
      const found = listToolResults(request.messages).map(({ name, text }) => `${name} (${quote(text)})`);
      const ends = found.length === 0 ? "no result of a tool" : `the results of ${found.join(", ")}`;
      return `the request ends with ${ends}, not with ${wanted.join(" and ")}`;
    },
  });
}

/** The results that a request ends with, each with the name of the tool that was called. */
function listToolResults(messages: readonly ChatMessage[]): { name: string; text: string }[] {
  const from = messages.findLastIndex(({ role }) => role !== "tool" && role !== "function");
  const names = new Map(listCalls(messages[from]?.tool_calls).map((call) => [call.id, readToolCall(call).name]));
  return messages.slice(from + 1).map((message) => {
    const { tool_call_id: id, name } = message;
    const own = typeof name === "string" ? name : "";
    return { name: names.get(String(id)) ?? own, text: messageText(message) };
  });
}

function listCalls(calls: unknown) {
  return Array.isArray(calls) ? calls.flatMap((call) => toolCallSchema.safeParse(call).data ?? []) : [];
}

function readSystem(messages: readonly ChatMessage[]): string | null {
  const texts = messages.filter(({ role }) => role === "system" || role === "developer").map(messageText);
  return texts.length === 0 ? null : texts.join("\n");
}

/** A pair of the request's own metadata, else of its batch's. */
function readMetadata({ request, line }: EngineCall, key: string): string | null {
  const { metadata } = request;
  if (typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, key)) {
    const value: unknown = Object.getOwnPropertyDescriptor(metadata, key)?.value;
    return typeof value === "string" ? value : null;
  }
  const pairs = line?.metadata ?? {};
  return Object.hasOwn(pairs, key) ? (pairs[key] ?? null) : null;
}

function listSet(text: string | null | undefined): string[] {
  return text === null || text === undefined ? [] : [text];
}

function listTexts(texts: readonly string[]): string {
  return texts.length === 0 ? "missing" : texts.map(quote).join(", ");
}

function createTextMatcher(match: TextMatch): (text: string) => boolean {
  if (typeof match === "string") return (text) => text === match;
  const { contains, regex, ignore_case: ignoreCase = false } = match;
  if (regex !== undefined) return createPattern(regex, ignoreCase);
  return (text) => text.includes(contains ?? "");
}

function describeMatch(match: TextMatch): string {
  if (typeof match === "string") return quote(match);
  return match.regex === undefined
    ? `a text with ${quote(match.contains ?? "")}`
    : `one of the pattern ${quote(match.regex)}`;
}
