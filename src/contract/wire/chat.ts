import { z } from "zod";
import { countSchema } from "./numbers.ts";

/** A part of a message: text, or something that is passed on as it is. */
const contentPartSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  /** `url` is an address or the data itself. */
  z.looseObject({
    type: z.literal("image_url"),
    image_url: z.looseObject({ url: z.string(), detail: z.enum(["auto", "low", "high"]).nullish() }),
  }),
  z.looseObject({
    type: z.literal("input_audio"),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({ type: z.literal("file"), file: z.looseObject({}) }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);
export type ContentPart = z.infer<typeof contentPartSchema>;

/** A message's content: a string, or parts, of which those of type `text` are read as one string. */
const messageContentSchema = z.union([z.string(), z.array(contentPartSchema).min(1)]);

export const messageRoles = ["system", "user", "assistant"] as const;
export type MessageRole = (typeof messageRoles)[number];

/**
 * One chat message (service-interface.md, Batch input line). `developer`, `tool` and the older `function` are what clients of
 * the compatible API send besides the three documented roles, and are accepted as they are. Only an assistant's message may
 * lack content: it then holds calls of tools.
 */
export const chatMessageSchema = z
  .looseObject({
    role: z.enum([...messageRoles, "developer", "tool", "function"]),
    content: messageContentSchema.nullish(),
  })
  .refine(({ role, content }) => role === "assistant" || (content !== undefined && content !== null), {
    path: ["content"],
    message: "Only an assistant's message may lack content.",
    // Reported together with what else is wrong with the message.
    when: ({ value }) => typeof value === "object" && value !== null,
  });
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** The text of a message: its content, or that of its text parts joined; empty when it has none. */
export function messageText({ content }: ChatMessage): string {
  if (content === null || content === undefined) return "";
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** A function that the model may call; `parameters` is the JSON schema of its arguments. */
const functionSchema = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

const functionToolSchema = z.looseObject({ type: z.literal("function"), function: functionSchema });

/** A tool that takes any text, or text by a grammar, in place of JSON. */
const customToolSchema = z.looseObject({
  type: z.literal("custom"),
  custom: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    format: z
      .discriminatedUnion("type", [
        z.looseObject({ type: z.literal("text") }),
        z.looseObject({
          type: z.literal("grammar"),
          grammar: z.looseObject({ syntax: z.enum(["lark", "regex"]), definition: z.string() }),
        }),
      ])
      .nullish(),
  }),
});

/** What the model may call. */
export const chatToolSchema = z.discriminatedUnion("type", [functionToolSchema, customToolSchema]);
export type ChatTool = z.infer<typeof chatToolSchema>;

/** The name of a tool, whatever its type. */
export function toolName(tool: ChatTool): string {
  return tool.type === "custom" ? tool.custom.name : tool.function.name;
}

const namedFunctionSchema = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({ name: z.string() }),
});
const namedCustomSchema = z.looseObject({ type: z.literal("custom"), custom: z.looseObject({ name: z.string() }) });
const namedToolSchema = z.discriminatedUnion("type", [namedFunctionSchema, namedCustomSchema]);
const allowedToolsSchema = z.looseObject({
  type: z.literal("allowed_tools"),
  allowed_tools: z.looseObject({ mode: z.enum(["auto", "required"]), tools: z.array(namedToolSchema).min(1) }),
});

export const toolChoiceModes = ["none", "auto", "required"] as const;

/** Whether tools are called: as the model likes, never, at least one, this one, or some of these. */
export const toolChoiceSchema = z.union([
  z.discriminatedUnion("type", [namedFunctionSchema, namedCustomSchema, allowedToolsSchema]),
  z.enum(toolChoiceModes),
]);
export type ToolChoice = z.infer<typeof toolChoiceSchema>;

/** What the text of the answer is: any text, any JSON object, or JSON by a schema. */
export const responseFormatSchema = z
  .looseObject({
    type: z.enum(["text", "json_object", "json_schema"]),
    json_schema: z
      .looseObject({
        name: z.string(),
        schema: z.record(z.string(), z.unknown()).nullish(),
        strict: z.boolean().nullish(),
      })
      .optional(),
  })
  .refine(({ type, json_schema }) => type !== "json_schema" || json_schema !== undefined, {
    path: ["json_schema"],
    message: "The type json_schema needs one.",
  });
export type ResponseFormat = z.infer<typeof responseFormatSchema>;

/** How much a model thinks before it answers. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
/** Of a token's logit. */
export const mostBias = 100;

/** Described for readers: `listMisuse` holds requests to it. */
const checkedLater = (description: Readonly<Record<string, unknown>>) => z.unknown().meta(description).optional();

/** The parameters of a chat-completion request that are known, with the ranges of the compatible API. */
const chatParametersSchema = z.looseObject({
  model: z.string(),
  messages: z.array(chatMessageSchema).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  max_completion_tokens: countSchema.min(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  reasoning_effort: checkedLater({ enum: [...reasoningEfforts, null] }),
  logit_bias: checkedLater({
    type: ["object", "null"],
    additionalProperties: { type: "number", minimum: -mostBias, maximum: mostBias },
  }),
  metadata: checkedLater({ type: ["object", "null"], additionalProperties: { type: "string", maxLength: 512 } }),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  response_format: responseFormatSchema.nullish(),
  tools: z.array(chatToolSchema).max(128).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  functions: z.array(functionSchema).min(1).max(128).nullish(),
  function_call: z.union([z.looseObject({ name: z.string() }), z.enum(["none", "auto"])]).nullish(),
});

/**
 * The body of a chat-completion request. Known parameters are checked, by themselves and against one another; unknown
 * ones are passed on untouched.
 */
export const chatRequestSchema = chatParametersSchema.superRefine((request, { addIssue }) => {
  const report = (path: PropertyKey[], message: string) => addIssue({ code: "custom", path, message });
  const { tools, tool_choice: choice, functions, function_call: call, logprobs, top_logprobs: topLogprobs } = request;
  if (typeof topLogprobs === "number" && logprobs !== true) report(["top_logprobs"], "It needs logprobs to be true.");
  if (choice === "required" && !tools?.length) report(["tool_choice"], "It needs tools to choose from.");
  for (const { path, type, name } of listNamedTools(choice)) {
    if (tools?.some((tool) => tool.type === type && toolName(tool) === name)) continue;
    report(["tool_choice", ...path, type, "name"], "No tool has this name.");
  }
  if (typeof call === "object" && call !== null && !functions?.some(({ name }) => name === call.name)) {
    report(["function_call", "name"], "No function has this name.");
  }
});

/** The tools that a choice names, and where in it. */
function listNamedTools(choice: ToolChoice | null | undefined) {
  if (typeof choice !== "object" || choice === null) return [];
  const named = choice.type === "allowed_tools" ? choice.allowed_tools.tools : [choice];
  return named.map((tool, at) => ({
    path: choice.type === "allowed_tools" ? ["allowed_tools", "tools", at] : [],
    type: tool.type,
    name: tool.type === "custom" ? tool.custom.name : tool.function.name,
  }));
}
export type ChatRequest = z.infer<typeof chatRequestSchema>;

export const finishReasonSchema = z.enum(["stop", "length", "tool_calls", "content_filter", "function_call"]);
export type FinishReason = z.infer<typeof finishReasonSchema>;

export const usageSchema = z.looseObject({
  prompt_tokens: countSchema,
  completion_tokens: countSchema,
  total_tokens: countSchema,
});

const functionCallSchema = z.looseObject({ name: z.string(), arguments: z.string() });

/** A call of a tool that the model asks for; a function's `arguments` are JSON as text. */
export const toolCallSchema = z.discriminatedUnion("type", [
  z.looseObject({ id: z.string(), type: z.literal("function"), function: functionCallSchema }),
  z.looseObject({
    id: z.string(),
    type: z.literal("custom"),
    custom: z.looseObject({ name: z.string(), input: z.string() }),
  }),
]);
export type ToolCall = z.infer<typeof toolCallSchema>;

/** The name of the tool that is called, and what it is given: JSON as text, for a custom tool any text. */
export function readToolCall(call: ToolCall): { readonly name: string; readonly input: string } {
  if (call.type === "custom") return call.custom;
  return { name: call.function.name, input: call.function.arguments };
}

/** One token of the answer, how likely it was, and what else was likely in its place. */
const tokenLogprobShape = { token: z.string(), logprob: z.number(), bytes: z.array(countSchema).nullable() };
export const tokenLogprobSchema = z.looseObject({
  ...tokenLogprobShape,
  top_logprobs: z.array(z.looseObject(tokenLogprobShape)),
});
export type TokenLogprob = z.infer<typeof tokenLogprobSchema>;

const logprobsSchema = z.looseObject({
  content: z.array(tokenLogprobSchema).nullable(),
  refusal: z.array(tokenLogprobSchema).nullable(),
});

/** The model's message. `reasoning_content` is what a reasoning model wrote before its answer. */
export const assistantMessageSchema = z.looseObject({
  role: z.literal("assistant"),
  content: z.string().nullable(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(toolCallSchema).optional(),
  /** In answer to the older `functions`. */
  function_call: functionCallSchema.nullish(),
});
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;

/** A chat completion, as an engine answers it. */
export const chatCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: countSchema,
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: countSchema,
      message: assistantMessageSchema,
      logprobs: logprobsSchema.nullish(),
      finish_reason: finishReasonSchema,
    }),
  ),
  usage: usageSchema,
});
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

/** What a chunk adds to a message: its role, a piece of its text or reasoning, or of its calls of tools. */
export const chatDeltaSchema = z.looseObject({
  role: z.literal("assistant").optional(),
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: countSchema,
        id: z.string().optional(),
        type: z.enum(["function", "custom"]).optional(),
        function: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
        custom: z.looseObject({ name: z.string().optional(), input: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  function_call: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }).nullish(),
});
export type ChatDelta = z.infer<typeof chatDeltaSchema>;

/** A piece of a streamed chat completion. One without choices carries the usage. */
export const chatCompletionChunkSchema = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion.chunk"),
  created: countSchema,
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: countSchema,
      delta: chatDeltaSchema,
      logprobs: logprobsSchema.nullish(),
      finish_reason: finishReasonSchema.nullable(),
    }),
  ),
  usage: usageSchema.nullish(),
});
export type ChatCompletionChunk = z.infer<typeof chatCompletionChunkSchema>;
