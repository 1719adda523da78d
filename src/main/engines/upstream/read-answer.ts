import type { ChatRequest } from "#contract";
import { findError, isCompletion, parseBody } from "#main/answers";
import { isObject, type JsonObject, listObjects } from "#main/base";
import { isNestedTooDeep } from "#main/storage";
import { isEnd, isLastEvent, readData, usualEnd, writeEvent } from "./server-events.ts";

/** What a translation of another API's answer needs beside it. */
export interface Additions {
  readonly id: string;
  /** In Unix seconds. */
  readonly created: number;
  readonly request: ChatRequest;
  /** Called when an error comes in place of a chunk: the rest of the stream is awaited, which may never end. */
  readonly onStreamError?: () => void;
}

/** A chat completion as it came: nothing is added to it and nothing is taken away. Null when it is none. */
export function readCompletion(value: unknown): JsonObject | null {
  return isCompletion(value) ? value : null;
}

/** A stream that ended before its end: with an error in it, cut, or with something else in it. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  /** What the service sent in place of the next piece; null where it only ended. */
  readonly body: JsonObject | null;
  /** That event and all after it, as they came, where a client in the same dialect can have them. */
  readonly events: readonly string[];

  constructor(message: string, body: JsonObject | null = null, events: readonly string[] = []) {
    super(message);
    this.body = body;
    this.events = events;
  }
}

const events = new WeakMap<JsonObject, string>();

/** A chunk as an event: the one that it came in, where it has come in one. */
export function writeChunk(chunk: JsonObject): string {
  return events.get(chunk) ?? writeEvent(JSON.stringify(chunk));
}

/** An event that has nothing of an answer, such as a comment that keeps the connection open, as a chunk that adds nothing. */
function createEmptyChunk(event: string): JsonObject {
  const chunk = { choices: [] };
  events.set(chunk, event);
  return chunk;
}

/** A chunk of an event, which is kept; null for the usual last one. A StreamError for what is no part of an answer. */
export function readChunk(event: string): JsonObject | StreamError | null {
  if (event === usualEnd) return null;
  const data = readData(event);
  if (data === null || isEnd(data)) return createEmptyChunk(event);
  const value = parseBody(data);
  const error = findError(value);
  if (error !== null && isObject(value)) {
    return new StreamError(`The upstream's stream ended with an error: ${error.message}`, value, [event]);
  }
  if (!isObject(value) || !Array.isArray(value.choices) || isNestedTooDeep(value)) {
    return new StreamError("The upstream's stream has an event that is no chunk of a chat completion.", null, [event]);
  }
  if (isStrict(data)) events.set(value, event);
  return value;
}

/** Whether a text that could be read is JSON for any client: not with numbers that only Python knows. */
export function isStrict(text: string): boolean {
  if (!/Infinity|NaN/.test(text)) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The chunks of a stream as they came. Throws when it breaks off before its `[DONE]` and before the reason to finish of each
 * choice, or has something else in it: then with all events that come after, up to `[DONE]`.
 */
export async function* readChunks(
  events: AsyncIterable<string>,
  { onStreamError }: Pick<Additions, "onStreamError"> = {},
): AsyncGenerator<JsonObject, void> {
  const unfinished = new Map<unknown, boolean>();
  let broken: StreamError | null = null;
  const rest: string[] = [];
  try {
    for await (const event of events) {
      if (broken !== null) {
        rest.push(event);
        if (isLastEvent(event)) break;
        continue;
      }
      const chunk = readChunk(event);
      if (chunk === null) return;
      if (chunk instanceof StreamError) {
        broken = chunk;
        onStreamError?.();
        continue;
      }
      for (const { index = 0, finish_reason: reason } of listObjects(chunk.choices)) {
        unfinished.set(index, typeof reason !== "string" && unfinished.get(index) !== false);
      }
      yield chunk;
      if (isLastEvent(event)) return;
    }
  } catch (error) {
    // The server's own error says more than how its stream ended after it.
    if (broken === null) throw error;
  }
  if (broken !== null) throw new StreamError(broken.message, broken.body, [...broken.events, ...rest]);
  if (unfinished.size > 0 && ![...unfinished.values()].includes(true)) return;
  throw new StreamError("The upstream's stream broke off before its end.");
}
