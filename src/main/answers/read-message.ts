import { type FinishKind, type FinishReason, kindOfFinish, type TokenLogprob, type ToolCall } from "#contract";
import { asNumber, asObject, asText, asTextOrJson, isObject, type JsonObject, listObjects, listOf } from "#main/base";

/** What a message or a piece of one says. Of each kind null, or none, where it has nothing of that kind. */
export interface ReadContent {
  readonly content: string | null;
  readonly refusal: string | null;
  /** What the model thought before its answer. */
  readonly reasoning_content: string | null;
  /** Addresses of pictures; the data itself for those that are sent along. */
  readonly pictures: readonly string[];
}

/** Types of parts that hold reasoning. */
const thoughts: ReadonlySet<unknown> = new Set(["thinking", "reasoning", "reasoning.text", "reasoning.summary"]);

/** Reads a message, or what a chunk adds to one, from the field names that services use. */
export function readContent(message: JsonObject): ReadContent {
  const { content, refusal, images } = message;
  // Most contents are a text, and tables read a million of them.
  const parts = typeof content === "string" || content === null || content === undefined ? null : readParts(content);
  const pictures = Array.isArray(images) ? images.flatMap(readPicture) : noPictures;
  const thought =
    textOf(message.reasoning_content) ||
    textOf(message.reasoning) ||
    textOf(message.thinking) ||
    parts?.thought ||
    textOf(message.reasoning_details);
  return {
    content: parts === null ? asText(content) : parts.content,
    refusal: parts?.refusal ?? asText(refusal),
    reasoning_content: thought || null,
    pictures: parts === null ? pictures : [...pictures, ...parts.pictures],
  };
}

const noPictures: readonly string[] = [];

/** The parts of a content: a list, or a single part. Any other value is read as its JSON text. */
function readParts(content: unknown) {
  const texts: string[] = [];
  const refusals: string[] = [];
  const pictures: string[] = [];
  let thought = "";
  for (const part of Array.isArray(content) ? content : [content]) {
    const found = readPicture(part);
    if (!isObject(part)) texts.push(asTextOrJson(part) ?? "");
    else if (found.length > 0) pictures.push(...found);
    else if (thoughts.has(part.type)) thought += textIn(part);
    else if (part.type === "refusal") refusals.push(asText(part.refusal) ?? "");
    else if (typeof part.text === "string") texts.push(part.text);
    else if (part.type === undefined) texts.push(JSON.stringify(part));
  }
  return {
    content: texts.length > 0 ? texts.join("") : null,
    refusal: refusals.length > 0 ? refusals.join("") : null,
    thought,
    pictures,
  };
}

/** A text, or the texts in parts. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return (Array.isArray(value) ? listObjects(value) : [asObject(value)]).map(textIn).join("");
}

function textIn({ text, thinking, summary, content }: JsonObject): string {
  return asText(text) ?? textOf(thinking ?? summary ?? content ?? []);
}

/** The address of the picture that a part of a content is, or its data as a `data:` address; none for any other part. */
export function readPicture(part: unknown): string[] {
  const { type, image_url: address, source, data, b64_json: encoded } = asObject(part);
  const url = asText(address) ?? asText(asObject(address).url);
  if (url !== null) return [url];
  const { media_type: mediaType, data: inSource, url: elsewhere } = asObject(source);
  if (typeof elsewhere === "string") return [elsewhere];
  if (type !== "image") return [];
  const bytes = asText(inSource) ?? asText(data) ?? asText(encoded);
  return bytes === null ? [] : [`data:${asText(mediaType) ?? "image/png"};base64,${bytes}`];
}

/** The calls of tools in a message: those without an id, a type or a text of arguments are given one. */
export function readCalls(message: JsonObject): ToolCall[] {
  return listObjects(message.tool_calls).map((call, at) => {
    const { id, type, function: called, custom } = call;
    const callId = asText(id) || `call_${at}`;
    if (type === "custom" || (isObject(custom) && !isObject(called))) {
      const { name, input } = asObject(custom);
      return { id: callId, type: "custom", custom: { name: asText(name) ?? "", input: asTextOrJson(input) ?? "" } };
    }
    return { id: callId, type: "function", function: readFunction(isObject(called) ? called : call) };
  });
}

/** The name and arguments of a function; arguments that are an object are their JSON text. */
export function readFunction({ name, arguments: given, parameters }: JsonObject): { name: string; arguments: string } {
  return { name: asText(name) ?? "", arguments: asTextOrJson(given ?? parameters) ?? "" };
}

const reasons: Readonly<Record<FinishKind, FinishReason>> = {
  complete: "stop",
  calls: "tool_calls",
  cut: "length",
  filtered: "content_filter",
  other: "stop",
};

/** The reason to finish of this API that comes nearest to a service's own word, for answers in other dialects. */
export function toFinishReason(reason: string): FinishReason {
  return reason === "function_call" ? reason : reasons[kindOfFinish(reason)];
}

export interface ReadLogprobs {
  readonly content: readonly TokenLogprob[] | null;
  readonly refusal: readonly TokenLogprob[] | null;
}

/** How likely the tokens were; null where nothing of that form is there. */
export function readLogprobs(value: unknown): ReadLogprobs | null {
  const { content, refusal } = asObject(value);
  if (!Array.isArray(content) && !Array.isArray(refusal)) return null;
  return { content: readTokens(content), refusal: readTokens(refusal) };
}

function readTokens(value: unknown): TokenLogprob[] | null {
  if (!Array.isArray(value)) return null;
  return listObjects(value).map((token) => ({
    ...readToken(token),
    top_logprobs: listObjects(token.top_logprobs).map(readToken),
  }));
}

function readToken({ token, logprob, bytes }: JsonObject) {
  const numbers = listOf(bytes).filter((byte) => typeof byte === "number");
  return {
    token: asText(token) ?? "",
    // It may be -Infinity, which JSON has no number for.
    logprob: Math.max(asNumber(logprob) ?? leastLogprob, leastLogprob),
    bytes: Array.isArray(bytes) ? numbers : null,
  };
}

/** What the compatible API has for a token that is too unlikely to be listed. */
const leastLogprob = -9999;
