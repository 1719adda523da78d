import { createChunkJoiner, findError, parseBody } from "#main/answers";
import { type EngineAnswer, type EngineError, isObject } from "#main/base";
import { isNestedTooDeep } from "#main/storage";
import { createEngineError } from "../engine-error.ts";
import { describeFailedAnswer, describeUnreadable } from "./failures.ts";
import { type Additions, isStrict, StreamError } from "./read-answer.ts";
import type { Failure } from "./retry.ts";
import { listEvents } from "./server-events.ts";
import type { UpstreamHeaders } from "./transport.ts";
import type { UpstreamApi } from "./upstream-api.ts";

/**
 * Reads what a server sent with success. All of it may have cost, so that none of it is a reason to ask again: an answer
 * (also one that streams though nobody asked for that), an error with what came of the answer, or a text that is neither.
 */
export async function readBody(
  text: string,
  headers: UpstreamHeaders,
  api: UpstreamApi,
  additions: Additions,
): Promise<EngineAnswer | Failure> {
  const type = headers["content-type"] ?? "";
  const value = parseBody(text);
  if (value === undefined && (type.includes("event-stream") || beginsAsEvents.test(text))) {
    return (await joinStream(text, api, additions)) ?? settle(describeUnreadable(text, type));
  }
  // What is nested so deep can't be written again.
  if (value === undefined || isNestedTooDeep(value)) return settle(describeUnreadable(text, type));
  const error = findError(value);
  if (error?.isOfPath) {
    return { error: createEngineError({ status: 404, message: error.message }), retryable: false, retryAfter: null };
  }
  if (error !== null) return settle(describeFailedAnswer(error, isObject(value) ? value : {}));
  const body = api.read(value, additions);
  if (body === null) return settle(describeUnreadable(text, type));
  return { statusCode: 200, body, ...(body === value && isStrict(text) && { json: text }) };
}

const beginsAsEvents = /^\s*(?:(?:data|event|id|retry) ?:|:)/;

/** Null where the stream has no piece of an answer, and no error either. */
async function joinStream(
  text: string,
  api: UpstreamApi,
  additions: Additions,
): Promise<EngineAnswer | Failure | null> {
  const joiner = createChunkJoiner();
  let stopped: StreamError | null = null;
  try {
    const request = { ...additions.request, stream_options: { include_usage: true } };
    for await (const chunk of api.readStream(iterate(listEvents(text)), { ...additions, request })) joiner.add(chunk);
  } catch (error) {
    stopped =
      error instanceof StreamError ? error : new StreamError(error instanceof Error ? error.message : `${error}`);
  }
  const answer = joiner.answer();
  if (stopped === null) return answer && { statusCode: 200, body: answer };
  const error = findError(stopped.body);
  if (error === null && answer === null) return null;
  const found = error ?? { status: 502, message: stopped.message, error: {} };
  return settle(
    describeFailedAnswer(found, { ...answer, ...stopped.body, ...(answer && { choices: answer.choices }) }),
  );
}

async function* iterate<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

function settle(error: EngineError): Failure {
  return { error: { ...error, isSettled: true }, retryable: false, retryAfter: null };
}
