import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Machine } from "#main/base";

declare module "fastify" {
  interface FastifyInstance {
    readonly lingering: LingeringClose;
  }
}

/** How long input is dropped before a connection ends, in milliseconds. */
const longestDrop = 30_000;
/** How many bytes of it. */
const mostDropped = 64_000_000;
/** How many connections have their input dropped at once. The others wait, and their clients with them. */
const mostAtOnce = 8;

/**
 * Closes connections whose clients may still send, as nginx does with `lingering_close`. A connection that ends with unread
 * input is reset, and then its client loses the answer that it has not read yet.
 */
export interface LingeringClose {
  /**
   * Prepares the answer to a request whose body nobody reads any more. It goes out at once with `connection: close`; the
   * connection ends when the client has sent its body, or after 30 s or 64 MB of it.
   */
  afterAnswer(reply: FastifyReply): void;
  /** Writes an answer to what never became a request, and ends the connection in the same way. */
  endWith(socket: Socket, answer: string): void;
  /** Whether a connection has been given its last answer. */
  isEnding(socket: Socket): boolean;
  /** Ends all of these connections now, and later ones at once. */
  stop(): void;
}

/** Its limits are of time on `machine`. */
export function createLingeringClose(machine: Machine): LingeringClose {
  const ending = new WeakSet<Socket>();
  const waiting: (() => void)[] = [];
  /** For each connection whose input is dropped at the moment, what ends it. */
  const dropping = new Set<() => void>();
  let isStopped = false;

  function startNext(): void {
    while (dropping.size < mostAtOnce && waiting.length > 0) waiting.shift()?.();
  }

  /** @param input what the client sends: a body, or all that comes on the connection */
  function drop(socket: Socket, input: Readable): void {
    waiting.push(() => {
      if (isStopped || socket.destroyed || input.readableEnded) return socket.destroySoon();
      let dropped = 0;
      const cancel = machine.after(longestDrop, end);
      function end(): void {
        if (!dropping.delete(end)) return;
        cancel();
        socket.destroySoon();
        startNext();
      }
      dropping.add(end);
      input.on("data", ({ length }: Buffer) => {
        dropped += length;
        if (dropped >= mostDropped) end();
      });
      input.once("end", end);
      socket.once("close", end);
      input.resume();
    });
    startNext();
  }

  return {
    afterAnswer(reply) {
      const { raw: body, inflated } = reply.request;
      const { socket, headers } = body;
      const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
      if (!hasBody || body.complete || body.destroyed) return;
      reply.header("connection", "close");
      ending.add(socket);
      body.unpipe();
      inflated?.destroy();
      body.pause();
      // Node drops what no one has begun to read, without a limit.
      body.read();
      // Node calls this when the answer has been written.
      socket.destroySoon = () => {
        Reflect.deleteProperty(socket, "destroySoon");
        drop(socket, body);
      };
    },
    endWith(socket, answer) {
      ending.add(socket);
      socket.end(answer);
      // From here on nothing is read as a request: with a listener of ours, node takes its parser off the connection.
      socket
        .removeAllListeners("data")
        .on("data", () => undefined)
        .pause();
      drop(socket, socket);
    },
    isEnding: (socket) => ending.has(socket),
    stop() {
      isStopped = true;
      for (const end of dropping) end();
    },
  };
}
