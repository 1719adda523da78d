type JsonObject = Readonly<Record<string, unknown>>;

/** What is shown and counted of an answer. */
export interface ReadAnswer {
  readonly model: string | null;
  readonly answer: string;
  readonly finishReason: string | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number;
}

/**
 * Reads the answer of any endpoint: a chat completion, or one in another shape. A service elsewhere may leave things out: a
 * row shows what there is.
 */
export function readAnswer(value: unknown): ReadAnswer {
  const body = asObject(value);
  const usage = asObject(body.usage);
  const cached = asObject(usage.prompt_tokens_details ?? usage.input_tokens_details).cached_tokens;
  const reasoning = asObject(usage.completion_tokens_details ?? usage.output_tokens_details).reasoning_tokens;
  return {
    ...readText(body),
    model: asText(body.model),
    promptTokens: asCount(usage.prompt_tokens ?? usage.input_tokens),
    cachedTokens: Math.max(0, asCount(cached) ?? 0),
    completionTokens: asCount(usage.completion_tokens ?? usage.output_tokens),
    reasoningTokens: Math.max(0, asCount(reasoning) ?? 0),
  };
}

function readText(body: JsonObject): Pick<ReadAnswer, "answer" | "finishReason"> {
  if (body.object === "response") return readResponse(body);
  if (Array.isArray(body.choices)) return readChoice(asObject(body.choices[0]));
  if (Array.isArray(body.data)) return { answer: describeVectors(body.data), finishReason: null };
  if (Array.isArray(body.results))
    return { answer: body.results.map(describeModeration).join("; "), finishReason: null };
  return { answer: "", finishReason: null };
}

/** Of a chat completion, or a completion in text. */
function readChoice({ message, text, finish_reason: reason }: JsonObject): Pick<ReadAnswer, "answer" | "finishReason"> {
  return { answer: textOf(asObject(message).content) || asText(text) || "", finishReason: asText(reason) };
}

function readResponse({ output, status, incomplete_details: gap }: JsonObject) {
  const parts = listObjects(output).flatMap((item) => listObjects(item.content));
  const answer = parts.flatMap((part) => (part.type === "output_text" ? (asText(part.text) ?? []) : [])).join("");
  const { reason } = asObject(gap);
  if (status === "incomplete")
    return { answer, finishReason: reason === "max_output_tokens" ? "length" : asText(reason) };
  const hasCalls = listObjects(output).some(({ type }) => type === "function_call" || type === "custom_tool_call");
  return { answer, finishReason: hasCalls ? "tool_calls" : "stop" };
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

const noObject: JsonObject = {};

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : noObject;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listObjects(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Some services write numbers as text. */
function asCount(counted: unknown): number | null {
  const value = typeof counted === "string" && /^\d+$/.test(counted) ? Number(counted) : counted;
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}
