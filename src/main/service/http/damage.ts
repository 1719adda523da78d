import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply } from "fastify";

/** How many pieces of a streamed answer get through whole before it is damaged. */
const wholePieces = 3;

/** The answer up to its middle, or the first pieces of a stream. Then the connection is closed, without an end. */
export function cutOff(reply: FastifyReply, payload: unknown): Readable {
  if (payload instanceof Readable) return Readable.from(breakOff(takeStart(payload)));
  const body = toBuffer(payload);
  reply.header("content-length", Math.max(body.length, 1));
  return Readable.from(breakOff([halve(body)]));
}

/** Half of the JSON in complete HTTP; in a stream, half an event in the middle, and the end. */
export function malform(reply: FastifyReply, payload: unknown): Readable | Buffer {
  if (payload instanceof Readable) {
    reply.removeHeader("content-length");
    const isEvents = String(reply.getHeader("content-type")).startsWith("text/event-stream");
    return Readable.from(isEvents ? append(takeStart(payload), "\n\n") : takeStart(payload));
  }
  const half = halve(toBuffer(payload));
  reply.header("content-length", half.length);
  return half;
}

type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

async function* breakOff(pieces: Pieces): AsyncGenerator<Buffer, void> {
  yield* pieces;
  // What was written leaves the process first.
  await nextTurn();
  throw new Error("The connection is dropped, as the faults ask for.");
}

async function* append(pieces: Pieces, end: string): AsyncGenerator<Buffer, void> {
  yield* pieces;
  yield Buffer.from(end);
}

/** The first pieces, and half of the one after them; of an answer with fewer, half of its last. */
async function* takeStart(stream: Readable): AsyncGenerator<Buffer, void> {
  let held: Buffer = Buffer.alloc(0);
  let count = 0;
  for await (const piece of stream) {
    if (count > 0) yield held;
    held = toBuffer(piece);
    count += 1;
    if (count > wholePieces) break;
  }
  yield halve(held);
}

function halve(body: Buffer): Buffer {
  return body.subarray(0, Math.ceil(body.length / 2));
}

function toBuffer(payload: unknown): Buffer {
  if (payload === undefined || payload === null) return Buffer.alloc(0);
  return Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload));
}
