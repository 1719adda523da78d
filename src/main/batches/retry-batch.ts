import { finalStatuses } from "#contract";
import { ServiceError } from "#main/base";
import {
  type DamageRecords,
  type IndexCache,
  type LineIndex,
  listRetries,
  listRetryable,
  type MergedBatches,
  pathsOf,
  readRequests,
  retryableStates,
  rootOf,
} from "#main/results";
import type { BatchRecord, Store } from "#main/storage";
import type { Files } from "./files/files.ts";
import type { CreateBatch } from "./parts.ts";

/** Which lines of a batch are asked again. */
export interface RetryBatch {
  readonly id: string;
  /** Those that failed, those that were given up unasked, or the `lines` that are named. */
  readonly which: "failed" | "never_ran" | "lines";
  readonly lines?: readonly number[];
  /** Where they are answered; where the batch was by default. Null is the service's own engine. */
  readonly connection?: string | null;
  /** Whether the lines are called one by one, also where the connection's service has batches. */
  readonly direct?: boolean;
  /** In place of the model that each line names. */
  readonly model?: string;
}

export interface RetryParts {
  readonly store: Store;
  readonly indexes: IndexCache;
  readonly damage: Pick<DamageRecords, "compareAll">;
  readonly merged: MergedBatches;
  readonly files: Pick<Files, "receive" | "remove">;
  readonly create: (input: CreateBatch) => Promise<BatchRecord>;
}

/** Lines that are read at a time. */
const step = 500;
/** Of a name that another word is added to. */
const longestName = 180;

/**
 * Makes a batch of some lines of another, linked to the one that it began with. Lines that failed or never ran are those
 * that no retry has answered meanwhile, and that none is about to.
 */
export async function retryBatch(parts: RetryParts, request: RetryBatch, batch: BatchRecord): Promise<BatchRecord> {
  const { store, indexes, files } = parts;
  if (batch.counts.total === 0) {
    throw refusal(
      batch.status === "failed"
        ? "No line of this batch was asked, because its file has problems. Mend its lines in Build, and submit them."
        : "This batch is still being checked. Wait until it runs.",
    );
  }
  const index = await indexes.get(batch);
  const lines = await chooseLines(parts, request, batch, index);
  const root = rootOf(batch, store);
  const name = nameRetry(root, store);
  const connection = request.connection === undefined ? batch.connection : request.connection;
  const input = readInput(batch, index, lines, request.model, store);
  const upload = await files.receive(input, {
    connection,
    owner: batch,
    isGenerated: true,
  });
  const file = await upload.store({ filename: `${name}.jsonl`, purpose: "batch" });
  const { endpoint, completionWindow, metadata } = batch;
  try {
    return await parts.create({
      inputFileId: file.id,
      allowsGenerated: true,
      endpoint,
      completionWindow,
      metadata: { ...metadata, name },
      connection,
      direct: request.direct ?? false,
      link: { kind: "retry", root: root.id },
      outputLifetime: batch.outputLifetime,
      owner: batch,
    });
  } catch (error) {
    await files.remove(file.id);
    throw error;
  }
}

async function chooseLines(
  { store, merged, damage }: RetryParts,
  { which, lines }: RetryBatch,
  batch: BatchRecord,
  index: LineIndex,
): Promise<readonly number[]> {
  if (which === "lines") {
    const chosen = [...new Set(lines)].filter((line) => line >= 1 && line <= index.total).sort((a, b) => a - b);
    if (chosen.length === 0) throw refusal("No line was chosen to be asked again.");
    return chosen;
  }
  const retryGroup = await merged.get(rootOf(batch, store));
  if (which === "failed") {
    const hasEnded = ({ status, counts }: BatchRecord) => finalStatuses.has(status) && counts.total > 0;
    for (const one of retryGroup.batches.filter(hasEnded)) await damage.compareAll(one, true);
  }
  const left = listRetryable(retryGroup, batch.id, retryableStates[which]);
  const chosen = left.filter(({ isUnderWay }) => !isUnderWay).map(({ line }) => line);
  if (chosen.length > 0) return chosen;
  throw refusal(left.length > 0 ? describeUnderWay(left.length, which) : describeNothing(batch, which));
}

function describeUnderWay(count: number, which: "failed" | "never_ran"): string {
  const lines = count === 1 ? "The line" : `All ${count} lines`;
  const verb = count === 1 ? "is" : "are";
  return `${lines} that ${which === "failed" ? "failed" : "never ran"} ${verb} being asked again already. Wait for the end of that batch.`;
}

function describeNothing({ status }: BatchRecord, which: "failed" | "never_ran"): string {
  if (which === "failed") return "No line of this batch is left that failed.";
  return finalStatuses.has(status)
    ? "Every line of this batch has been asked."
    : "This batch still runs: what never ran is known at its end.";
}

/** The root's name and the first number that no other retry of it has. */
function nameRetry(root: BatchRecord, store: Store): string {
  const retries = listRetries(store, root.id);
  const taken = new Set(retries.map(({ metadata }) => metadata.name));
  const file = store.files.get(root.inputFileId)?.filename.replace(/\.jsonl$/i, "");
  const base = (root.metadata.name ?? file ?? root.id).slice(0, longestName).toWellFormed();
  for (let number = retries.length + 1; ; number++) {
    const name = `${base}, retry ${number}`;
    if (!taken.has(name)) return name;
  }
}

/** The requests of these lines, byte for byte; with another model, written anew. */
async function* readInput(
  batch: BatchRecord,
  index: LineIndex,
  lines: readonly number[],
  model: string | undefined,
  store: Store,
): AsyncGenerator<Uint8Array> {
  const { input } = pathsOf(batch, store);
  for (let from = 0; from < lines.length; from += step) {
    const requests = await readRequests(input, index, lines.slice(from, from + step));
    // One piece for many lines: each piece is a write of its own.
    yield Buffer.concat(
      requests.flatMap((bytes) => {
        if (bytes === null) throw damagedRequest();
        return [model === undefined ? bytes : replaceModel(bytes, model), lineEnd];
      }),
    );
  }
}

const lineEnd = Buffer.from("\n");

function replaceModel(bytes: Uint8Array, model: string): Buffer {
  // The line has passed the check of its file.
  const request = JSON.parse(Buffer.from(bytes).toString()) as { body: Record<string, unknown> };
  return Buffer.from(JSON.stringify({ ...request, body: { ...request.body, model } }));
}

function damagedRequest(): ServiceError {
  return new ServiceError(
    "file_damaged",
    "The input of this batch is damaged on disk in a line that is to be asked again. Nothing was sent.",
  );
}

function refusal(message: string): ServiceError {
  return new ServiceError("nothing_to_retry", message);
}
