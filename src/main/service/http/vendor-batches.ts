import { batchEndpoint, type ChatRequest, completionWindow, type RequestedOutcome, type ResultLine } from "#contract";
import { streamLines } from "../io/index.ts";
import type { BatchRecord } from "../store/index.ts";
import type { Scope } from "./scopes.ts";

/** A request of another vendor's batch, translated. */
export interface VendorRequest {
  readonly customId: string;
  readonly body: ChatRequest;
}

/** Makes a batch of requests that came as a list: they are stored as the input file that they would have been. */
export async function createVendorBatch(
  { files, batches }: Scope,
  requests: readonly VendorRequest[],
  outcome: RequestedOutcome | null,
): Promise<BatchRecord> {
  const pending = await files.receive(writeLines(requests), { isGenerated: true });
  const file = await pending.store({ filename: "requests.jsonl", purpose: "batch" });
  try {
    const input = { inputFileId: file.id, allowsGenerated: true, total: requests.length, outcome };
    return await batches.create({ ...input, endpoint: batchEndpoint, completionWindow });
  } catch (error) {
    await files.remove(file.id);
    throw error;
  }
}

async function* writeLines(requests: readonly VendorRequest[]): AsyncGenerator<Buffer, void> {
  for (const { customId, body } of requests) {
    yield Buffer.from(`${JSON.stringify({ custom_id: customId, method: "POST", url: batchEndpoint, body })}\n`);
  }
}

/**
 * What came of each request of a batch that has ended. Of one whose input did not pass its check no request ran: each has the
 * problem that was found with it, or else with another.
 */
export async function openResults(
  { files }: Pick<Scope, "files">,
  { status, inputFileId, outputFileId, errorFileId, problems }: BatchRecord,
): Promise<AsyncIterable<ResultLine>> {
  if (status === "failed") return refuseEach(await files.read(inputFileId), problems);
  const ids = [outputFileId, errorFileId].filter((id) => id !== null);
  // All are opened first, so that what can't be read is an error and no half of an answer.
  return readEach(await Promise.all(ids.map((id) => files.read(id))));
}

async function* readEach(contents: readonly AsyncIterable<Uint8Array>[]): AsyncGenerator<ResultLine, void> {
  for (const content of contents) {
    for await (const line of streamLines(content)) {
      // The batch wrote it itself.
      if (line) yield JSON.parse(line) as ResultLine;
    }
  }
}

async function* refuseEach(
  content: AsyncIterable<Uint8Array>,
  problems: BatchRecord["problems"],
): AsyncGenerator<ResultLine, void> {
  let number = 0;
  for await (const line of streamLines(content)) {
    number += 1;
    if (!line) continue;
    const {
      message = "",
      param = null,
      code = null,
    } = problems.find((problem) => problem.line === number) ?? problems[0] ?? {};
    const { custom_id } = JSON.parse(line) as { custom_id: string };
    const body = { error: { message, type: "invalid_request_error", param, code } };
    yield { id: "", custom_id, response: { status_code: 400, request_id: "", body }, error: null };
  }
}
