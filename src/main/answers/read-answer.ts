import { type AnswerEnd, toolPrefix } from "#contract";
import { asObject, asText, asTextOrJson, isObject, type JsonObject, listObjects, listOf } from "#main/base";
import { findEnd } from "./answer-end.ts";
import { type ReadBill, readBill } from "./read-bill.ts";
import { readTokens } from "./read-completion.ts";
import { readCalls, readContent, readFunction, readPicture } from "./read-message.ts";

/** A tool that an answer calls, and what it is called with: mostly the JSON text of an object. */
export interface CalledTool {
  readonly name: string;
  readonly input: string;
}

/** What is shown and counted of an answer. */
export interface ReadAnswer {
  readonly model: string | null;
  /** The text of the first choice. Without one, that of its refusal, or its calls: `weather({"city":"Oslo"})`, one a line. */
  readonly answer: string;
  /** The calls of the first choice. */
  readonly calls: readonly CalledTool[];
  /** The texts of the second choice and those after it. */
  readonly otherChoices: readonly string[];
  /** What the model thought before it; null where that is not told. */
  readonly reasoning: string | null;
  /** Addresses of its pictures; the data itself for those that came along. */
  readonly pictures: readonly string[];
  /** In the service's own word. */
  readonly finishReason: string | null;
  readonly end: AnswerEnd;
  readonly promptTokens: number | null;
  readonly cachedTokens: number;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number;
  /** Left out where the service reported nothing of it. */
  readonly bill?: ReadBill | undefined;
}

/**
 * Reads the answer of any endpoint: a chat completion, or one in another shape. A service elsewhere may leave things out: a
 * row shows what there is.
 */
export function readAnswer(value: unknown): ReadAnswer {
  const body = asObject(value);
  const { prompt, completion, cached_tokens: cached, reasoning_tokens: reasoningTokens } = readTokens(body.usage);
  const { answer, reasoning = null, pictures = none, finishReason, end, ...others } = readText(body);
  const { calls = none, otherChoices = none } = others;
  return {
    answer,
    calls,
    otherChoices,
    reasoning,
    pictures,
    finishReason,
    end,
    model: asText(body.model),
    promptTokens: prompt,
    cachedTokens: cached,
    completionTokens: completion,
    reasoningTokens: reasoningTokens ?? 0,
    bill: readBill(body),
  };
}

/** What answers are called with, by the columns of it: `tool.weather`, and `tool.weather_2` of a second call of the same tool. */
export function listCallColumns(calls: readonly CalledTool[]): [path: string, input: string][] {
  const counts = new Map<string, number>();
  return calls.map(({ name, input }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [`${toolPrefix}${name}${count === 1 ? "" : `_${count}`}`, input];
  });
}

const none: readonly never[] = [];

type ReadText = Pick<ReadAnswer, "answer" | "finishReason" | "end"> &
  Partial<Pick<ReadAnswer, "reasoning" | "pictures" | "calls" | "otherChoices">>;

function readText(body: JsonObject): ReadText {
  if (body.object === "response") return readResponse(body);
  if (Array.isArray(body.choices)) {
    const [first, ...others] = body.choices.map(asObject);
    const read = readChoice(first ?? {});
    return others.length === 0 ? read : { ...read, otherChoices: others.map((other) => readChoice(other).answer) };
  }
  if (Array.isArray(body.data)) return { answer: describeVectors(body.data), finishReason: null, end: "complete" };
  if (Array.isArray(body.results)) {
    return { answer: body.results.map(describeModeration).join("; "), finishReason: null, end: "complete" };
  }
  return { answer: "", finishReason: null, end: "empty" };
}

/** Of a chat completion, or a completion in text. */
function readChoice(choice: JsonObject): ReadText {
  const { message, delta, text, finish_reason: reason } = choice;
  const said = asObject(message ?? delta ?? { content: text });
  const { content, refusal, reasoning_content: reasoning, pictures } = readContent(said);
  const finishReason = asText(reason) || null;
  const calls = readCalledTools(said);
  const hasCalls = calls.length > 0;
  const isEmpty = isBlank(content) && !hasCalls && pictures.length === 0 && !isObject(said.audio);
  const end = findEnd({ finishReason, isEmpty, isRefusal: !isBlank(refusal), hasCalls });
  return { answer: textOfAnswer(content, refusal, calls), reasoning, pictures, finishReason, end, calls };
}

function readCalledTools(message: JsonObject): readonly CalledTool[] {
  const { tool_calls: listed, function_call: single } = message;
  if (!Array.isArray(listed) && !isObject(single)) return none;
  const calls = readCalls(message).map((call) =>
    call.type === "custom" ? call.custom : { name: call.function.name, input: call.function.arguments },
  );
  if (calls.length > 0 || !isObject(single)) return calls;
  const { name, arguments: input } = readFunction(single);
  return [{ name, input }];
}

function textOfAnswer(content: string | null, refusal: string | null, calls: readonly CalledTool[]): string {
  if (content !== null && content !== "") return content;
  return refusal || calls.map(({ name, input }) => `${name}(${input})`).join("\n");
}

function readResponse({ output, status, incomplete_details: gap }: JsonObject) {
  const parts = listObjects(output).flatMap((item) => listObjects(item.content));
  const content = parts.flatMap((part) => (part.type === "output_text" ? (asText(part.text) ?? []) : [])).join("");
  const refusals = parts.flatMap((part) => (part.type === "refusal" ? [asText(part.refusal) ?? ""] : []));
  const calls = listObjects(output).flatMap((item): CalledTool[] => {
    if (item.type !== "function_call" && item.type !== "custom_tool_call") return [];
    return [{ name: asText(item.name) ?? "", input: asTextOrJson(item.arguments ?? item.input) ?? "" }];
  });
  const hasCalls = calls.length > 0;
  const { reason } = asObject(gap);
  const cause = reason === "max_output_tokens" ? "length" : asText(reason);
  const finishReason = status === "incomplete" ? cause : hasCalls ? "tool_calls" : "stop";
  const isEmpty = isBlank(content) && !hasCalls;
  const end = findEnd({ finishReason, isEmpty, isRefusal: refusals.length > 0, hasCalls });
  return { answer: textOfAnswer(content, refusals.join(""), calls), finishReason, end, calls };
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === "";
}

function describeVectors(data: readonly unknown[]): string {
  const { embedding } = asObject(data[0]);
  // Of one in base64, four bytes are a number.
  const numbers = typeof embedding === "string" ? Math.floor((embedding.length * 3) / 16) : listOf(embedding).length;
  return `${data.length === 1 ? "A vector" : `${data.length} vectors`} of ${numbers} numbers`;
}

function describeModeration(result: unknown): string {
  const { flagged, categories } = asObject(result);
  if (flagged !== true) return "not flagged";
  const names = Object.entries(asObject(categories)).flatMap(([name, isFlagged]) => (isFlagged === true ? [name] : []));
  return `flagged: ${names.join(", ")}`;
}

/** The last thing that a user asks with a request to any endpoint. */
export function readRequestText(body: JsonObject): string {
  if (typeof body.prompt === "string") return body.prompt;
  if (Array.isArray(body.prompt)) return joinTexts(body.prompt);
  if (typeof body.input === "string") return body.input;
  const items = listObjects(body.messages ?? body.input);
  const asked = items.findLast(({ role }) => role === "user");
  if (asked !== undefined) return textOf(asked.content);
  return Array.isArray(body.input) ? joinTexts(body.input) : "";
}

/** The pictures that a request to any endpoint sends, in their order, each as `readPicture` has it. */
export function listSentPictures({ messages, input }: JsonObject): readonly string[] {
  const pictures = listObjects(messages ?? input).flatMap(({ content }): readonly string[] =>
    typeof content === "string" ? none : listObjects(content).flatMap((part) => readPicture(part)),
  );
  return pictures.length === 0 ? none : pictures;
}

/** A content: a text, or parts, of which those with a text are read. */
function textOf(content: unknown): string {
  return typeof content === "string"
    ? content
    : listObjects(content)
        .map(({ text }) => asText(text) ?? "")
        .join("");
}

/** Texts, and parts with one. */
function joinTexts(inputs: readonly unknown[]): string {
  return inputs.flatMap((input) => asText(input) ?? asText(asObject(input).text) ?? []).join("\n");
}
