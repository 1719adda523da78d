import { finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import type { BatchDeps } from "./deps.ts";
import { applyEvent, type BatchEvent } from "./state.ts";

/** The record of a batch that has not ended yet. */
export interface RunningBatch {
  readonly id: string;
  current(): BatchRecord;
  /** The time has come that its window ends; it stays so until that is recorded. */
  isExpiring(): boolean;
  /** Whether a service elsewhere has lines of it, which it may have answered: also those of a cancelled batch are fetched. */
  hasOpenRemoteParts(): boolean;
  /** Takes it to its next state. */
  change(event: BatchEvent): void;
  /** Changes of a run; a lasting one is in the journal when this returns, so that it can be acted on. */
  update(change: Partial<BatchRecord>, isLasting: boolean): void;
  /** Tells why its run does not move; null while it does. */
  wait(reason: string | null): void;
  /** Sets why its last attempt failed, which is shown before any other reason; null once it got further. */
  meet(failure: string | null): void;
  /** Ends the window before its time. */
  endWindow(): void;
  close(): void;
}

/** `onChange` is called after each change of the record. */
export function trackBatch(
  { store, clock, logger }: Pick<BatchDeps, "store" | "clock" | "logger">,
  id: string,
  onChange: (batch: BatchRecord) => void,
): RunningBatch {
  const { disk } = store;
  let reason: string | null = null;
  let failure: string | null = null;

  function current(): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new Error(`Batch ${id} is gone.`);
    return batch;
  }

  function update(change: Partial<BatchRecord>, isLasting: boolean): void {
    const next = { ...current(), ...change };
    if (isLasting) store.batches.put(next);
    else store.batches.setWithoutJournal(next);
    onChange(next);
  }

  function showWaiting(): void {
    if (finalStatuses.has(current().status)) return;
    const waiting = disk.failure?.message ?? failure ?? reason;
    if (current().waiting !== waiting) update({ waiting }, false);
  }

  const forgetDisk = disk.subscribe(showWaiting);

  return {
    id,
    current,
    isExpiring: () => current().endedBy === "expiry" && !finalStatuses.has(current().status),
    hasOpenRemoteParts: () => current().remote?.some(({ isFetched, sentAt }) => !isFetched && sentAt !== null) ?? false,
    change(event) {
      const changed = applyEvent(current(), event, clock.now());
      const next = finalStatuses.has(changed.status) ? { ...changed, waiting: null } : changed;
      store.batches.put(next);
      failure = null;
      logger.info("A batch changed", { batch: id, status: next.status });
      onChange(next);
    },
    update,
    wait(next) {
      reason = next;
      showWaiting();
    },
    meet(next) {
      failure = next;
      showWaiting();
    },
    endWindow() {
      update({ endedBy: "expiry", times: { ...current().times, expires: clock.now() } }, true);
    },
    close: forgetDisk,
  };
}
