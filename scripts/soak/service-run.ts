import { createHash } from "node:crypto";
import { type Clock, createSystemClock, type Engine, type Ids, type Machine } from "#main/base";
import { createValidationThread } from "#main/requests";
import { createService, type Service } from "#main/service";
import { createJudgeThread } from "#main/verifications";
import { finalStatuses } from "../../src/contract/index.ts";
import { findEntry } from "../../src/main/app-paths.ts";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";

export const endpoint = "/v1/chat/completions";
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const say = (message: string, fields?: object) =>
  void (process.env.SHEAF_SOAK_LOG && process.stderr.write(`${message} ${JSON.stringify(fields)}\n`));
const silent = { debug() {}, info: say, warn: say, error: say };

// Of all services of this process: threads take longer to start than a folder takes to open.
const validation = createValidationThread(findEntry("validation-worker"));
const judge = createJudgeThread(findEntry("judge-worker"));

/** Ends what all services of this process share. */
export async function closeThreads(): Promise<void> {
  await validation.close();
  await judge.close();
}

/** An engine that says what it was asked, with answers that say nothing but what they answer. */
export interface NotingEngine extends Engine {
  /** The lines that were asked, as `<batch> <custom id>`. */
  readonly asked: string[];
}

const answerTo = (customId: string | undefined) => `To ${customId}: ${"x".repeat(40)}`;

/** Whether a line of an answer file has what the noting engine answers. */
export const isNotedAnswer = (line: string, customId: string) => line.includes(`"content":"${answerTo(customId)}"`);

/** `delay` in milliseconds of the computer for each answer, 0 for answers at once. */
export function createNotingEngine(delay: () => number = () => 0): NotingEngine {
  const machine = createSystemMachine();
  const asked: string[] = [];
  return {
    description: "noting",
    concurrency: 8,
    asked,
    stream: () => Promise.reject(new Error("Batches ask for whole answers.")),
    async complete({ request, line, signal }) {
      if (line !== null) asked.push(`${line.batchId} ${line.customId}`);
      const wait = delay();
      if (wait > 0) await machine.sleep(wait, signal);
      const message = { role: "assistant" as const, content: answerTo(line?.customId) };
      const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
      const choices = [{ index: 0, message, finish_reason: "stop" as const }];
      const body = { id: "c", object: "chat.completion" as const, created: 1, model: request.model, choices, usage };
      return { statusCode: 200, body };
    },
  };
}

/** Opens a folder as `sheaf serve` does. */
export async function openFolder(
  dataDir: string,
  engine: Engine,
  options: { readonly clock?: Clock; readonly ids?: Ids } = {},
): Promise<Service> {
  const common = { validation, judge, rateLimit: false, clock: createSystemClock(), logger: silent };
  return await createService({ ...common, ...options, dataDir, engine });
}

/** A batch input file of these requests. */
export function inputOf(customIds: readonly string[]): Buffer {
  const lines = customIds.map((id) => {
    const body = { model, messages: [{ role: "user", content: `Question ${id}` }] };
    return `${JSON.stringify({ custom_id: id, method: "POST", url: endpoint, body })}\n`;
  });
  return Buffer.from(lines.join(""));
}

export const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The bytes of a file as the service hands them out. */
export async function readFile(service: Service, id: string): Promise<Buffer> {
  return Buffer.concat(await (await service.files.read(id)).toArray());
}

/** The lines of a file, without their ends; none where there is no file. */
export async function readLines(service: Service, id: string | null): Promise<string[]> {
  if (id === null) return [];
  const text = (await readFile(service, id)).toString();
  if (!text.endsWith("\n")) throw new Error(`The file ${id} ends within a line.`);
  return text.slice(0, -1).split("\n");
}

/** Awaits the end of all batches; answers with those that have none after `longest` milliseconds, of the computer's time. */
export async function settleAll(service: Service, longest: number): Promise<string[]> {
  const machine = createSystemMachine();
  const end = machine.monotonic() + longest;
  for (;;) {
    const { batches } = service.batches.list({ limit: 10_000, trials: true });
    const open = batches.filter(({ status }) => !finalStatuses.has(status));
    if (open.length === 0 || machine.monotonic() > end) return open.map(({ id }) => id);
    await machine.sleep(10);
  }
}

/** Rejects with the problem where the work takes longer than `longest` milliseconds. */
export async function within<T>(work: Promise<T>, longest: number, machine: Machine, problem: string): Promise<T> {
  const over = Promise.withResolvers<never>();
  const cancel = machine.after(longest, () => over.reject(new Error(problem)));
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    cancel();
  }
}
