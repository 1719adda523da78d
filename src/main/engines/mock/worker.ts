import { createContext, Script } from "node:vm";
import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import type { ChatRequest } from "#contract";
import type { EngineError } from "#main/base";
import { countTokens } from "#main/requests";
import { serveWorker } from "#main/storage";
import { createRandom } from "../random.ts";
import { SchemaError } from "./check-schema.ts";
import { type Composition, composeCompletion, describeFailure } from "./compose-completion.ts";
import { composeInstance } from "./compose-instance.ts";

/** Milliseconds of the processor for each answer that a request asks for; most take a few. */
const longestWork = 250;

const taskSchema = z.object({
  /** The request as JSON: it was checked where it came in. */
  question: z.string(),
  /** Where its random numbers begin. */
  start: z.number(),
  reasons: z.boolean(),
});

/** A request to be answered. */
export type SchemaTask = z.infer<typeof taskSchema>;

function answer({ question, start, reasons }: SchemaTask): Composition | EngineError {
  const request: ChatRequest = JSON.parse(question);
  const compose = () => composeCompletion(request, start, reasons, composeInstance);
  try {
    const composition = workFor(longestWork * (request.n ?? 1), compose);
    if (composition === undefined) throw new SchemaError("#", "it takes too long to find a value that fits it");
    return composition;
  } catch (error) {
    return describeFailure(error, request);
  }
}

const context: { work: () => void } = { work: () => {} };
const box = createContext(context);
const script = new Script("work()");

/**
 * Does a piece of work that may never end, such as matching a pattern: it is stopped in the middle of whatever it does, after
 * `milliseconds` of the processor. On a busy machine the work is begun again with more time.
 * @returns what the work returned; undefined when it was stopped
 */
function workFor<T>(milliseconds: number, work: () => T): T | undefined {
  for (let timeout = milliseconds; ; timeout *= 2) {
    const before = process.threadCpuUsage();
    let result: T | undefined;
    context.work = () => {
      result = work();
    };
    try {
      script.runInContext(box, { timeout });
      return result;
    } catch (error) {
      if (!isTimeout(error)) throw error;
    } finally {
      context.work = () => {};
    }
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= milliseconds * 1_000 || timeout >= mostPatience * milliseconds) return undefined;
  }
}

/** The longest that is waited for a busy machine, in times of the work that is allowed. */
const mostPatience = 16;

/** The error comes from the box, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

const router = {
  answer: os
    .input(z.array(taskSchema))
    .output(z.array(z.custom<Composition | EngineError>()))
    .handler(({ input }) => input.map(answer)),
};

/** What the thread that makes values for JSON schemas can be asked. */
export type SchemaClient = RouterClient<typeof router>;

// What is needed takes longer to load, and to run for the first time, than most answers to compose: no line pays for it.
countTokens("a");
composeInstance({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }, createRandom(1));
serveWorker(router);
