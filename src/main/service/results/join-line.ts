import { z } from "zod";
import { type ChatMessage, chatMessageSchema, type ResultDetail, type ResultRow } from "#contract";
import type { Answer } from "./line-index.ts";

/** Most characters of a text in a row of the table. */
const longestText = 300;

const requestSchema = z.object({
  custom_id: z.string(),
  body: z.object({ model: z.string(), messages: z.array(chatMessageSchema) }),
});

const completionSchema = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
});

const failureSchema = z.object({ message: z.string(), code: z.string().nullish() });

const answerSchema = z.object({
  response: z
    .object({
      status_code: z.int(),
      request_id: z.string(),
      body: z.union([completionSchema, z.object({ error: failureSchema })]),
    })
    .nullable(),
  error: failureSchema.nullable(),
});

/** A line of the input and what came of it, as text. */
export interface LineText {
  readonly line: number;
  readonly request: string;
  readonly response: string | null;
  readonly answer: Answer | null;
}

/** Joins a request with its answer. */
export function joinLine({ line, request, response, answer }: LineText): ResultDetail {
  const { custom_id, body } = requestSchema.parse(JSON.parse(request));
  const outcome = response === null ? waiting : readAnswer(answerSchema.parse(JSON.parse(response)));
  return {
    line,
    customId: custom_id,
    question: lastQuestion(body.messages),
    messages: body.messages,
    model: body.model,
    ...outcome,
    milliseconds: answer?.milliseconds ?? null,
    rawRequest: request,
    rawResponse: response,
  };
}

/** The same for the table: long texts cut, the rest left out. */
export function toRow(detail: ResultDetail): ResultRow {
  const { line, customId, state, finishReason, completionTokens, milliseconds } = detail;
  const question = cut(detail.question);
  return { line, customId, question, state, answer: cut(detail.answer), finishReason, completionTokens, milliseconds };
}

type Outcome = Pick<
  ResultDetail,
  "state" | "answer" | "finishReason" | "promptTokens" | "completionTokens" | "requestId" | "statusCode" | "errorCode"
>;

const waiting: Outcome = {
  state: "waiting",
  answer: "",
  finishReason: null,
  promptTokens: null,
  completionTokens: null,
  requestId: null,
  statusCode: null,
  errorCode: null,
};

function readAnswer({ response, error }: z.infer<typeof answerSchema>): Outcome {
  if (response === null) {
    return { ...waiting, state: "skipped", answer: error?.message ?? "", errorCode: error?.code ?? null };
  }
  const { status_code: statusCode, request_id: requestId, body } = response;
  if ("error" in body) {
    const { message, code } = body.error;
    return { ...waiting, state: "failed", answer: message, requestId, statusCode, errorCode: code ?? null };
  }
  const choice = body.choices[0];
  return {
    state: "answered",
    answer: choice?.message.content ?? "",
    finishReason: choice?.finish_reason ?? null,
    promptTokens: body.usage?.prompt_tokens ?? null,
    completionTokens: body.usage?.completion_tokens ?? null,
    requestId,
    statusCode,
    errorCode: null,
  };
}

function lastQuestion(messages: readonly ChatMessage[]): string {
  return textOf(messages.findLast((message) => message.role === "user")?.content);
}

function textOf(content: ChatMessage["content"]): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : content.map((part) => part.text).join("");
}

function cut(text: string): string {
  return text.length > longestText ? text.slice(0, longestText).toWellFormed() : text;
}
