import { ServiceError } from "#main/base";
import type { Batches } from "./batches-port.ts";
import type { BatchDeps } from "./deps.ts";
import type { LateResults } from "./late-results.ts";
import type { LiveBatches } from "./live-batches.ts";
import { nextStatus } from "./state.ts";

type Decisions = Pick<
  Batches,
  "cancel" | "setDeadline" | "settleCreate" | "resume" | "stopWaiting" | "fetchAgain" | "rename"
>;

/** What users decide about a batch while it runs, or of its name. */
export function createDecisions(parts: BatchDeps, live: LiveBatches, late: LateResults): Decisions {
  const { store } = parts;
  const { find, findOwn, change } = live;
  return {
    async cancel(id) {
      const running = live.get(findOwn(id).id);
      if (running?.isExpiring) await awaitStored(running.done, "end", parts);
      const batch = find(id);
      const isCancelled = batch.status === "cancelling" || batch.status === "cancelled";
      if (!isCancelled && (running === undefined || nextStatus(batch.status, "cancel_requested") === null)) {
        throw new ServiceError("batch_not_cancellable", `Cannot cancel a batch with status '${batch.status}'.`);
      }
      const written = (isCancelled ? Promise.resolve() : running?.cancel())?.then(() => store.disk.retry(store.synced));
      await awaitStored(written, "cancel", parts);
      return find(id);
    },
    setDeadline(id, deadline) {
      const running = live.get(id);
      if (findOwn(id).connection === null) {
        throw new ServiceError("invalid_value", "Only a batch on a connection can have a deadline.", "deadline");
      }
      if (running === undefined) throw new ServiceError("batch_not_cancellable", "This batch has ended.");
      running.setDeadline(deadline);
      return find(id);
    },
    async settleCreate(id, choice) {
      const running = live.get(findOwn(id).id);
      if (running === undefined) throw new ServiceError("nothing_to_settle", "This batch has ended.");
      await running.settleCreate(choice);
      return find(id);
    },
    async resume(id) {
      const running = live.get(findOwn(id).id);
      if (running === undefined || !find(id).unclear) {
        throw new ServiceError("nothing_to_settle", "This batch needs no decision: what was sent is known.");
      }
      running.resume();
      await store.synced();
      return find(id);
    },
    stopWaiting(id) {
      const running = live.get(find(id).id);
      if (running === undefined) throw new ServiceError("nothing_to_settle", "This batch has ended.");
      running.stopWaiting();
      return find(id);
    },
    async fetchAgain(id) {
      await late.read(find(id).id);
      return find(id);
    },
    rename(id, name) {
      const batch = findOwn(id);
      const renamed = { ...batch, metadata: { ...batch.metadata, name } };
      change(renamed);
      return renamed;
    },
  };
}

/** How long a cancel waits for a disk that refuses before it fails, in milliseconds. */
const longestUnwritten = 5_000;

async function awaitStored(
  written: Promise<void> | undefined,
  what: "cancel" | "end",
  { machine, store }: BatchDeps,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = machine.after(longestUnwritten, () => {
    const { code, message } = store.disk.failure ?? { code: "disk_failed", message: "The disk does not answer." };
    late.reject(new ServiceError(code, `The batch sends nothing more, but its ${what} is not stored yet. ${message}`));
  });
  try {
    await Promise.race([written, late.promise]);
  } finally {
    stop();
  }
}
