import { z } from "zod";
import {
  chatMessageSchema,
  type Grade,
  type LineVerdict,
  messageText,
  type ResultDetail,
  type ResultRow,
} from "#contract";
import { parseJson } from "../io/index.ts";
import { readValues } from "./answer-values.ts";
import type { AnswerFacts } from "./fact-columns.ts";

/** Most characters of a text in a row of the table. */
const longestText = 300;

/** What is read of a request. */
export const requestSchema = z.object({
  custom_id: z.string(),
  body: z.object({ model: z.string(), messages: z.array(chatMessageSchema) }),
});

const idSchema = z.object({ custom_id: z.string() });

/** The custom_id of a request; null for a line that has none: a batch that ended before its check may have such. */
export function customIdOf(text: string): string | null {
  return idSchema.safeParse(parseJson(text)).data?.custom_id ?? null;
}

/** Stands for the custom_id of a line without one. */
export function idOfLine(line: number): string {
  return `line-${line}`;
}

/** A request as far as it can be read. */
function readRequest(text: string): z.infer<typeof requestSchema>["body"] {
  return requestSchema.safeParse(parseJson(text)).data?.body ?? { model: "", messages: [] };
}

/** What is read of an answer. An engine elsewhere may leave things out: a row shows what there is. */
const completionSchema = z.object({
  model: z.string().nullish().catch(null),
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .catch([]),
  usage: z
    .object({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      prompt_tokens_details: z
        .object({ cached_tokens: z.int().min(0) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

const failureSchema = z.object({ message: z.string(), code: z.string().nullish() });
const failureBodySchema = z.object({ error: failureSchema }).catch({ error: { message: "" } });

const answerSchema = z.object({
  response: z.object({ status_code: z.int(), request_id: z.string(), body: z.unknown() }).nullable(),
  error: failureSchema.nullable(),
});

/** A line of the input and the result of it, as text. */
export interface LineText {
  readonly line: number;
  readonly asked: ResultDetail["asked"];
  readonly request: string;
  readonly response: string | null;
  readonly milliseconds: number | null;
  /** In US dollars. */
  readonly cost: number | null;
  readonly reused: boolean;
  readonly verdict: LineVerdict | null;
  readonly grade: Grade | null;
}

/** Joins a request with its answer. */
export function joinLine({
  line,
  asked,
  request,
  response,
  milliseconds,
  cost,
  reused,
  verdict,
  grade,
}: LineText): ResultDetail {
  const body = readRequest(request);
  return {
    line,
    asked,
    customId: customIdOf(request) ?? idOfLine(line),
    question: questionOf(body),
    messages: body.messages,
    model: body.model,
    ...(response === null ? waiting : readOutcome(response)),
    milliseconds,
    cost,
    reused,
    verdict,
    grade,
    values: {},
    rawRequest: request,
    rawResponse: response,
  };
}

/** The last message of the user in a request. */
export function readQuestion(request: string): string {
  return questionOf(readRequest(request));
}

function questionOf({ messages }: z.infer<typeof requestSchema>["body"]): string {
  const question = messages.findLast((message) => message.role === "user");
  return question === undefined ? "" : messageText(question);
}

/** The same for the table: long texts cut, the rest left out. */
export function toRow(detail: ResultDetail): ResultRow {
  const { line, customId, state, finishReason, errorCode, milliseconds, cost, reused, verdict, grade } = detail;
  const { promptTokens, completionTokens } = detail;
  return {
    line,
    customId,
    question: cut(detail.question),
    state,
    answer: cut(detail.answer),
    finishReason,
    errorCode,
    promptTokens,
    completionTokens,
    milliseconds,
    cost,
    reused,
    verdict,
    grade,
    values: state === "answered" ? readValues(detail.answer) : {},
  };
}

const waiting = {
  state: "waiting",
  answer: "",
  finishReason: null,
  promptTokens: null,
  completionTokens: null,
  requestId: null,
  statusCode: null,
  errorCode: null,
} as const;

type Outcome = Pick<ResultDetail, keyof typeof waiting>;

/** The result of a request, by its line of the output or error file. */
export function readOutcome(text: string): Outcome {
  return parseOutcome(JSON.parse(text));
}

/** The same, by what the line holds. */
export function parseOutcome(line: unknown): Outcome {
  return toOutcome(line).outcome;
}

/** What is remembered of an answer for every line, by what a line of the output or error file holds. */
export function toFacts(line: unknown): AnswerFacts {
  const { outcome, model, cachedTokens } = toOutcome(line);
  const { finishReason, errorCode, promptTokens, completionTokens } = outcome;
  return { model, finishReason, errorCode, promptTokens, cachedTokens, completionTokens };
}

interface FullOutcome {
  readonly outcome: Outcome;
  readonly model: string | null;
  readonly cachedTokens: number;
}

const noUsage = { model: null, cachedTokens: 0 };

function toOutcome(line: unknown): FullOutcome {
  const { response, error } = answerSchema.parse(line);
  if (response === null) {
    const errorCode = error?.code ?? "skipped";
    return { outcome: { ...waiting, state: "skipped", answer: error?.message ?? "", errorCode }, ...noUsage };
  }
  const { status_code: statusCode, request_id: requestId, body } = response;
  if (statusCode !== 200) {
    const { message, code } = failureBodySchema.parse(body).error;
    // Whatever failed has a code, so that it can be grouped by it.
    const errorCode = code ?? `http_${statusCode}`;
    return { outcome: { ...waiting, state: "failed", answer: message, requestId, statusCode, errorCode }, ...noUsage };
  }
  const { model, choices, usage } = completionSchema.parse(body);
  const outcome = {
    state: "answered",
    answer: choices[0]?.message.content ?? "",
    finishReason: choices[0]?.finish_reason ?? null,
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    requestId,
    statusCode,
    errorCode: null,
  } as const;
  return { outcome, model: model ?? null, cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0 };
}

function cut(text: string): string {
  return text.length > longestText ? text.slice(0, longestText).toWellFormed() : text;
}
