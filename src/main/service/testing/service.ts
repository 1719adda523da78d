import { onTestFinished } from "vitest";
import { createManualClock, type ManualClock } from "../clock/index.ts";
import { createService, type ServiceOptions } from "../create-service.ts";
import { createValidationThread, type Files, type ValidationThread } from "../files/index.ts";
import { createSilentLogger } from "../logger/index.ts";
import type { Service } from "../service.ts";
import type { BatchRecord, FileRecord } from "../store/index.ts";
import { createJudgeThread, type JudgeThread } from "../verifications/index.ts";
import { defaultWorkerUrls } from "../worker-urls.ts";
import { createTestEngine } from "./engines.ts";

/** A service on a clock that stands still, closed when the test ends. */
export interface TestService extends Service {
  readonly clock: ManualClock;
  /** Uploads the content and makes a batch from it. */
  submit(content: string): Promise<BatchRecord>;
  /** The same, and waits for its end. */
  run(content: string): Promise<BatchRecord>;
  /** The lines of a file, parsed. */
  lines(fileId: string | null): Promise<unknown[]>;
}

let validation: ValidationThread | null = null;

/** The thread that checks input files for the services of all tests of a process: it takes longer to start than most tests run. */
export function sharedValidation(): ValidationThread {
  validation ??= createValidationThread(defaultWorkerUrls().validation);
  return validation;
}

let judge: JudgeThread | null = null;

/** The same for the thread that judges and grades. */
export function sharedJudge(): JudgeThread {
  judge ??= createJudgeThread(defaultWorkerUrls().judge);
  return judge;
}

export async function openTestService(
  options: Partial<ServiceOptions> & { clock?: ManualClock } = {},
): Promise<TestService> {
  const { clock = createManualClock(), engine = createTestEngine(), dataDir, ...rest } = options;
  const storage = dataDir === undefined ? { ephemeral: true as const } : { dataDir, ephemeral: false as const };
  const service = await createService({
    logger: createSilentLogger(),
    validation: sharedValidation(),
    judge: sharedJudge(),
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
