import { z } from "zod";

/**
 * The wire of Anthropic's Messages API, as `@anthropic-ai/sdk` 1.14 has it. A request holds what has a counterpart in a chat
 * completion and nothing else, so that all that can't be translated is refused by its name. The service that answers it
 * (routes/anthropic.ts) and the stand-in that connections are tested with share these shapes.
 */

const cached = { cache_control: z.looseObject({ type: z.literal("ephemeral") }).nullish() };

const textBlockSchema = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  citations: z.array(z.looseObject({})).nullish(),
  ...cached,
});

const imageBlockSchema = z.strictObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
    z.strictObject({ type: z.literal("url"), url: z.string() }),
  ]),
  ...cached,
});

const documentBlockSchema = z.strictObject({
  type: z.literal("document"),
  source: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
    z.strictObject({ type: z.literal("text"), media_type: z.literal("text/plain"), data: z.string() }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.literal(false) }).nullish(),
  ...cached,
});

const materialSchema = z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema, documentBlockSchema]);
export type Material = z.infer<typeof materialSchema>;

const toolResultSchema = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(materialSchema)]).optional(),
  is_error: z.boolean().optional(),
  ...cached,
});
export type ToolResult = z.infer<typeof toolResultSchema>;

const toolUseSchema = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  caller: z.strictObject({ type: z.literal("direct") }).optional(),
  toolset_name: z.null().optional(),
  ...cached,
});

const thinkingSchema = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string(),
});

const toolSchema = z.strictObject({
  type: z.literal("custom").nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  strict: z.boolean().optional(),
  /** `direct`, or tools of the vendor that may call it. This server never runs them. */
  allowed_callers: z.array(z.string()).optional(),
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  input_examples: z.array(z.looseObject({})).optional(),
  ...cached,
});

const toolReferenceSchema = z.strictObject({ type: z.literal("tool_reference"), name: z.string() });

/** From here on, the model is offered a tool: one that is declared in `tools`, or a new one. */
const toolAdditionSchema = z.strictObject({
  type: z.literal("tool_addition"),
  tool: z.discriminatedUnion("type", [
    toolReferenceSchema,
    z.strictObject({ type: z.literal("tool_definition"), definition: toolSchema }),
  ]),
  ...cached,
});

/** From here on, the model is not offered a tool. */
const toolRemovalSchema = z.strictObject({ type: z.literal("tool_removal"), tool: toolReferenceSchema, ...cached });

const turnSchema = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      z.string(),
      z
        .array(
          z.discriminatedUnion("type", [
            textBlockSchema,
            imageBlockSchema,
            documentBlockSchema,
            toolResultSchema,
            toolAdditionSchema,
            toolRemovalSchema,
          ]),
        )
        .min(1),
    ]),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [textBlockSchema, thinkingSchema, toolUseSchema])),
    ]),
  }),
  z.strictObject({
    role: z.literal("system"),
    // Clients send an empty one to change only the effort of the turns after it.
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [textBlockSchema, toolAdditionSchema, toolRemovalSchema])),
    ]),
  }),
]);
export type Turn = z.infer<typeof turnSchema>;

const single = { disable_parallel_tool_use: z.boolean().optional() };

/** What a prompt is made of: the body of `count_tokens`, and the greater part of `/v1/messages`. */
const promptShape = {
  model: z.string().min(1),
  messages: z.array(turnSchema).min(1),
  system: z.union([z.string(), z.array(textBlockSchema)]).optional(),
  thinking: z.looseObject({ type: z.enum(["enabled", "disabled", "adaptive", "between_tools"]) }).optional(),
  tools: z.array(toolSchema).max(128).optional(),
  tool_choice: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("auto"), ...single }),
      z.strictObject({ type: z.literal("any"), ...single }),
      z.strictObject({ type: z.literal("tool"), name: z.string(), ...single }),
      z.strictObject({ type: z.literal("none") }),
    ])
    .optional(),
  output_config: z
    .strictObject({
      effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
      format: z.strictObject({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .optional(),
  speed: z.enum(["standard", "fast"]).nullish(),
  ...cached,
};

/** The body of `POST /v1/messages/count_tokens`. */
export const countTokensSchema = z.strictObject(promptShape);

/** The fields of a message, of one request or of many. */
const messageParamsSchema = z.strictObject({
  ...promptShape,
  max_tokens: z.int().min(1),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  stop_sequences: z.array(z.string()).max(4).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  inference_geo: z.string().nullish(),
});

/** The body of `POST /v1/messages`: with `thread`, the server keeps the conversation, and later requests bring only what is new. */
export const messagesRequestSchema = messageParamsSchema.extend({
  thread: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("create") }),
      z.strictObject({ type: z.literal("continue"), previous_message_id: z.string() }),
    ])
    .nullish(),
});
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

/** A block of an answer. */
const contentBlockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    caller: z.object({ type: z.literal("direct") }),
  }),
  /** As in a request: this API has no pictures in answers, and other models write some. */
  z.object({
    type: z.literal("image"),
    source: z.discriminatedUnion("type", [
      z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
      z.object({ type: z.literal("url"), url: z.string() }),
    ]),
  }),
]);
export type AnswerBlock = z.infer<typeof contentBlockSchema>;

const stopReasonSchema = z.enum(["end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal"]);

const messageUsageSchema = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  cache_creation: z.null(),
  output_tokens_details: z.object({ thinking_tokens: z.int() }).nullable(),
  server_tool_use: z.null(),
  service_tier: z.enum(["standard", "batch"]),
  inference_geo: z.null(),
  speed: z.null(),
  /** Where the service counted nothing: these are our own counts. */
  counted_by: z.literal("sheaf").optional(),
});

/** The answer of `POST /v1/messages`. */
export const messageSchema = z.object({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(contentBlockSchema),
  stop_reason: stopReasonSchema.nullable(),
  stop_sequence: z.string().nullable(),
  stop_details: z
    .object({ type: z.literal("refusal"), category: z.null(), explanation: z.string().nullable() })
    .nullable(),
  container: z.null(),
  diagnostics: z.null(),
  usage: messageUsageSchema,
});
export type Message = z.infer<typeof messageSchema>;

/** The answer of `POST /v1/messages/count_tokens`. */
export const tokenCountSchema = z.object({ input_tokens: z.int() });

/** Every HTTP error on this wire. */
export const anthropicErrorSchema = z.object({
  type: z.literal("error"),
  error: z.object({
    type: z.string(),
    message: z.string(),
    /** Where the vendor has a name for the cause, which its client makes an error of its own of. */
    details: z.object({ error_code: z.string() }).optional(),
  }),
  request_id: z.string().nullable(),
});
export type AnthropicError = z.infer<typeof anthropicErrorSchema>;

/** The body of `POST /v1/messages/batches`. */
export const createMessageBatchSchema = z.strictObject({
  requests: z
    .array(
      z.strictObject({
        custom_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, hyphens and underscores"),
        params: messageParamsSchema.extend({ stream: z.literal(false).optional() }),
      }),
    )
    .min(1)
    .max(100_000)
    .superRefine((requests, { addIssue }) => {
      const firstOf = new Map<string, number>();
      for (const [at, { custom_id: id }] of requests.entries()) {
        const first = firstOf.get(id);
        if (first === undefined) firstOf.set(id, at);
        else addIssue({ code: "custom", path: [at, "custom_id"], message: `It is that of requests[${first}], too.` });
      }
    }),
});

/** A batch of messages. While it runs, all of it counts as `processing`. */
export const messageBatchSchema = z.object({
  id: z.string(),
  type: z.literal("message_batch"),
  processing_status: z.enum(["in_progress", "canceling", "ended"]),
  request_counts: z.object({
    processing: z.int(),
    succeeded: z.int(),
    errored: z.int(),
    canceled: z.int(),
    expired: z.int(),
  }),
  created_at: z.string(),
  expires_at: z.string(),
  ended_at: z.string().nullable(),
  cancel_initiated_at: z.string().nullable(),
  archived_at: z.null(),
  results_url: z.string().nullable(),
});
export type MessageBatch = z.infer<typeof messageBatchSchema>;

/** The answer to the deletion of a batch of messages. */
export const deletedMessageBatchSchema = z.object({ id: z.string(), type: z.literal("message_batch_deleted") });

/** A line of the results of a batch of messages. */
export const messageBatchResultSchema = z.object({
  /** Null where the request is damaged on disk. */
  custom_id: z.string().nullable(),
  result: z.discriminatedUnion("type", [
    z.object({ type: z.literal("succeeded"), message: messageSchema }),
    z.object({ type: z.literal("errored"), error: anthropicErrorSchema }),
    z.object({ type: z.literal("canceled") }),
    z.object({ type: z.literal("expired") }),
  ]),
});
export type MessageBatchResult = z.infer<typeof messageBatchResultSchema>;

/** A model of `GET /v1/models`, asked with the header `anthropic-version`. */
export const anthropicModelSchema = z.object({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
  max_input_tokens: z.int().nullable(),
  max_tokens: z.int().nullable(),
  capabilities: z.null(),
  deprecated_at: z.null(),
  retires_at: z.null(),
  lifecycle: z.literal("active"),
  line: z.null(),
});
export type AnthropicModel = z.infer<typeof anthropicModelSchema>;
