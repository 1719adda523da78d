import type { ChatRequest } from "#contract";
import type { EngineError } from "#main/base";
import { createWorkerThread } from "#main/storage";
import { SchemaError } from "./check-schema.ts";
import { type Composition, describeFailure } from "./compose-completion.ts";
import type { SchemaClient, SchemaTask } from "./worker.ts";

/** In megabytes; most values need less than one beyond what the thread itself takes. */
const mostMemory = 256;
/** Requests that are sent to the thread at a time: to be asked one by one costs it more than most answers. */
const mostAtOnce = 16;
/** About how many characters they may have together: to write and read more in one go would hold up everything else. */
const mostCharacters = 200_000;

/** Composes answers to requests that bring JSON schemas, in a thread of their own: some schemas take for ever. */
export interface SchemaThread {
  /** Rejects with the signal's reason. */
  answer(task: SchemaTask, request: ChatRequest, signal: AbortSignal): Promise<Composition | EngineError>;
  close(): Promise<void>;
}

interface Call {
  readonly task: SchemaTask;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Composition | EngineError) => void;
  readonly reject: (reason: unknown) => void;
}

/** The thread starts with the first request. */
export function createSchemaThread(url: URL): SchemaThread {
  const thread = createWorkerThread<SchemaClient>({
    url,
    name: "sheaf-schemas",
    closedMessage: "The engine was closed.",
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  let waiting: Call[] = [];
  let isRunning = false;

  async function run(calls: readonly Call[]): Promise<void> {
    try {
      const answers = await thread.client().answer(calls.map(({ task }) => task));
      for (const [at, call] of calls.entries()) {
        const answer = answers[at];
        if (call.signal.aborted) call.reject(call.signal.reason);
        else if (answer === undefined)
          call.reject(new Error("The thread of schemas left a request without an answer."));
        else call.resolve(answer);
      }
    } catch (error) {
      if (!isOutOfMemory(error)) for (const { reject } of calls) reject(error);
      // Alone, each shows whether the memory was not enough for it.
      else if (calls.length > 1) for (const call of calls) await run([call]);
      else for (const { request, resolve } of calls) resolve(describeFailure(tooLarge, request));
    }
  }

  async function runAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length > 0) {
      for (const { signal, reject } of waiting) if (signal.aborted) reject(signal.reason);
      const left = waiting.filter(({ signal }) => !signal.aborted);
      const count = countAtOnce(left);
      waiting = left.slice(count);
      if (count > 0) await run(left.slice(0, count));
    }
    isRunning = false;
  }

  return {
    answer(task, request, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Composition | EngineError>();
      waiting.push({ task, request, signal, resolve, reject });
      void runAll();
      return promise;
    },
    close: () => thread.close(),
  };
}

/** How many of these are sent at a time: one at least, however long it is. */
function countAtOnce(calls: readonly Call[]): number {
  let characters = 0;
  const end = calls.findIndex(({ task }, at) => {
    characters += task.question.length;
    return at === mostAtOnce || (at > 0 && characters > mostCharacters);
  });
  return end === -1 ? calls.length : end;
}

const tooLarge = new SchemaError("#", "it takes too much memory to find a value that fits it");

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
