import { z } from "zod";
import {
  type Agreement,
  awaitedCode,
  chatMessageSchema,
  type FormVerdict,
  type Grade,
  kindOfError,
  type LineVerdict,
  type ResultDetail,
  type ResultRow,
  type VerdictCounts,
} from "#contract";
import { findError, readAnswer, readErrorValue, readRequestText } from "#main/answers";
import { asObject } from "#main/base";
import type { AnswerFacts } from "#main/storage";
import { parseJson } from "#main/storage";
import { readValues } from "./answer-values.ts";
import { cutText } from "./cut-text.ts";
import { findContent } from "./find-content.ts";
import { namePictures, withoutPictureData } from "./sent-pictures.ts";

/** What is read of a request. */
export const requestSchema = z.object({
  custom_id: z.string(),
  body: z.object({ model: z.string(), messages: z.array(chatMessageSchema) }),
});

/** The custom_id of a request; null for a line that has none: a batch that ended before its check may have such. */
export function customIdOf(text: string): string | null {
  return idOf(parseJson(text));
}

function idOf(request: unknown): string | null {
  return isObject(request) && typeof request.custom_id === "string" ? request.custom_id : null;
}

/** Stands for the custom_id of a line without one. */
export function idOfLine(line: number): string {
  return `line-${line}`;
}

/** The line of a request that is damaged on disk, from its result: the message has it, as `describeDamaged` and `skipWaiting` write it. */
export function lineOfDamaged(result: unknown): number | undefined {
  if (!isObject(result) || result.custom_id !== null) return undefined;
  const { response, error } = result;
  const body = isObject(response) && isObject(response.body) ? response.body.error : error;
  const message = isObject(body) && typeof body.message === "string" ? body.message : "";
  const [, line] = /^Line (\d+)\b/.exec(message) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** A line of the input and the result of it, as text. */
export interface LineText {
  readonly line: number;
  readonly asked: ResultDetail["asked"];
  readonly request: string;
  /** True where the request's bytes are not those that were checked. */
  readonly isRequestDamaged: boolean;
  readonly response: string | null;
  /** True where there was an answer, and its bytes are not those that were written. */
  readonly isDamaged: boolean;
  readonly milliseconds: number | null;
  /** In US dollars. */
  readonly cost: number | null;
  readonly reused: boolean;
  readonly verdict: LineVerdict | null;
  readonly claims: VerdictCounts | null;
  readonly form: FormVerdict | null;
  readonly agreement: Agreement | null;
  /** In exports only. */
  readonly verifyReason?: string;
  readonly verifyClaim?: string;
  readonly verifyPassage?: string | null;
  readonly grade: Grade | null;
}

/** What a table has of a line: all but the conversation. */
export type ResultLine = Omit<ResultDetail, "messages" | "values" | "rawRequest" | "rawResponse">;

/** Reads a request and its answer, which were checked when they were written: parsing is most of what it costs. */
export function readLine({ request, isRequestDamaged, response, isDamaged, ...others }: LineText): ResultLine {
  const value = isRequestDamaged ? undefined : parseJson(request);
  const body = bodyOf(value);
  return {
    customId: isRequestDamaged ? (idOf(parseJson(response ?? "")) ?? "") : (idOf(value) ?? idOfLine(others.line)),
    question: isRequestDamaged ? damagedRequest : body === null ? "" : readRequestText(body),
    ...readPicture(body),
    model: typeof body?.model === "string" ? body.model : "",
    ...(isDamaged ? damaged : response === null ? waiting : readOutcome(response)),
    ...others,
  };
}

function readPicture(body: JsonObject | null): Pick<ResultRow, "picture"> {
  const picture = body === null ? null : namePictures(body);
  return picture === null ? {} : { picture };
}

const damagedRequest = "This request is damaged on disk.";

/** Joins a request with its answer. What is no conversation is shown as one question. */
export function joinLine(text: LineText): ResultDetail {
  const { isRequestDamaged, response } = text;
  const line = readLine(text);
  const request = isRequestDamaged ? "" : text.request;
  const asked = line.question === "" ? [] : [{ role: "user" as const, content: line.question }];
  const messages = requestSchema.safeParse(parseJson(request)).data?.body.messages ?? asked;
  return { ...line, messages: withoutPictureData(messages), values: {}, rawRequest: request, rawResponse: response };
}

/** The last message of the user in a request. */
export function readQuestion(request: string): string {
  const body = bodyOf(parseJson(request));
  return body === null ? "" : readRequestText(body);
}

/** The names of the pictures that a request sends; null where it sends none. */
export function readPictureNames(request: string): string | null {
  const body = bodyOf(parseJson(request));
  return body === null ? null : namePictures(body);
}

/** The body of a request that was parsed; null for what is none. */
export function bodyOf(request: unknown): JsonObject | null {
  return isObject(request) && isObject(request.body) ? request.body : null;
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same for the table: long texts cut, the rest left out. `cut`: how texts are cut; `wholeText` leaves them as they are. */
export function toRow(whole: ResultLine, cut = cutText): ResultRow {
  const { asked, model, requestId, statusCode, partial, pictures, reasoning, calls, otherChoices, ...counted } = whole;
  const { cachedTokens, cacheWriteTokens, reasoningTokens, ...line } = counted;
  const { state, question, answer, picture } = line;
  const values = state === "answered" ? readValues(whole, cut) : {};
  const thought = reasoning === null ? null : cut(reasoning);
  const shown = picture === undefined ? {} : { picture: cut(picture) };
  return { ...line, ...shown, question: cut(question), answer: cut(answer), reasoning: thought, values };
}

const waiting = {
  state: "waiting",
  answer: "",
  calls: [] as ResultDetail["calls"],
  otherChoices: [] as readonly string[],
  reasoning: null,
  pictures: [] as readonly string[],
  partial: null,
  finishReason: null,
  end: null,
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  requestId: null,
  statusCode: null,
  errorCode: null,
} as const;

type Outcome = Pick<ResultDetail, keyof typeof waiting>;

/** In place of an answer whose bytes are not those that were written. */
const damaged = {
  ...waiting,
  state: "damaged",
  answer: "The disk changed or lost this answer. It can be asked again.",
  errorCode: "file_damaged",
} as const;

/** The result of a request, by its line of the output or error file. */
export function readOutcome(text: string): Outcome {
  try {
    return toOutcome(JSON.parse(text)).outcome;
  } catch {
    return damaged;
  }
}

/** The answer of a line of the output file; null for a line that has none. */
export function readAnswered(text: string): string | null {
  const content = findContent(text);
  if (content !== undefined) return content;
  const { state, answer } = readOutcome(text);
  return state === "answered" ? answer : null;
}

/** The result of a request, by what its line holds. Throws when it is no line of an output or error file. */
export function parseOutcome(line: unknown): Outcome & { readonly answeredBy: string | null } {
  const { outcome, model } = toOutcome(line);
  return { ...outcome, answeredBy: model };
}

const idMember = /"custom_id":("(?:[^"\\]|\\.)*")/;

/** The custom_id of a line that is damaged elsewhere; null where that can't be read. */
export function findCustomId(text: string): string | null {
  const [, id = ""] = idMember.exec(text) ?? [];
  const found = parseJson(id);
  return typeof found === "string" ? found : null;
}

/** What is remembered of an answer for every line, by what a line of the output or error file holds. */
export function toFacts(line: unknown): AnswerFacts {
  const { outcome, model, cachedTokens, reasoningTokens, bill } = toOutcome(line);
  const { finishReason, end, errorCode, promptTokens, completionTokens } = outcome;
  return { model, finishReason, end, errorCode, promptTokens, cachedTokens, completionTokens, reasoningTokens, bill };
}

interface FullOutcome {
  readonly outcome: Outcome;
  readonly model: string | null;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly bill?: AnswerFacts["bill"];
}

const noUsage = { model: null, cachedTokens: 0, reasoningTokens: 0 };

/** @throws Error when it is no line of an output or error file */
function toOutcome(line: unknown): FullOutcome {
  const { response, error } = isObject(line) ? line : noLine;
  if (response === null) {
    const failure = error === null ? null : readFailure(error);
    if (failure === undefined) throw new Error(notALine);
    const errorCode = failure?.code ?? "skipped";
    return { outcome: { ...waiting, state: "skipped", answer: failure?.message ?? "", errorCode }, ...noUsage };
  }
  if (!isObject(response)) throw new Error(notALine);
  const { status_code: statusCode, request_id: requestId, body } = response;
  if (!isInteger(statusCode) || typeof requestId !== "string") throw new Error(notALine);
  const { error: failure, raw_answer: raw } = isObject(body) ? body : noLine;
  // What is no answer may have been paid all the same: its service counted tokens.
  const counted = typeof raw === "string" && statusCode !== 200 ? { ...asObject(body), ...usageOf(raw) } : body;
  const { model, cachedTokens, reasoningTokens, bill, ...read } = readAnswer(counted);
  const facts = { model, cachedTokens, reasoningTokens, bill };
  const answered = {
    ...waiting,
    ...read,
    cachedTokens: read.promptTokens === null ? null : cachedTokens,
    cacheWriteTokens: read.promptTokens === null ? null : (bill?.cacheWriteTokens ?? 0),
    reasoningTokens: read.completionTokens === null ? null : reasoningTokens,
    requestId,
    statusCode,
  } as const;
  // Files of other services may have an error with status 200.
  const found = statusCode === 200 ? findError(body) : null;
  if (statusCode === 200 && found === null) return { outcome: { ...answered, state: "answered" }, ...facts };
  const { message, code } = readFailure(failure) ?? readErrorValue(found ?? body) ?? { message: "", code: null };
  const errorCode = chooseCode(code, found?.status ?? statusCode);
  const partial = read.answer || (typeof raw === "string" ? raw : null);
  const outcome = {
    ...answered,
    state: errorCode === awaitedCode ? "awaited" : "failed",
    answer: message,
    partial,
    finishReason: null,
    end: null,
    errorCode,
  } as const;
  return { outcome, ...facts };
}

/** What a text that could not be read as an answer says that it cost. */
function usageOf(text: string): JsonObject {
  const { usage, model, service_tier } = asObject(parseJson(text));
  return { usage, model, service_tier };
}

/** Statuses of the account or the moment: the same request may pass later. */
const passingStatuses: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 429]);

/**
 * Whatever failed has a code, so that it can be grouped by it. Some services send one code that blames the request with every
 * status: the status counts then.
 */
function chooseCode(code: string | null, status: number): string {
  const isWrong = code !== null && passingStatuses.has(status) && kindOfError(code) === "invalid";
  return code === null || isWrong ? `http_${status}` : code;
}

const notALine = "It is no line of an output or error file.";
const noLine: JsonObject = {};

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function readFailure(error: unknown): { readonly message: string; readonly code: string | null } | undefined {
  if (!isObject(error) || typeof error.message !== "string") return undefined;
  const { message, code } = error;
  return { message, code: typeof code === "string" || typeof code === "number" ? String(code) : null };
}
