import type { Readable } from "node:stream";
import { batchEndpoint, type ChatRequest, completionWindow, type RequestedOutcome, type WrittenLine } from "#contract";
import type { Files } from "#main/batches";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { streamLines } from "#main/storage";
import type { Scope } from "./scopes.ts";

type FilesAndBatches = Pick<Service, "files" | "batches">;

/** A request of another vendor's batch, translated. */
export interface VendorRequest {
  readonly customId: string;
  readonly body: ChatRequest;
  /** What its client wants back with the result. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes a batch of requests that came as a list: they are stored as the input file that they would have been. */
export async function createVendorBatch(
  { files, batches }: FilesAndBatches,
  { owner }: Pick<Scope, "owner">,
  requests: Iterable<VendorRequest> | AsyncIterable<VendorRequest>,
  outcome: RequestedOutcome | null,
  metadata: Readonly<Record<string, string>> = {},
): Promise<BatchRecord> {
  let total = 0;
  async function* countLines(): AsyncGenerator<Buffer, void> {
    for await (const request of requests) {
      total += 1;
      yield writeLine(request);
    }
  }
  const pending = await files.receive(countLines(), { isGenerated: true, owner });
  const file = await pending.store({ filename: "requests.jsonl", purpose: "batch" });
  try {
    const input = { owner, inputFileId: file.id, allowsGenerated: true, total, metadata, outcome };
    return await batches.create({ ...input, endpoint: batchEndpoint, completionWindow });
  } catch (error) {
    await files.remove(file.id);
    throw error;
  }
}

function writeLine({ customId, body, metadata }: VendorRequest): Buffer {
  const line = { custom_id: customId, method: "POST", url: batchEndpoint, body, metadata };
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** The requests of a batch as they were stored, in their order. */
export async function* readRequests(
  files: Pick<Files, "read">,
  { inputFileId }: BatchRecord,
): AsyncGenerator<VendorRequest, void> {
  for await (const line of streamLines(await files.read(inputFileId))) {
    if (!line) continue;
    // It was written by `writeLine`.
    const { custom_id: customId, body, metadata } = JSON.parse(line) as VendorRequest & { custom_id: string };
    yield { customId, body, metadata };
  }
}

/**
 * What came of each request of a batch that has ended. Of one whose input did not pass its check no request ran: each has the
 * problem that was found with it, or else with another.
 */
export async function openResults(files: Pick<Files, "read">, batch: BatchRecord): Promise<AsyncIterable<WrittenLine>> {
  const { status, outputFileId, errorFileId, problems } = batch;
  if (status === "failed") return refuseEach(readRequests(files, batch), problems);
  const ids = [outputFileId, errorFileId].filter((id) => id !== null);
  // All are opened first, so that what can't be read is an error and no half of an answer.
  return readEach(await Promise.all(ids.map((id) => files.read(id))));
}

async function* readEach(contents: readonly Readable[]): AsyncGenerator<WrittenLine, void> {
  try {
    for (const content of contents) {
      for await (const line of streamLines(content)) {
        // The batch wrote it itself.
        if (line) yield JSON.parse(line) as WrittenLine;
      }
    }
  } finally {
    for (const content of contents) content.destroy();
  }
}

async function* refuseEach(
  requests: AsyncIterable<VendorRequest>,
  problems: BatchRecord["problems"],
): AsyncGenerator<WrittenLine, void> {
  let number = 0;
  for await (const { customId } of requests) {
    number += 1;
    const found = problems.find(({ line }) => line === number) ?? problems[0];
    const { message = "", param = null, code = null } = found ?? {};
    const body = { error: { message, type: "invalid_request_error", param, code } };
    yield { id: "", custom_id: customId, response: { status_code: 400, request_id: "", body }, error: null };
  }
}
