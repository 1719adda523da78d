import type { BatchRecord } from "#main/storage";
import type { BatchDeps } from "./deps.ts";
import { type BatchEvent, type BatchState, type Effect, type Reduced, reduce, startState } from "./reducer.ts";
import { noRun, type RunCell } from "./run-state.ts";

/** A batch that has not ended: its one state, and the only way to change it. */
export interface RunningBatch {
  readonly id: string;
  state(): BatchState;
  record(): BatchRecord;
  /**
   * Takes it to its next state, and has the effects done. Throws when the disk doesn't take what has to be in the journal:
   * nothing has changed then.
   */
  dispatch(event: BatchEvent): void;
  /** For a run of its lines. What an earlier run had in flight changes nothing of a later one. */
  openRun(): RunCell;
}

/** `perform` has an effect done; `onChange` is called after each change of the record. */
export function trackBatch(
  { store, clock, logger }: Pick<BatchDeps, "store" | "clock" | "logger">,
  id: string,
  perform: (effect: Exclude<Effect, { readonly type: "store" }>) => void,
  onChange: (batch: BatchRecord) => void,
): RunningBatch {
  const { disk } = store;
  let last = startState(record());
  let newestRun: RunCell | null = null;

  function record(): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new Error(`Batch ${id} is gone.`);
    return batch;
  }

  /** Others change the record, too: its name, for example. */
  const state = (): BatchState => ({ ...last, record: record(), diskFailure: disk.failure?.message ?? null });

  function save({ state: { record: next }, effects }: Reduced): void {
    if (effects.some(({ type }) => type === "store")) store.batches.put(next);
    else store.batches.setWithoutJournal(next);
  }

  function dispatch(event: BatchEvent): void {
    const before = state();
    const next = reduce(before, event, clock.now());
    const isChanged = next.state.record !== before.record;
    if (isChanged) save(next);
    last = next.state;
    const { status } = last.record;
    if (status !== before.record.status) logger.info("A batch changed", { batch: id, status });
    if (isChanged) onChange(last.record);
    for (const effect of next.effects) if (effect.type !== "store") perform(effect);
    // Storing the record may have failed or healed the disk.
    if ((disk.failure?.message ?? null) !== before.diskFailure) dispatch({ type: "disk_changed" });
  }

  function openRun(): RunCell {
    const run: RunCell = {
      state: () => (run === newestRun ? last.run : noRun),
      send(event) {
        if (run === newestRun) last = reduce(last, { type: "run", event }, 0).state;
      },
    };
    newestRun = run;
    return run;
  }

  return { id, state, record, dispatch, openRun };
}
