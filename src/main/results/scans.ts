import type { Machine } from "#main/base";
import type { LineIndex } from "./line-index.ts";

/** Something that is read in a thread of its own, and what has come of it so far. */
export interface Scan<Result> {
  readonly result: Result;
  readonly bytes: number;
  readonly size: number;
  readonly isDone: boolean;
  /** Resolves with the next progress; rejects when the scan failed. */
  next(): Promise<void>;
}

export interface ScanOptions<Result> {
  /** What is read, in which batch. */
  readonly key: readonly string[];
  /** The lines as they are now: of others the scan begins anew. */
  readonly index: LineIndex;
  /** What there is before anything has been read. */
  readonly result: () => Result;
  readonly read: (result: Result, report: (bytes: number, size: number) => void, signal: AbortSignal) => Promise<void>;
  /** Someone who waits for the scan. */
  readonly signal: AbortSignal;
}

interface OpenScan<Result> extends Scan<Result> {
  readonly index: LineIndex;
  readonly version: number;
  readonly users: Set<AbortSignal>;
  readonly abort: () => void;
}

/** How long a scan that no one waits for any more continues, in milliseconds: the next page of a table may ask for it. */
const timeoutMs = 2_000;

/** Scans by what they read: one that is under way is joined, and the last ones stay in memory. */
export function createScans<Result>(mostKept: number, machine: Machine) {
  /** The longest unused first. */
  const known = new Map<string, OpenScan<Result>>();

  return {
    open(options: ScanOptions<Result>): Scan<Result> {
      const { index, signal } = options;
      const key = JSON.stringify(options.key);
      let scan = known.get(key);
      if (scan === undefined || scan.index !== index || scan.version !== index.version) {
        const started = startScan(options, () => known.get(key) === started && known.delete(key));
        scan = started;
      }
      known.delete(key);
      known.set(key, scan);
      for (const [other, { isDone }] of known) if (known.size > mostKept && isDone) known.delete(other);
      join(scan, signal, machine);
      return scan;
    },
  };
}

/** A scan that no one waits for any more ends. */
function join(scan: OpenScan<unknown>, signal: AbortSignal, machine: Machine): void {
  scan.users.add(signal);
  const leave = () => {
    scan.users.delete(signal);
    const endUnused = () => scan.users.size === 0 && !scan.isDone && scan.abort();
    if (scan.users.size === 0 && !scan.isDone) machine.after(timeoutMs, endUnused, { unref: true });
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
}

function startScan<Result>(
  { index, result: createResult, read }: ScanOptions<Result>,
  onEnded: () => void,
): OpenScan<Result> {
  const result = createResult();
  const abortion = new AbortController();
  let [bytes, size, isDone] = [0, 0, false];
  let progress = Promise.withResolvers<void>();
  progress.promise.catch(() => undefined);

  function announce(): void {
    progress.resolve();
    progress = Promise.withResolvers<void>();
    progress.promise.catch(() => undefined);
  }

  function report(bytesNow: number, sizeNow: number): void {
    [bytes, size] = [bytesNow, sizeNow];
    announce();
  }
  read(result, report, abortion.signal).then(
    () => {
      isDone = true;
      announce();
    },
    (error: unknown) => {
      onEnded();
      progress.reject(error);
    },
  );
  return {
    result,
    index,
    version: index.version,
    users: new Set(),
    abort: () => {
      onEnded();
      abortion.abort();
    },
    get bytes() {
      return bytes;
    },
    get size() {
      return size;
    },
    get isDone() {
      return isDone;
    },
    next: () => progress.promise,
  };
}
