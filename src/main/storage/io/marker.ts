import type { Machine } from "#main/base";

/** Between a sync and the mark that tells of it, where nothing else is written before, in milliseconds. */
const markDelay = 1_000;

/** Tells in an appended file how much of it was on the disk by then. */
export interface Marker {
  /** All up to there is on the disk: a mark of it is written with what is written next, or a second later. */
  synced(upTo: number): void;
  /** Writes the mark that is waiting, if there is one. */
  flush(): void;
}

export function createMarker(machine: Pick<Machine, "after">, write: (upTo: number) => void): Marker {
  let unmarked: number | null = null;
  let cancelTimer = () => {};

  function flush(): void {
    cancelTimer();
    const upTo = unmarked;
    unmarked = null;
    if (upTo !== null) write(upTo);
  }

  return {
    synced(upTo) {
      unmarked = upTo;
      cancelTimer();
      cancelTimer = machine.after(markDelay, flush, { unref: true });
    },
    flush,
  };
}
