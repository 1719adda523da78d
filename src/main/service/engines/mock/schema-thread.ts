import type { ChatRequest } from "#contract";
import { createQueue, createWorkerThread } from "../../io/index.ts";
import type { EngineError } from "../../ports.ts";
import { SchemaError } from "./check-schema.ts";
import { type Composition, describeFailure } from "./compose-completion.ts";
import type { SchemaClient } from "./worker.ts";

/** In megabytes; most values need less than one beyond what the thread itself takes. */
const mostMemory = 256;

/** Composes answers to requests that bring JSON schemas, in a thread of their own: some schemas take for ever. */
export interface SchemaThread {
  /** `question` is the request as JSON. Rejects with the signal's reason. */
  answer(question: string, task: SchemaTask): Promise<Composition | EngineError>;
  close(): Promise<void>;
}

interface SchemaTask {
  readonly request: ChatRequest;
  /** Where its random numbers begin. */
  readonly start: number;
  readonly reasons: boolean;
  readonly signal: AbortSignal;
}

/** The thread starts with the first request. */
export function createSchemaThread(url: URL): SchemaThread {
  const thread = createWorkerThread<SchemaClient>({
    url,
    name: "sheaf-schemas",
    closedMessage: "The engine was closed.",
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  // One at a time: should the memory not be enough, it is known for which of them.
  const inTurn = createQueue();

  return {
    answer: (question, { request, start, reasons, signal }) =>
      inTurn(async () => {
        signal.throwIfAborted();
        try {
          return await thread.client().answer({ question, start, reasons });
        } catch (error) {
          if (!isOutOfMemory(error)) throw error;
          return describeFailure(
            new SchemaError("#", "it takes too much memory to find a value that fits it"),
            request,
          );
        } finally {
          signal.throwIfAborted();
        }
      }),
    close: () => thread.close(),
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
