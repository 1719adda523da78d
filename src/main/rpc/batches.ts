import {
  type BatchDetail,
  type BatchRetry,
  type BatchView,
  countNeverRan,
  type DeletedBatchView,
  finalStatuses,
} from "#contract";
import { type RemotePart, ServiceError } from "#main/base";
import { type DeletedBatch, deletedLifetime, nameOf } from "#main/batches";
import { estimateLine, noCost, openLinePrice, sumCosts } from "#main/connections";
import { dialects, toWireBatch } from "#main/http";
import { groupProblems } from "#main/requests";
import type { LinePrice } from "#main/results";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { os, type RpcContext } from "./base.ts";
import { listJudgeCosts, readCostReport } from "./cost-report.ts";
import { watchChanges } from "./watch-changes.ts";

function find(id: string, { batches }: Service): BatchRecord {
  const batch = batches.get(id);
  if (batch === undefined) throw new ServiceError("not_found", "This batch is no longer there.");
  return batch;
}

export const batches = os.batches.router({
  list: os.batches.list.handler(async ({ context, input: { limit, after, trials } }) => {
    const page = context.service.batches.list({ limit, trials, ...(after === undefined ? {} : { after }) });
    const names = await readConnectionNames(context);
    const batches = await Promise.all(page.batches.map((batch) => toBatchView(batch, context, names)));
    return { batches, hasMore: page.hasMore };
  }),
  get: os.batches.get.handler(({ context, input }) => {
    const batch = find(input.id, context.service);
    // Once for each start: what is damaged is counted, and the page is told. A file that can't be read is shown by its rows.
    if (finalStatuses.has(batch.status) && batch.counts.total > 0)
      context.service.damage.compareAll(batch).catch(() => {});
    return viewDetail(batch, context);
  }),
  refresh: os.batches.refresh.handler(({ context, input }) => context.service.batches.watch(input.id)),
  qualities: os.batches.qualities.handler(({ context }) => context.qualities.list()),
  left: os.batches.left.handler(({ context, input }) =>
    Promise.all(input.ids.map((id) => readLeft(find(id, context.service), context))),
  ),
  cancel: os.batches.cancel.handler(async ({ context, input }) =>
    viewBatch(await context.service.batches.cancel(input.id), context),
  ),
  retry: os.batches.retry.handler(async ({ context, input }) =>
    viewBatch(await context.service.batches.retry(toRetry(input)), context),
  ),
  retryCost: os.batches.retryCost.handler(async ({ context, input }) => {
    const { batches } = context.service;
    const connectionId =
      input.connectionId === undefined ? find(input.id, context.service).connection : input.connectionId;
    const connection = connectionId === null ? undefined : await context.connections.find(connectionId);
    if (connection === undefined) return null;
    return sumRetryCost(await batches.planRetry(toRetry(input)), await openLinePrice(connection));
  }),
  setDeadline: os.batches.setDeadline.handler(({ context, input: { id, deadline } }) =>
    viewBatch(context.service.batches.setDeadline(id, deadline), context),
  ),
  stopWaiting: os.batches.stopWaiting.handler(({ context, input: { id } }) =>
    viewBatch(context.service.batches.stopWaiting(id), context),
  ),
  fetchAgain: os.batches.fetchAgain.handler(async ({ context, input: { id } }) =>
    viewBatch(await context.service.batches.fetchAgain(id), context),
  ),
  resume: os.batches.resume.handler(async ({ context, input: { id } }) =>
    viewBatch(await context.service.batches.resume(id), context),
  ),
  settleCreate: os.batches.settleCreate.handler(async ({ context, input: { id, choice } }) =>
    viewBatch(await context.service.batches.settleCreate(id, choice), context),
  ),
  costs: os.batches.costs.handler(({ context, input }) =>
    readCostReport(input.month, { ...context, readJudgeCosts: context.service.readJudgeCosts }),
  ),
  judgeCosts: os.batches.judgeCosts.handler(({ context, input }) => listJudgeCosts(input.month, context)),
  rename: os.batches.rename.handler(({ context, input: { id, name } }) =>
    viewBatch(context.service.batches.rename(id, name), context),
  ),
  remove: os.batches.remove.handler(({ context, input }) => context.service.batches.moveToDeleted(input.id)),
  deleted: os.batches.deleted.handler(async ({ context }) => {
    const names = await readConnectionNames(context);
    return context.service.batches.listDeleted().map((deleted) => viewDeleted(deleted, names));
  }),
  restore: os.batches.restore.handler(async ({ context, input }) =>
    viewBatch(await context.service.batches.restore(input.id), context),
  ),
  purge: os.batches.purge.handler(({ context, input }) => context.service.batches.purge(input.id)),
  watch: os.batches.watch.handler(({ context, signal }) =>
    watchChanges(
      {
        subscribe: (listener: (batch: BatchRecord) => void) => subscribe(listener, context),
        idOf: ({ id }) => id,
        toView: (batch) => viewBatch(batch, context),
        silent: {
          machine: context.machine,
          moving: () => listRunning(context.service),
          current({ id }) {
            const batch = context.service.batches.get(id);
            return batch !== undefined && isRunning(batch) ? batch : null;
          },
        },
      },
      signal,
    ),
  ),
});

const isRunning = ({ status }: BatchRecord) => status === "in_progress";

function listRunning({ batches }: Service): BatchRecord[] {
  return batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches.filter(isRunning);
}

type RetryInput = Parameters<Service["batches"]["retry"]>[0];

function toRetry({ connectionId, ...input }: BatchRetry): RetryInput {
  return { ...input, ...(connectionId !== undefined && { connection: connectionId }) };
}

type RetriedLines = Awaited<ReturnType<Service["batches"]["planRetry"]>>;

/** What lines may cost; null where that is not known of one, and for none. */
function sumRetryCost(lines: RetriedLines, price: LinePrice) {
  if (lines.length === 0) return null;
  const sum = sumCosts(
    lines.map(({ model, promptTokens, mostTokens }) => {
      const tokens = { usualAnswer: null, longestAnswer: mostTokens };
      return promptTokens === null
        ? { ...noCost, unknown: 1 }
        : estimateLine({ model, promptTokens, ...tokens }, price);
    }),
  );
  return sum.unknown > 0 ? null : { usd: sum.most ?? sum.prompts, isMost: sum.most !== null };
}

/** Changes of batches, of costs that took longer to count than the page waits, and of answers that are found damaged. */
function subscribe(listener: (batch: BatchRecord) => void, { service }: RpcContext): () => void {
  const unsubscribeBatches = service.batches.subscribe(listener);
  const onFound = (id: string) => {
    const batch = service.batches.get(id);
    if (batch !== undefined) listener(batch);
  };
  const unsubscribe = [service.costs.subscribe(onFound), service.damage.subscribe(onFound)];
  return () => {
    unsubscribeBatches();
    for (const stop of unsubscribe) stop();
  };
}

function viewDeleted(
  { batch, retries, name, deletedAt, bytes }: DeletedBatch,
  names: NameConnection,
): DeletedBatchView {
  const { id, status, counts, connection, connectionName, models, link, times } = batch;
  return {
    id,
    name,
    status,
    total: counts.total,
    completed: counts.completed,
    connection: connection === null ? null : names(connection, connectionName),
    models: [...models],
    link,
    retries: retries.length,
    created: times.created,
    deletedAt,
    removedAt: deletedAt + deletedLifetime,
    bytes,
  };
}

/** A batch as the app shows it. */
async function viewBatch(batch: BatchRecord, context: RpcContext): Promise<BatchView> {
  return toBatchView(batch, context, await readConnectionNames(context));
}

/** Finds the name of a connection by its id; `kept` is the one that a batch was made with. */
type NameConnection = (id: string, kept: string | null) => string;

/** Batches are shown also where the connections can't be read: then none of those counts as removed. */
export async function readConnectionNames({ connections }: Pick<RpcContext, "connections">): Promise<NameConnection> {
  const all = await connections.list().catch(() => null);
  if (all === null) return (_id, kept) => kept ?? "Unknown connection";
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (id, kept) => names.get(id) ?? kept ?? "Removed connection";
}

async function toBatchView(
  batch: BatchRecord,
  { service }: RpcContext,
  nameConnection: NameConnection,
): Promise<BatchView> {
  const { connection, remote, waiting, notice, deadline } = batch;
  const { rate, timeLeft } = service.batches.progress(batch.id);
  return {
    id: batch.id,
    name: nameOf(batch, service),
    status: batch.status,
    models: [...batch.models],
    counts: viewCounts(batch, service),
    ends: viewEnds(batch, service),
    link: batch.link,
    inputFileId: batch.inputFileId,
    outputFileId: batch.outputFileId,
    errorFileId: batch.errorFileId,
    times: { ...batch.times },
    rate,
    timeLeft,
    problemCount: batch.problems.length,
    connection: connection === null ? null : { id: connection, name: nameConnection(connection, batch.connectionName) },
    waiting,
    unclear: batch.unclear && !finalStatuses.has(batch.status),
    remote: remote && {
      parts: remote.length,
      rawStatus: findRawStatus(remote),
      done: countDone(remote),
      uploaded: findUploaded(remote),
    },
    inDoubt: findDoubt(batch),
    endWaitsFor: findWait(batch),
    readUntil: findReadUntil(batch),
    notice,
    deadline,
    cost: await service.costs.ofWithin(batch),
    reused: (batch.reused?.lines ?? 0) + (batch.copied?.lines ?? 0),
    isReadOnly: service.batches.isReadOnly(batch.id),
    isMock: connection === null && service.engine.isMock === true,
  };
}

/** Answers that are damaged are counted as that alone. An error file has lines that failed, and ones that never ran. */
function viewCounts(batch: BatchRecord, { damage }: Service): BatchView["counts"] {
  const { total, completed, failed, awaited = 0 } = batch.counts;
  const { output, error } = damage.count(batch);
  const ofFailed = Math.min(failed - awaited, error);
  return {
    total,
    completed: completed - output,
    failed: failed - awaited - ofFailed,
    awaited,
    damaged: output + error,
    // Of a batch that runs, lines may have been given up at its service that are not counted yet.
    neverRan: Math.max(0, countNeverRan(batch) - (error - ofFailed)),
  };
}

/** Complete are all answers that are here and ended in no other way, so that the counts add up. */
function viewEnds({ counts, ends, ...batch }: BatchRecord, service: Service): BatchView["ends"] {
  if (ends === null) return null;
  const { complete: _, ...others } = ends;
  const { completed } = viewCounts({ counts, ends, ...batch }, service);
  const rest = completed - Object.values(others).reduce((sum, count) => sum + count, 0);
  return { ...others, complete: Math.max(0, rest) };
}

/** Lines that are done at the service, by its counts. */
function countDone(parts: readonly RemotePart[]): number | null {
  const counts = parts.flatMap((part) => part.counts ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
}

/** The possible batches of the part whose create is in doubt. */
function findDoubt({ status, remote }: BatchRecord): BatchView["inDoubt"] {
  const candidates = remote?.find((part) => part.candidates !== null)?.candidates;
  return candidates && status === "in_progress" ? { candidates: candidates.map((one) => ({ ...one })) } : null;
}

/** What the end of a batch waits for that its user can end. */
function findWait({ status, remote }: BatchRecord): BatchView["endWaitsFor"] {
  if (finalStatuses.has(status)) return null;
  return remote?.find(({ awaited, isFetched }) => awaited !== null && !isFetched)?.awaited?.kind ?? null;
}

/** Until when the results are read by themselves that an ended batch awaits. */
function findReadUntil({ status, remote }: BatchRecord): number | null {
  if (!finalStatuses.has(status)) return null;
  const ends = (remote ?? []).flatMap(({ awaited, isFetched }) =>
    isFetched && awaited !== null ? [awaited.until] : [],
  );
  return ends.length === 0 ? null : Math.max(...ends);
}

/** The service's own status of the running part, else of the last one. */
function findRawStatus(parts: readonly RemotePart[]): string | null {
  return (parts.find(({ isFetched }) => !isFetched) ?? parts.at(-1))?.rawStatus ?? null;
}

/** How much of the part that is being uploaded has been sent. */
function findUploaded(parts: readonly RemotePart[]): NonNullable<BatchView["remote"]>["uploaded"] {
  const sent = parts.find(({ fileId, sentAt, uploaded }) => fileId === null && sentAt === null && uploaded > 0);
  return sent === undefined ? null : { bytes: Math.min(sent.uploaded, sent.bytes), total: sent.bytes };
}

async function viewDetail(batch: BatchRecord, context: RpcContext): Promise<BatchDetail> {
  return {
    ...(await viewBatch(batch, context)),
    left: await readLeft(batch, context),
    throughput: [...context.service.batches.progress(batch.id).throughput],
    problems: groupProblems(batch.problems),
    wire: toWireBatch(batch, dialects.service),
  };
}

/** How long to wait for an index, in milliseconds: rebuilding one takes longer than a page should. */
const countTimeout = 300;

/** How many of its lines can be asked again; all that were not answered, where the index isn't ready or can't be read. */
async function readLeft(batch: BatchRecord, { service, machine }: RpcContext): Promise<BatchDetail["left"]> {
  const { failed, damaged, neverRan, awaited } = viewCounts(batch, service);
  const { cut = 0, empty = 0 } = batch.ends ?? {};
  const counted = { failed, errors: {}, damaged, neverRan, awaited, mayBePaid: awaited, cut, empty };
  if (failed + damaged + neverRan + awaited + cut + empty === 0) return counted;
  const late = Promise.withResolvers<typeof counted>();
  const cancel = machine.after(countTimeout, () => late.resolve(counted), { unref: true });
  return Promise.race([service.results.left(batch.id).catch(() => counted), late.promise]).finally(cancel);
}
