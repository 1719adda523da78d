import { nextTurn, type TrackedWork } from "#main/base";
import type { BatchDeps } from "./deps.ts";

interface Piece {
  readonly bytes: Uint8Array;
}

/** Pieces on their way to the disk. Those that come during a write go out with the next. */
export interface WriteQueue<T> {
  add(piece: T): void;
  /** These are written. */
  settle(pieces: readonly T[]): void;
  /** Bytes that are not written yet. */
  readonly bytes: number;
  /** Resolves when all pieces so far are written; rejects when that was given up. */
  drained(): Promise<void>;
  /** Gives up what is not written. Resolves when nothing is being written any more. */
  stop(): Promise<void>;
}

/** `write` writes pieces in their order and settles them; the signal ends its attempts. When it rejects, nothing more is written. */
export function createWriteQueue<T extends Piece>(
  { clock, logger }: Pick<BatchDeps, "clock" | "logger">,
  write: (pieces: readonly T[], signal: AbortSignal) => Promise<void>,
): WriteQueue<T> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting: T[] = [];
  /** Bytes of all pieces that ever came, and of those that are written. */
  let [added, done] = [0, 0];
  /** The clock waits for what is on its way to the disk: what follows from it comes before what is due later. */
  let writing: { readonly ended: Promise<void>; readonly work: TrackedWork } | null = null;

  const writeWaiting = async () => {
    if (!signal.aborted) await write(waiting.splice(0), signal);
  };

  /** Once the event loop has had its turn: the pieces that it finds there are one write. */
  function start(work = clock.track("answers on their way to the disk")): void {
    const ended = nextTurn()
      .then(writeWaiting)
      .catch((error: unknown) => {
        logger.error("Answers can't be counted", { error: String(error) });
        stopping.abort();
      })
      .finally(() => {
        writing = null;
        work.progress();
        if (waiting.length > 0 && !signal.aborted) start(work);
        else work.end();
      });
    writing = { ended, work };
  }

  return {
    add(piece) {
      if (signal.aborted) throw new Error(abandoned);
      waiting.push(piece);
      added += piece.bytes.length;
      if (writing === null) start();
    },
    settle(pieces) {
      for (const { bytes } of pieces) done += bytes.length;
    },
    get bytes() {
      return added - done;
    },
    /** Not of what comes meanwhile. */
    async drained() {
      const wanted = added;
      while (writing !== null && done < wanted) await writing.ended;
      if (done < wanted) throw new Error(abandoned);
    },
    async stop() {
      stopping.abort();
      await writing?.ended;
    },
  };
}

const abandoned = "The file was abandoned with lines that are not on disk.";
