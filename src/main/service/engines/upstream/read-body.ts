import type { Readable } from "node:stream";
import { createParser } from "eventsource-parser";

/** More than any chat completion has, in bytes. */
const mostBytes = 64 * 1024 * 1024;

/** The whole body as text. Rejects when it breaks off, and when it is longer than any answer. */
export async function readText(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > mostBytes) throw new Error(`The answer is longer than ${mostBytes} bytes.`);
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The data of each server-sent event. */
export async function* readEvents(body: Readable): AsyncGenerator<string, void> {
  const events: string[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  for await (const piece of body) {
    parser.feed(decoder.decode(Buffer.from(piece), { stream: true }));
    yield* events.splice(0);
  }
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
