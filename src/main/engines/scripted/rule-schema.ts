import { RE2JS } from "re2js";
import { z } from "zod";
import { chatCompletionChunkSchema, chatCompletionSchema, faultCountsSchema, finishReasonSchema } from "#contract";
import { isCompletion, parseBody } from "#main/answers";
import { type EngineCall, secretHeaders } from "#main/base";
import { findTemplateMistake, templateFields } from "./templates.ts";

/** Longest pattern, in characters. */
const longestPattern = 1_000;

const patternSchema = z
  .string()
  .min(1)
  .max(longestPattern)
  .check(({ value, issues }) => {
    const mistake = findPatternMistake(value);
    if (mistake === null) return;
    const message = `is no pattern of RE2, which has no lookaround and no backreferences: ${mistake}`;
    issues.push({ code: "custom", message, input: value });
  });

const textMatchSchema = z
  .union([
    z.string(),
    z
      .strictObject({
        contains: z.string().min(1).optional(),
        regex: patternSchema.optional(),
        ignore_case: z.boolean().optional().describe("Of a regex."),
      })
      .check(({ value, issues }) => {
        if (issues.length > 0) return;
        if ((value.contains === undefined) === (value.regex === undefined)) {
          issues.push({ code: "custom", message: "has either contains or regex", input: value });
        }
      }),
  ])
  .describe("The whole text; or { contains: … }; or { regex: …, ignore_case: true } in RE2's syntax.");
export type TextMatch = z.infer<typeof textMatchSchema>;

/** Counted from 1. */
const countsSchema = z.union([z.int().min(1), z.array(z.int().min(1)).min(1)]);

const headerNameSchema = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, "is no name of a header")
  .refine((name) => !secretHeaders.has(name.toLowerCase()), "holds a key, which rules don't see");

export const matchSchema = z
  .strictObject({
    model: textMatchSchema.optional().describe("The model that the request names."),
    custom_id: textMatchSchema.optional().describe("The custom_id of a batch's line; a direct call has none."),
    endpoint: textMatchSchema.optional().describe("The path that the request came to, such as /v1/responses."),
    system_message: textMatchSchema
      .optional()
      .describe("The texts of the messages of the roles system and developer, a line end between them."),
    last_user_message: textMatchSchema.optional().describe("The text of the last message of the role user."),
    turn: countsSchema
      .optional()
      .describe("How many messages of the role user the request has: 1 for a first question; a list for several."),
    tool_name: textMatchSchema.optional().describe("The tool whose result the request ends with."),
    tool_result: textMatchSchema.optional().describe("The text of the result that the request ends with."),
    response_format: z
      .enum(["text", "json_object", "json_schema"])
      .optional()
      .describe("What the answer is asked in; text where the request asks for nothing."),
    schema_name: textMatchSchema.optional().describe("The name of the JSON schema that the answer is asked in."),
    headers: z
      .record(headerNameSchema, textMatchSchema)
      .optional()
      .describe("Headers of the HTTP request; a line of a batch has none. Those that hold keys are not seen."),
    metadata: z
      .record(z.string(), textMatchSchema)
      .optional()
      .describe("Pairs that the request's metadata, or that of its batch, must have."),
    call: countsSchema
      .optional()
      .describe("Only the n-th of the calls that meet the other conditions; a list for several."),
    request: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe("The SHA-256 of the whole request, as a recording has it."),
  })
  .describe("All of these must hold; without any, the rule matches every call.");
export type Match = z.infer<typeof matchSchema>;

const errorReplySchema = z.strictObject({
  status: z.int().min(400).max(599),
  message: z.string().optional(),
  type: z.string().optional(),
  code: z.string().nullable().optional(),
  param: z.string().nullable().optional(),
  retry_after: z.int().min(0).max(86_400).optional().describe("Seconds, for the header retry-after."),
});
export type ErrorReply = z.infer<typeof errorReplySchema>;

/** One schema for all places: a description refers to it by its name. */
export const jsonValueSchema = z.json();

const toolCallReplySchema = z.strictObject({
  name: z.string().min(1),
  arguments: z.union([z.record(z.string(), jsonValueSchema), z.string()]).default({}),
  id: z.string().optional(),
});

/** What a reply answers with: one of these, or none for the mock engine's own answer. */
const answerKinds = ["text", "stream", "json", "tool_calls", "error", "completion", "chunks", "raw", "fault"] as const;

/** A recording has what a server sent, whatever it lacks: it is read as answers are. A text is sent as it is. */
const anyCompletionSchema = z.union([
  chatCompletionSchema,
  z.looseObject({ choices: z.array(z.looseObject({})).min(1) }),
  z.string().refine((text) => isCompletion(parseBody(text)), "is no JSON of a chat completion"),
]);
const anyChunkSchema = z.union([
  chatCompletionChunkSchema,
  z.looseObject({ choices: z.array(z.looseObject({})) }),
  z.looseObject({ error: z.union([z.looseObject({}), z.string()]) }),
  z.string(),
]);

const pauseSchema = z.number().min(0).max(600_000);
/** A piece of a streamed text, and the time before it. */
const pieceSchema = z.union([
  z.string(),
  z.strictObject({ text: z.string().default(""), pause_ms: pauseSchema.default(0) }),
]);

export const replySchema = z
  .strictObject({
    text: z.string().optional().describe("The answer, as it is."),
    stream: z
      .array(pieceSchema)
      .min(1)
      .optional()
      .describe(
        "The answer in the pieces in which it is streamed, each a text or { text, pause_ms }: the time before it.",
      ),
    json: jsonValueSchema.optional().describe("The answer, written as JSON."),
    tool_calls: z.array(toolCallReplySchema).min(1).optional().describe("Calls of tools in place of a text."),
    error: errorReplySchema.optional().describe("An HTTP error; in a batch, a line of the error file."),
    completion: anyCompletionSchema.optional().describe("A whole chat completion, as it is on the wire; or its text."),
    chunks: z
      .array(anyChunkSchema)
      .optional()
      .describe(
        "All chunks of a stream: values, their JSON as text, or whole events as text, with their empty line. An error ends the stream. Such a rule matches streamed calls only.",
      ),
    raw: z
      .strictObject({
        status: z.int().min(200).max(399),
        content_type: z.string().optional(),
        text: z.string().optional(),
        base64: z.string().optional(),
      })
      .optional()
      .describe("An answer of another endpoint as it was recorded: it needs the request's SHA-256."),
    fault: z
      .enum(["hang", "reset"])
      .optional()
      .describe("No answer, until the client leaves; or a connection that is reset before the first byte."),
    usage: z
      .record(z.string(), jsonValueSchema)
      .optional()
      .describe("Token counts of the answer, such as prompt_tokens; those left out are counted."),
    fields: z
      .record(z.string(), jsonValueSchema)
      .optional()
      .describe(
        "Fields of the answer besides, as a part of a chat completion: { model: …, choices: [{ message: { refusal: … } }] }. Lists are merged entry by entry.",
      ),
    reasoning: z.string().optional().describe("What the model thought before its answer (reasoning_content)."),
    finish_reason: finishReasonSchema.optional(),
    delay_ms: pauseSchema.optional().describe("Time before the answer begins."),
    pause_ms: pauseSchema.optional().describe("Time between two chunks of a streamed answer."),
    template: z
      .boolean()
      .optional()
      .describe("Whether the texts of the answer are Liquid templates, such as {{ request.messages.last.content }}."),
    cut_after: z.int().min(0).optional().describe("The stream breaks off after so many chunks."),
  })
  .check(({ value, issues }) => {
    if (issues.length > 0) return;
    const given = answerKinds.filter((kind) => value[kind] !== undefined);
    const tell = (message: string) => issues.push({ code: "custom", message, input: value });
    if (given.length > 1) tell(`has ${given.join(" and ")}; a reply has only one of them`);
    const fixed = (["error", "chunks", "raw", "fault"] as const).find((kind) => value[kind] !== undefined);
    const added = (["usage", "fields"] as const).find((field) => value[field] !== undefined);
    if (fixed !== undefined && added !== undefined) tell(`has ${fixed} and ${added}; ${fixed} stands alone`);
    if (Object.keys(value).length === 0) tell(`is empty; it has one of ${answerKinds.join(", ")}`);
    if (value.template === true) tellTemplateMistakes(value, tell);
  })
  .describe(
    "One of text, stream, json, tool_calls, error, completion, chunks, raw, fault; without any, the engine's own answer.",
  );
export type Reply = z.infer<typeof replySchema>;

/** A template that can't be read is a mistake of the file, not of the call that it would answer. */
function tellTemplateMistakes(reply: object, tell: (message: string) => void): void {
  for (const field of templateFields) {
    for (const text of listTexts(Object.getOwnPropertyDescriptor(reply, field)?.value)) {
      const mistake = findTemplateMistake(text);
      if (mistake !== null) tell(`has a template in ${field} that can't be read: ${mistake}`);
    }
  }
}

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

export const ruleSchema = z
  .strictObject({
    name: z.string().optional().describe("For people."),
    times: z
      .int()
      .min(1)
      .optional()
      .describe("How many calls it answers at most; later ones go to the rules after it."),
    recorded: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The request that was recorded, to tell how another one differs."),
    match: matchSchema.optional(),
    reply: replySchema.optional(),
    replies: z.array(replySchema).min(1).optional().describe("One after the other; the last one stays."),
  })
  .check(({ value, issues }) => {
    if (issues.length > 0) return;
    if ((value.reply === undefined) === (value.replies === undefined)) {
      issues.push({ code: "custom", message: "has either reply or replies", input: value });
    }
    const isRaw = (value.replies ?? [value.reply]).some((reply) => reply?.raw !== undefined);
    if (isRaw && value.match?.request === undefined) {
      issues.push({ code: "custom", message: "has a raw reply, which needs match.request", input: value });
    }
  });
/** `answer` is that of a rule that is a function, in place of its match and replies. */
export type Rule = z.infer<typeof ruleSchema> & { readonly answer?: (call: EngineCall) => Reply | null };

/** A rules file: the first rule that matches a call answers it. */
export const rulesSchema = z
  .strictObject({
    $schema: z.string().optional(),
    fallback: z
      .enum(["mock", "error"])
      .default("mock")
      .describe("What answers when no rule matches: the mock engine, or an error 404."),
    rules: z.array(ruleSchema),
    faults: faultCountsSchema
      .optional()
      .describe("The first requests of a kind fail, such as { target: uploads, first: 2, status: 503 }."),
  })
  .describe("Rules for Sheaf's scripted engine.");
export type Rules = Omit<z.infer<typeof rulesSchema>, "rules"> & { rules: Rule[] };
/** The same as a program writes it: what has a usual value may be left out. */
export type RulesInput = z.input<typeof rulesSchema>;

/** How much of a text patterns look at, in characters: a pattern takes time that grows with the text. */
const longestText = 100_000;

/**
 * Patterns are RE2's, which match in time that grows with the text alone: no pattern of a rules file can hold the service
 * up. Throws when it is none.
 */
export function createPattern(source: string, ignoreCase: boolean): (text: string) => boolean {
  const pattern = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => pattern.test(text.slice(0, longestText));
}

/** Why a text is no pattern; null when it is one. */
function findPatternMistake(source: string): string | null {
  try {
    createPattern(source, false);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, "");
  }
}
