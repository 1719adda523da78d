import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { findEntry } from "#app-paths";
import { createManualClock } from "#main/base";
import type { Files } from "#main/batches";
import { createValidationThread, type ValidationThread } from "#main/requests";
import { createSearchThread, type SearchThread } from "#main/results";
import type { BatchRecord, FileRecord } from "#main/storage";
import { createJudgeThread, type JudgeThread } from "#main/verifications";
import type { ManualClock } from "../../base/clock/adjustable-clock.ts";
import { createSilentLogger } from "../../base/logger.ts";
import { createService, type Service } from "../create-service.ts";
import type { ServiceOptions } from "../options.ts";
import { createTestEngine } from "./engines.ts";

/** A service on a clock that is turned by hand, closed when the test ends. */
export interface TestService extends Service {
  readonly clock: ManualClock;
  /** Uploads the content and makes a batch from it. */
  submit(content: string): Promise<BatchRecord>;
  /** The same, and waits for its end. */
  run(content: string): Promise<BatchRecord>;
  /** The lines of a file, parsed. */
  lines(fileId: string | null): Promise<unknown[]>;
}

let threads: { validation: ValidationThread; judge: JudgeThread; search: SearchThread } | null = null;

/** The threads that check, judge, grade and search for the services of all tests of a process: they take longer to start than most tests run. */
export function sharedThreads() {
  threads ??= {
    validation: createValidationThread(findEntry("validation-worker")),
    judge: createJudgeThread(findEntry("judge-worker")),
    search: createSearchThread(findEntry("search-worker")),
  };
  return threads;
}

export async function openTestService(
  options: Partial<ServiceOptions> & { clock?: ManualClock } = {},
): Promise<TestService> {
  const { clock = createManualClock(), engine = createTestEngine(), dataDir, ...rest } = options;
  const storage = dataDir === undefined ? { ephemeral: true as const } : { dataDir, ephemeral: false as const };
  const service = await createService({
    logger: createSilentLogger(),
    ...sharedThreads(),
    ...rest,
    engine,
    clock,
    ...storage,
  });
  onTestFinished(() => service.close(0));

  async function submit(content: string): Promise<BatchRecord> {
    const { id } = await upload(service.files, content);
    return service.batches.create({ inputFileId: id, endpoint: "/v1/chat/completions", completionWindow: "24h" });
  }
  return {
    ...service,
    clock,
    submit,
    run: async (content) => service.batches.settled((await submit(content)).id),
    async lines(fileId) {
      const content = fileId === null ? "" : await readContent(service.files.read(fileId));
      return content === ""
        ? []
        : content
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line));
    },
  };
}

/** Uploads a batch input file. */
export async function upload(files: Files, content: string | Uint8Array): Promise<FileRecord> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const pending = await files.receive(
    (async function* () {
      yield bytes;
    })(),
  );
  return pending.store({ filename: "input.jsonl", purpose: "batch" });
}

export async function readContent(
  content: AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
): Promise<string> {
  return Buffer.concat(await Array.fromAsync(await content)).toString();
}

const repository = new URL("../../../../", import.meta.url);
const questionSchema = z.object({ question: z.string() });

/** The GSM8K test questions: all 1,319 where they lie next to the repository, else the 200 of the example. */
export function readGsm8kQuestions(): string[] {
  const whole = new URL("../shared/data/gsm8k/test.jsonl", repository);
  const file = existsSync(whole) ? whole : new URL("examples/gsm8k-200.jsonl", repository);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => questionSchema.parse(JSON.parse(line)).question);
}

/** One line of a batch input file. `changes` replaces fields of the line, `body` fields of its body. */
export function requestLine(
  customId: string,
  question: string,
  { body = {}, ...changes }: { body?: Record<string, unknown>; [field: string]: unknown } = {},
): string {
  return JSON.stringify({
    custom_id: customId,
    method: "POST",
    url: "/v1/chat/completions",
    body: {
      model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
      messages: [{ role: "user", content: question }],
      ...body,
    },
    ...changes,
  });
}

export function toJsonl(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A valid input file of `count` requests, `q-1` … */
export function fileOf(count: number): string {
  return toJsonl(Array.from({ length: count }, (_, at) => requestLine(`q-${at + 1}`, `Question ${at + 1}?`)));
}

/** A folder of its own for the test that runs. */
export async function makeTempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "sheaf-test-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
