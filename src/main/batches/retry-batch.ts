import { formatCount, formatNumber, type RetryChoice } from "#contract";
import { ServiceError } from "#main/base";
import type { ModelCatalog } from "#main/requests";
import { type DamageRecords, type IndexCache, type MergedBatches, rootOf } from "#main/results";
import type { BatchRecord, Store } from "#main/storage";
import { listAllRetries } from "./deleted-batches.ts";
import type { CreateBatch } from "./deps.ts";
import type { Files } from "./files/files.ts";
import { chooseLines, refuseRetry } from "./retry-lines.ts";
import { type RaisedLine, type RetriedRequest, readRetried } from "./retry-requests.ts";

/** Which lines of a batch are asked again. */
export interface RetryBatch {
  readonly id: string;
  /** Those that failed, were given up unasked, have answers that were cut or are empty, may be paid, or the `lines` that are named. */
  readonly which: readonly RetryChoice[];
  readonly lines?: readonly number[] | undefined;
  /** Whether its user has confirmed lines that may be paid already: no other way asks them again. */
  readonly evenIfPaid?: boolean | undefined;
  /** Where they are answered; where the batch was by default. Null is the service's own engine. */
  readonly connection?: string | null;
  /** Whether the lines are called one by one, also where the connection's service has batches. */
  readonly direct?: boolean;
  /** In place of the model that each line names. */
  readonly model?: string | undefined;
  /** The most tokens of an answer; by default twice what a cut or empty one was allowed, at most what its model can. */
  readonly maxTokens?: number | undefined;
}

export interface RetryDeps {
  readonly store: Store;
  readonly indexes: IndexCache;
  readonly damage: Pick<DamageRecords, "compareAll">;
  readonly merged: MergedBatches;
  readonly files: Pick<Files, "receive" | "remove">;
  readonly catalog: ModelCatalog;
  readonly create: (input: CreateBatch) => Promise<BatchRecord>;
}

/** Of a name that another word is added to. */
const longestName = 180;

/**
 * Makes a batch of some lines of another, linked to the one that it began with. Lines that are not named are those
 * that no retry has answered better meanwhile, and that none is about to. Lines whose requests are damaged on disk are left out,
 * and named in its notice.
 */
export async function retryBatch(parts: RetryDeps, request: RetryBatch, batch: BatchRecord): Promise<BatchRecord> {
  const { store, files } = parts;
  const damaged: number[] = [];
  const requests = await openRequests(parts, request, batch, (line) => damaged.push(line));
  const root = rootOf(batch, store);
  const name = nameRetry(root, store);
  const connection = targetOf(request, batch);
  const upload = await files.receive(joinLines(requests, damaged), { connection, owner: batch, isGenerated: true });
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
      notice: damaged.length === 0 ? null : describeDamaged(damaged),
    });
  } catch (error) {
    await files.remove(file.id);
    throw error;
  }
}

/** The lines of a retry whose answers may have more tokens than before, for what they may cost. */
export async function planRetry(
  parts: Omit<RetryDeps, "create" | "files">,
  request: RetryBatch,
  batch: BatchRecord,
): Promise<readonly RaisedLine[]> {
  const raised: RaisedLine[] = [];
  for await (const some of await openRequests(parts, request, batch, () => {}))
    raised.push(...some.flatMap((one) => one.raised ?? []));
  return raised;
}

function targetOf({ connection }: RetryBatch, batch: BatchRecord): string | null {
  return connection === undefined ? batch.connection : connection;
}

async function openRequests(
  parts: Omit<RetryDeps, "create" | "files">,
  request: RetryBatch,
  batch: BatchRecord,
  onDamaged: (line: number) => void,
): Promise<AsyncIterable<readonly RetriedRequest[]>> {
  if (batch.counts.total === 0) {
    throw refuseRetry(
      batch.status === "failed"
        ? "No line of this batch was sent, because its file has problems. Fix the lines in Build, and submit them."
        : "This batch is still being checked. Wait until it runs.",
    );
  }
  const { store, catalog } = parts;
  const index = await parts.indexes.get(batch);
  const chosen = await chooseLines(parts, request, batch, index);
  const isHere = targetOf(request, batch) === null;
  const limitsOf = (model: string) => {
    const found = catalog.find(model);
    return found === undefined ? catalog.others() : catalog.limits(found);
  };
  const mostOf = (model: string) => (isHere ? (limitsOf(model)?.output ?? null) : null);
  const { model, maxTokens } = request;
  return readRetried(chosen, { store, batch, index, mostOf, model, maxTokens }, onDamaged);
}

/** One piece for many lines: each piece is a write of its own. Fails with a ServiceError where all of them are damaged. */
async function* joinLines(
  requests: AsyncIterable<readonly RetriedRequest[]>,
  damaged: readonly number[],
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const some of requests) {
    count += some.length;
    yield Buffer.concat(some.flatMap(({ bytes }) => [bytes, lineEnd]));
  }
  if (count === 0) throw new ServiceError("file_damaged", `${describeDamaged(damaged)} Nothing was sent.`);
}

/** So many line numbers are named. */
const mostNamed = 20;

function describeDamaged(lines: readonly number[]): string {
  const named = lines.slice(0, mostNamed).map(formatNumber).join(", ");
  const others = lines.length - mostNamed;
  const list = others > 0 ? `${named} and ${formatCount(others, "other")}` : named;
  return lines.length === 1
    ? `Line ${list} can't be asked again: its request is damaged on disk. Submit it anew.`
    : `Lines ${list} can't be asked again: their requests are damaged on disk. Submit them anew.`;
}

const lineEnd = Buffer.from("\n");

/** The root's name and the first number that no other retry of it has: a deleted one can be restored. */
function nameRetry(root: BatchRecord, store: Store): string {
  const retries = listAllRetries(store, root.id);
  const taken = new Set(retries.map(({ metadata }) => metadata.name));
  const file = store.files.get(root.inputFileId)?.filename.replace(/\.jsonl$/i, "");
  const base = (root.metadata.name ?? file ?? root.id).slice(0, longestName).toWellFormed();
  for (let number = retries.length + 1; ; number++) {
    const name = `${base}, retry ${number}`;
    if (!taken.has(name)) return name;
  }
}
