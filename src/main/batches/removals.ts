import { finalStatuses } from "#contract";
import { quote, ServiceError } from "#main/base";
import { listRetries } from "#main/results";
import type { BatchRecord } from "#main/storage";
import type { Batches } from "./batches-port.ts";
import { deleteBatch, findDeleted, listAllRetries, listDeletedBatches, restoreBatch } from "./deleted-batches.ts";
import type { BatchDeps } from "./deps.ts";
import type { LateResults } from "./late-results.ts";
import type { LiveBatches } from "./live-batches.ts";
import { removeBatches } from "./remove-batch.ts";

type Removals = Pick<Batches, "moveToDeleted" | "listDeleted" | "restore" | "purge" | "remove" | "discard">;

interface RemovalDeps extends BatchDeps {
  readonly live: LiveBatches;
  readonly late: LateResults;
  /** Retries are made in the same turns: none is made of a batch that is being deleted. */
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Batches are deleted, restored, and removed for good. */
export function createRemovals(parts: RemovalDeps): Removals {
  const { store, live, late, inTurn } = parts;
  const { find, findOwn, onChange, start } = live;

  /** Deleted retries go, too. A batch that was deleted before its end does not run. */
  function removeGroup(batch: BatchRecord): Promise<void> {
    return inTurn(async () => {
      const removed = [...listAllRetries(store, batch.id), batch];
      const mayRun = ({ id }: BatchRecord) => live.get(id) !== undefined || store.batches.get(id) !== undefined;
      refuseRunning(removed.filter(mayRun), batch.id);
      for (const { id } of removed) await live.get(id)?.done;
      await removeBatches(parts, removed);
    });
  }

  return {
    async moveToDeleted(id) {
      const findGroup = () => [...listRetries(store, id), findOwn(id)];
      const refuse = () => {
        const group = findGroup();
        refuseRunning(group, id);
        if (group.some((one) => late.isReading(one.id))) throw beingFetched();
      };
      refuse();
      for (const one of findGroup()) {
        await live.get(one.id)?.done;
        await live.ended(one.id);
        await parts.stopRuns(one.id);
      }
      // Meanwhile one of them may have been asked again, or is being asked now.
      await inTurn(async () => {
        refuse();
        await deleteBatch(parts, findOwn(id), listRetries(store, id));
      });
    },
    listDeleted: () => listDeletedBatches(store),
    async restore(id) {
      for (const batch of await restoreBatch(parts, id)) {
        onChange(batch);
        if (!finalStatuses.has(batch.status) && live.get(batch.id) === undefined) start(batch.id);
      }
      return find(id);
    },
    async purge(id) {
      await removeGroup(findDeleted(store, id));
    },
    async remove(id, { withRetries = true } = {}) {
      const batch = findOwn(id);
      const retries = listRetries(store, id);
      if (!withRetries && retries.length > 0) throw hasRetries(retries);
      await removeGroup(batch);
    },
    async discard(id) {
      const batch = store.all.batches.get(id) ?? findOwn(id);
      await live.get(id)?.close(0);
      await live.ended(id);
      await removeBatches(parts, [batch]);
    },
  };
}

function stillRunning({ id, metadata }: BatchRecord, asked: string): ServiceError {
  const which = id === asked ? "This batch" : `Its retry ${quote(metadata.name ?? id)}`;
  return new ServiceError("batch_running", `${which} has not ended. Cancel it first.`);
}

function refuseRunning(group: readonly BatchRecord[], asked: string): void {
  const running = group.find(({ status }) => !finalStatuses.has(status));
  if (running !== undefined) throw stillRunning(running, asked);
}

function beingFetched(): ServiceError {
  const message = "Results of this batch are being fetched. Delete it when they have arrived.";
  return new ServiceError("batch_running", message);
}

function hasRetries(retries: readonly BatchRecord[]): ServiceError {
  const ids = retries.map(({ id }) => id).join(", ");
  return new ServiceError("batch_in_use", `This batch has retries. Delete these first: ${ids}.`);
}
