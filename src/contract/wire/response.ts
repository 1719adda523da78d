import { z } from "zod";
import { toolChoiceModes } from "./chat.ts";

const detailSchema = z.enum(["auto", "low", "high", "original"]).nullish();

/** A part of what a message or a tool brings in. */
const inputPartSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("input_text"), text: z.string() }),
  z.looseObject({
    type: z.literal("input_image"),
    image_url: z.string().nullish(),
    file_id: z.string().nullish(),
    detail: detailSchema,
  }),
  z.looseObject({
    type: z.literal("input_file"),
    file_data: z.string().nullish(),
    file_id: z.string().nullish(),
    file_url: z.string().nullish(),
    filename: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal("input_audio"),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({ type: z.literal("output_text"), text: z.string() }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);
export type InputPart = z.infer<typeof inputPartSchema>;

const contentSchema = z.union([z.string(), z.array(inputPartSchema)]);

/** What a response is asked with: messages, and what was called and answered since. */
const inputItemSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message"),
    role: z.enum(["user", "assistant", "system", "developer"]),
    content: contentSchema,
  }),
  z.looseObject({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: contentSchema }),
  z.looseObject({ type: z.literal("custom_tool_call"), call_id: z.string(), name: z.string(), input: z.string() }),
  z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: z.string(), output: contentSchema }),
  z.looseObject({
    type: z.literal("reasoning"),
    summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
    content: z.array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() })).nullish(),
  }),
  z.looseObject({ type: z.literal("item_reference"), id: z.string() }),
]);
export type InputItem = z.infer<typeof inputItemSchema>;

/** Types of the items that this server reads. Tools of the hosted service make the others, or the others set it up. */
export const inputItemTypes: ReadonlySet<unknown> = new Set(
  inputItemSchema.options.map(({ shape }) => shape.type.value),
);

/** A message needs no type. */
const inputSchema = z.union([
  z.string(),
  z.array(
    z.preprocess(
      (item) => (typeof item === "object" && item !== null && !("type" in item) ? { type: "message", ...item } : item),
      inputItemSchema,
    ),
  ),
]);

/** What the model may call. Tools that the hosted service runs itself, such as a web search, have no counterpart here. */
const toolSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("function"),
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
  z.looseObject({
    type: z.literal("custom"),
    name: z.string(),
    description: z.string().nullish(),
    format: z
      .discriminatedUnion("type", [
        z.looseObject({ type: z.literal("text") }),
        z.looseObject({ type: z.literal("grammar"), syntax: z.enum(["lark", "regex"]), definition: z.string() }),
      ])
      .nullish(),
  }),
]);
export type ResponseTool = z.infer<typeof toolSchema>;

const namedToolSchema = z.looseObject({ type: z.enum(["function", "custom"]), name: z.string() });

const toolChoiceSchema = z.union([
  z.discriminatedUnion("type", [
    namedToolSchema,
    z.looseObject({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(namedToolSchema).min(1),
    }),
  ]),
  z.enum(toolChoiceModes),
]);

const formatSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    name: z.string(),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

/** The body of a request to `/v1/responses`. */
export const responseRequestSchema = z.looseObject({
  model: z.string(),
  input: inputSchema,
  include: z.array(z.string()).nullish(),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  reasoning: z
    .looseObject({
      effort: z.string().nullish(),
      summary: z.enum(["auto", "concise", "detailed"]).nullish(),
    })
    .nullish(),
  safety_identifier: z.string().nullish(),
  service_tier: z.string().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_obfuscation: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z
    .looseObject({ format: formatSchema.nullish(), verbosity: z.enum(["low", "medium", "high"]).nullish() })
    .nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  tools: z.array(toolSchema).max(128).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  user: z.string().nullish(),
});
export type ResponseRequest = z.infer<typeof responseRequestSchema>;

const outputItemSchema = z.looseObject({ id: z.string(), type: z.string() });
export type OutputItem = z.infer<typeof outputItemSchema>;

export const responseUsageSchema = z.looseObject({
  input_tokens: z.int(),
  input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});
export type ResponseUsage = z.infer<typeof responseUsageSchema>;

/** The answer of `/v1/responses`. */
export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["completed", "failed", "in_progress", "incomplete"]),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string(),
  output: z.array(outputItemSchema),
  previous_response_id: z.string().nullable(),
  usage: responseUsageSchema.nullable(),
});
export type ModelResponse = z.infer<typeof responseSchema>;

/** The answer to the deletion of a response. */
export const deletedResponseSchema = z.object({
  id: z.string(),
  object: z.literal("response"),
  deleted: z.literal(true),
});

/** What a response was asked with, the newest first. */
export const inputItemListSchema = z.object({
  object: z.literal("list"),
  data: z.array(outputItemSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});
