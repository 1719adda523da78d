import { createParser } from "eventsource-parser";
import { limitAnswer } from "./transport.ts";

/** An empty line, whichever way its lines end. */
const eventEnd = /(?:\r\n|(?<!\r)\n|\r(?!\n))(?:\r\n|\n|\r(?!\n|$))/g;
/** An end, and the character before it. */
const longestEnd = 5;

/**
 * The texts of server-sent events as they came, each with its empty line: with names, comments, and a comment that stands
 * alone. One that breaks off is none.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let tail = "";
  for await (const bytes of limitAnswer(body)) {
    const piece = decoder.decode(bytes, { stream: true });
    pieces.push(piece);
    tail += piece;
    if (tail.search(eventEnd) !== -1) {
      const [events, rest] = splitEvents(pieces.join(""));
      yield* events;
      pieces = [rest];
      tail = rest;
    }
    tail = tail.slice(-longestEnd);
  }
  // A CR at the end may have been half of a line end. Now it is known to be all of it.
  yield* splitEvents(`${pieces.join("")}:`)[0];
}

/** The events of a whole body. The last one may lack its empty line. */
export function listEvents(text: string): string[] {
  return splitEvents(`${text}\n\n`)[0];
}

function splitEvents(text: string): [events: string[], rest: string] {
  const events: string[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(eventEnd)) {
    events.push(text.slice(start, index + end.length));
    start = index + end.length;
  }
  return [events, text.slice(start)];
}

/** The data of an event; null where it is empty or missing, as in a comment: such an event says nothing. */
export function readData(event: string): string | null {
  let found = "";
  const onEvent = ({ data }: { data: string }) => {
    found = data;
  };
  createParser({ onEvent }).feed(event);
  return found.trim() === "" ? null : found;
}

/** An event with this data, and nothing else. */
export function writeEvent(data: string): string {
  return `${data
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join("")}\n`;
}

/** What a rule or a recording has of an event: all of it, which ends with an empty line and is no JSON; or its data. */
export function toEvent(text: string): string {
  return /[\r\n]{2}$/.test(text) && !/^\s*\{/.test(text) ? text : writeEvent(text);
}

/** Whether this data ends a stream of chunks. */
export function isEnd(data: string): boolean {
  return data.trim() === "[DONE]";
}

export function isLastEvent(event: string): boolean {
  return event.includes("[DONE]") && isEnd(readData(event) ?? "");
}

/** How most servers end a stream of chunks. */
export const usualEnd = writeEvent("[DONE]");
