import type { ChatMessage, ChatRequest, ChatTool, ContentPart } from "#contract";
import type { Content, FunctionDeclaration, GenerateRequest, Part } from "./gemini-wire.ts";
import { omitUnset } from "./unset.ts";

/** The chat completion that asks for the same as a request of Gemini's API for a model. */
export function readGenerateRequest(request: GenerateRequest, model: string, isStreamed = false): ChatRequest {
  const { contents, systemInstruction: system, tools, toolConfig, safetySettings, labels, serviceTier } = request;
  const { generationConfig: config = {} } = request;
  const { thinkingConfig, mediaResolution } = config;
  const level = thinkingConfig?.thinkingLevel;
  const functions = (tools ?? []).flatMap(({ functionDeclarations: declared = [] }) => declared);
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: toChatContent(system.parts) }]),
      ...toMessages(contents),
    ],
    ...omitUnset({
      temperature: config.temperature,
      top_p: config.topP,
      top_k: config.topK,
      n: config.candidateCount,
      max_tokens: config.maxOutputTokens,
      seed: config.seed,
      presence_penalty: config.presencePenalty,
      frequency_penalty: config.frequencyPenalty,
      logprobs: config.responseLogprobs,
      top_logprobs: config.logprobs,
      reasoning_effort: level === "THINKING_LEVEL_UNSPECIFIED" ? undefined : level?.toLowerCase(),
    }),
    // What only steers the vendor's own service is passed on under its own name.
    ...omitUnset({ thinkingConfig, mediaResolution, safetySettings, labels, service_tier: serviceTier }),
    ...(config.stopSequences?.length ? { stop: config.stopSequences } : {}),
    ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...toResponseFormat(config),
    ...(functions.length > 0 ? { tools: functions.map(toTool) } : {}),
    ...toToolChoice(toolConfig?.functionCallingConfig),
  };
}

type Config = NonNullable<GenerateRequest["generationConfig"]>;

function toResponseFormat(config: Config): Pick<ChatRequest, "response_format"> {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const schema = responseJsonSchema ?? (responseSchema && toJsonSchema(responseSchema));
  if (schema !== undefined) {
    return { response_format: { type: "json_schema", json_schema: { name: "response", schema: { ...schema } } } };
  }
  return type === "application/json" ? { response_format: { type: "json_object" } } : {};
}

function toTool(declaration: FunctionDeclaration): ChatTool {
  const { name, description, parameters, parametersJsonSchema, ...rest } = declaration;
  const schema = parametersJsonSchema ?? (parameters && toJsonSchema(parameters));
  return {
    type: "function",
    function: { name, ...omitUnset({ description }), ...(schema === undefined ? {} : { parameters: { ...schema } }) },
    ...omitUnset(rest),
  };
}

type CallingConfig = NonNullable<NonNullable<GenerateRequest["toolConfig"]>["functionCallingConfig"]>;

function toToolChoice(config: CallingConfig | undefined): Pick<ChatRequest, "tool_choice"> {
  if (config === undefined) return {};
  const { mode = "AUTO", allowedFunctionNames: names = [] } = config;
  if (mode === "NONE") return { tool_choice: "none" };
  const own = mode === "ANY" ? "required" : "auto";
  const [name, ...others] = names;
  if (name === undefined) return { tool_choice: own };
  if (own === "required" && others.length === 0) return { tool_choice: { type: "function", function: { name } } };
  const tools = names.map((allowed) => ({ type: "function" as const, function: { name: allowed } }));
  return { tool_choice: { type: "allowed_tools", allowed_tools: { mode: own, tools } } };
}

/** Calls of functions may come without an id here. Each gets one, and its response is found by the name then. */
function toMessages(contents: readonly Content[]): ChatMessage[] {
  /** Calls that have no response yet. */
  let open: { readonly id: string; readonly name: string }[] = [];
  let calls = 0;

  function toCall({ functionCall, thoughtSignature }: Part) {
    if (functionCall === undefined) return [];
    calls += 1;
    const { id = `call_${calls}`, name, args = {} } = functionCall;
    open.push({ id, name });
    const call = { id, type: "function" as const, function: { name, arguments: JSON.stringify(args) } };
    return [{ ...call, ...toExtra(thoughtSignature) }];
  }

  function toResult({ functionResponse }: Part): ChatMessage[] {
    if (functionResponse === undefined) return [];
    const { id, name, response = {} } = functionResponse;
    const call = open.find((other) => (id === undefined ? other.name === name : other.id === id));
    open = open.filter((other) => other !== call);
    return [{ role: "tool", tool_call_id: call?.id ?? id ?? name, name, content: toResultText(response) }];
  }

  return contents.flatMap(({ role, parts }): ChatMessage[] => {
    const isData = ({ functionCall, functionResponse, thought }: Part) =>
      functionCall === undefined && functionResponse === undefined && thought !== true;
    const data = parts.filter(isData);
    if (role !== "model") {
      const message = { role: "user" as const, content: toChatContent(data) };
      return [...parts.flatMap(toResult), ...(data.length > 0 ? [message] : [])];
    }
    const toolCalls = parts.flatMap(toCall);
    const thoughts = parts.flatMap(({ thought, text }) => (thought === true && text ? [text] : []));
    return [
      {
        role: "assistant",
        content: data.length > 0 ? toChatContent(data) : null,
        ...(thoughts.length > 0 ? { reasoning_content: thoughts.join("\n\n") } : {}),
        ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
      },
    ];
  });
}

/** As clients write it when they have nothing but a text. */
function toResultText(response: Readonly<Record<string, unknown>>): string {
  const [[name, value] = [], ...others] = Object.entries(response);
  const isText = others.length === 0 && typeof value === "string" && (name === "result" || name === "output");
  return isText ? value : JSON.stringify(response);
}

/** One plain text is content in itself. */
function toChatContent(parts: readonly Part[]): string | ContentPart[] {
  const content = parts.map(toChatPart);
  const [first, ...others] = content;
  const isPlain = first?.type === "text" && others.length === 0 && Object.keys(first).length === 2;
  return isPlain ? first.text : content;
}

function toChatPart({ text = "", thoughtSignature, inlineData, fileData }: Part): ContentPart {
  if (fileData !== undefined) {
    const { mimeType = "", fileUri, displayName = "file" } = fileData;
    if (mimeType.startsWith("image/")) return { type: "image_url", image_url: { url: fileUri } };
    return { type: "file", file: { file_data: fileUri, filename: displayName } };
  }
  if (inlineData === undefined) return { type: "text", text, ...toExtra(thoughtSignature) };
  const { mimeType, data, displayName = "file" } = inlineData;
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.startsWith("image/")) return { type: "image_url", image_url: { url } };
  const [, format] = /^audio\/(?:x-)?(\w+)/.exec(mimeType) ?? [];
  if (format !== undefined)
    return { type: "input_audio", input_audio: { data, format: format === "mpeg" ? "mp3" : format } };
  return { type: "file", file: { file_data: url, filename: displayName } };
}

/** Where Gemini's own chat completions have the signature of a thought. */
function toExtra(thoughtSignature: string | undefined) {
  return thoughtSignature === undefined ? {} : { extra_content: { google: { thought_signature: thoughtSignature } } };
}

/** The names of types, and numbers as text: what Gemini's own schemas have different from JSON schemas. */
const numeric = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);

/** A schema in Gemini's own form (types in upper case, `nullable`) as a JSON schema. */
function toJsonSchema(schema: unknown): Readonly<Record<string, unknown>> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return {};
  const { nullable, propertyOrdering: _, type, ...rest } = toCamelNames(schema);
  const names = typeof type === "string" ? [type.toLowerCase()] : Array.isArray(type) ? type : [];
  const all = nullable === true ? [...names, "null"] : names;
  const fields = Object.entries(rest).map(([name, value]) => [name, toSchemaField(name, value)]);
  return {
    ...(all.length === 0 || names[0] === "type_unspecified" ? {} : { type: all.length === 1 ? all[0] : all }),
    ...Object.fromEntries(fields),
    // A value that may be null has to be among those that are allowed.
    ...(nullable === true && Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {}),
  };
}

function toSchemaField(name: string, value: unknown): unknown {
  if (name === "items" || name === "additionalProperties")
    return typeof value === "boolean" ? value : toJsonSchema(value);
  if ((name === "anyOf" || name === "prefixItems") && Array.isArray(value)) return value.map(toJsonSchema);
  if (name === "properties" && typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([property, inner]) => [property, toJsonSchema(inner)]));
  }
  return numeric.has(name) && typeof value === "string" ? Number(value) : value;
}

function toCamelNames(schema: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name.replaceAll(/(?<=[a-z])_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
