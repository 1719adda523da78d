import { MessageChannel, MessagePort, parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { createORPCClient, mapEventIterator, type NestedClient, ORPCError } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { AnyRouter } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { z } from "zod";
import type { Machine } from "#main/base";
import { createSystemMachine, ServiceError } from "#main/base";
import { isErrno, toError } from "./error.ts";
import { type ThreadWatch, watchThread } from "./watch-thread.ts";

/** How errors of a part's own kind cross the border of a thread; any other arrives as an Error with its stack. */
export interface ErrorCodec {
  /** The error as plain data; undefined for an error that is not of this kind. */
  serialize(error: unknown): object | undefined;
  /** The error again; undefined for data that is none. */
  deserialize(data: unknown): Error | undefined;
}

export interface WorkerThreadOptions {
  /** The entry of the thread, which calls `serveWorker`. */
  readonly url: URL;
  /** As debuggers show it. */
  readonly name: string;
  /** What calls reject with once it was closed. */
  readonly closedMessage: string;
  readonly errors?: ErrorCodec;
  readonly resourceLimits?: ResourceLimits;
  /**
   * How many milliseconds of its own processor time the thread may take for one step of a procedure, in which it handles no
   * message; default: a minute.
   */
  readonly longestStepMs?: (procedure: string) => number;
  /** What calls reject with when a step takes longer. */
  readonly stuckError?: () => Error;
  readonly machine?: Machine;
  /** What calls reject with when the thread has used up its memory. */
  readonly memoryError?: () => Error;
}

/**
 * A worker thread that answers the procedures of a router. It stays for a minute after its last call, and is then ended: nothing else
 * gives its memory back. Should it end or die, the next call starts another. One that is stuck in a step while calls wait is ended.
 */
export interface WorkerThread<Client> {
  /**
   * Starts the thread unless it runs. A call that its signal ends rejects with the signal's reason, one whose thread dies
   * with why that is.
   */
  client(): Client;
  /** Ends the thread that runs now, whatever it is at: its calls reject with the reason, the next call starts another. */
  stop(reason: Error): Promise<void>;
  /** Ends the thread for good. */
  close(): Promise<void>;
}

/** How long a thread without calls stays, in milliseconds. */
const idleMs = 60_000;

interface Running<Client> {
  readonly client: Client;
  end(reason: Error): Promise<void>;
}

export function createWorkerThread<Client extends NestedClient<Record<never, never>>>(
  options: WorkerThreadOptions,
): WorkerThread<Client> {
  const {
    url,
    name,
    closedMessage,
    errors,
    resourceLimits,
    longestStepMs = () => 60_000,
    stuckError = () =>
      new ServiceError("work_stopped", `This took too long and was stopped (${name}). Try a part of it.`),
    machine = createSystemMachine(),
  } = options;
  let running: Running<Client> | null = null;
  let closed = false;

  function start(): Running<Client> {
    const { port1: port, port2: theirs } = new MessageChannel();
    const limits = resourceLimits === undefined ? {} : { resourceLimits };
    // Node refuses a file as the entry of a thread that inherits this flag of `node --input-type=module --eval …`.
    const flags = process.execArgv.some((flag) => flag.startsWith("--input-type")) ? { execArgv: [] } : {};
    const own = { name, workerData: { port: theirs }, transferList: [theirs] };
    const thread = new Worker(url, { ...own, ...limits, ...flags });
    let failure: Error | null = null;
    const ended = Promise.withResolvers<void>();

    async function explain(error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
      if (signal?.aborted) return signal.reason;
      // The port of a thread that dies is closed before it is known what it died of.
      if (error instanceof Error && error.name === "AbortError") await ended.promise;
      return failure ?? deserializeError(error, errors);
    }
    /** Calls whose answer is not there, or not at its end. */
    let calls = 0;
    let cancelIdle = () => {};
    function beginCall(): void {
      calls += 1;
      cancelIdle();
    }
    function endCall(): void {
      calls -= 1;
      if (calls > 0 || failure !== null) return;
      cancelIdle = machine.after(idleMs, () => void started.end(new Error(`The thread ${name} had no calls.`)), {
        unref: true,
      });
    }
    /** The longest step of each call that waits. */
    const waiting: number[] = [];
    let watch: ThreadWatch | null = null;
    thread.on("message", () => watch?.onMessage());
    /** Waits for one message of the thread. Any message shows that it is not stuck. */
    async function expectMessage<T>(message: Promise<T>, longestStep: number): Promise<T> {
      waiting.push(longestStep);
      watch ??= watchThread({
        thread,
        machine,
        limitMs: () => Math.max(...waiting),
        onStuck: () => void started.end(stuckError()),
      });
      try {
        return await message;
      } finally {
        waiting.splice(waiting.indexOf(longestStep), 1);
        watch?.onMessage();
        if (waiting.length === 0) {
          watch?.end();
          watch = null;
        }
      }
    }
    const link = new RPCLink({
      port,
      experimental_transfer: ([, , payload]) => transferOf(payload),
      interceptors: [
        async ({ next, path, signal }) => {
          beginCall();
          const longestStep = longestStepMs(path.join("."));
          const expect = <T>(message: Promise<T>) => expectMessage(message, longestStep);
          try {
            const output = await expect(next());
            if (isStream(output)) {
              return mapErrors(awaitEach(output, expect, endCall), (error) => explain(error, signal));
            }
            endCall();
            return output;
          } catch (error) {
            endCall();
            throw await explain(error, signal);
          }
        },
      ],
    });

    function abandon(reason: Error): void {
      failure ??= reason;
      cancelIdle();
      watch?.end();
      ended.resolve();
      if (running === started) running = null;
      port.close();
    }
    thread.on("error", (error) => {
      const isOutOfMemory = isErrno(error, "ERR_WORKER_OUT_OF_MEMORY");
      abandon((isOutOfMemory ? options.memoryError?.() : undefined) ?? toError(error));
    });
    thread.on("exit", () => abandon(new ServiceError("work_stopped", `The worker thread ended (${name}). Try again.`)));
    const started: Running<Client> = {
      client: createORPCClient(link),
      async end(reason) {
        abandon(reason);
        await thread.terminate();
      },
    };
    return started;
  }

  return {
    client() {
      if (closed) throw new ServiceError("service_closing", closedMessage);
      running ??= start();
      return running.client;
    },
    stop: async (reason) => running?.end(reason),
    async close() {
      closed = true;
      await running?.end(new ServiceError("service_closing", closedMessage));
    },
  };
}

const workerDataSchema = z.object({ port: z.instanceof(MessagePort) });

/** The whole of a worker's entry: answers the router's procedures until the thread is ended. */
export function serveWorker(router: AnyRouter, errors?: ErrorCodec): void {
  const { port } = workerDataSchema.parse(workerData);
  // An answer that can't be sent ends the thread, and so its call. Electron would only warn, and the call wait for ever.
  process.on("unhandledRejection", (reason) => {
    // Of the DOMException that it is, the message does not cross.
    const { stack } = toError(reason);
    throw Object.assign(new Error(String(reason)), { stack });
  });
  const handler = new RPCHandler(router, {
    clientInterceptors: [
      async ({ next }) => {
        try {
          return mapErrors(await next(), (error) => serializeError(error, errors));
        } catch (error) {
          throw serializeError(error, errors);
        }
      },
    ],
    // Large tables of numbers change hands in place of being copied as text.
    experimental_transfer: ([, , payload]) => transferOf(payload),
  });
  // Between two steps, each look of the watch is answered. Only `port` keeps the thread alive.
  parentPort?.on("message", (message) => parentPort?.postMessage(message)).unref();
  handler.upgrade(port);
  port.start();
}

/** The same stream, whose next value is waited for by `expectMessage`. `onEnd` is called when it is returned, which `mapErrors` does at any end. */
function awaitEach(
  stream: AsyncGenerator<unknown>,
  expectMessage: <T>(message: Promise<T>) => Promise<T>,
  onEnd: () => void,
): AsyncGenerator<unknown> {
  return {
    next: () => expectMessage(stream.next()),
    return(value) {
      onEnd();
      return stream.return(value);
    },
    throw: (error) => stream.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: async () => void (await stream.return(undefined)),
  };
}

/** The same stream with its errors replaced; anything else as it is. */
function mapErrors(output: unknown, replace: (error: unknown) => unknown): unknown {
  if (!isStream(output)) return output;
  return mapEventIterator(output, { value: async (value) => value, error: async (error) => replace(error) });
}

function isStream(output: unknown): output is AsyncGenerator<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

function serializeError(error: unknown, codec: ErrorCodec | undefined): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  const own = codec?.serialize(error);
  if (own !== undefined) return new ORPCError("OWN", { data: own });
  const { message, stack = message } = toError(error);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  return new ORPCError("FAULT", { message, data: { stack, code } });
}

const faultSchema = z.object({ stack: z.string(), code: z.string().optional() });

function deserializeError(error: unknown, codec: ErrorCodec | undefined): unknown {
  if (!(error instanceof ORPCError)) return error;
  const own = error.code === "OWN" ? codec?.deserialize(error.data) : undefined;
  if (own !== undefined) return own;
  const fault = faultSchema.safeParse(error.data);
  if (error.code !== "FAULT" || !fault.success) return error;
  const { stack, code } = fault.data;
  return Object.assign(new Error(error.message), { stack, ...(code !== undefined && { code }) });
}

function transferOf(payload: unknown): ArrayBuffer[] | null {
  const buffers = findBuffers(payload);
  return buffers.size > 0 ? [...buffers] : null;
}

/** Longer lists are not searched. */
const mostSearched = 100;

/** The memory of the arrays of numbers in a message. */
function findBuffers(value: unknown): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) return new Set(value.buffer instanceof ArrayBuffer ? [value.buffer] : []);
  if (typeof value !== "object" || value === null) return new Set();
  if (Array.isArray(value) && value.length > mostSearched) return new Set();
  return new Set(Object.values(value).flatMap((member) => [...findBuffers(member)]));
}
