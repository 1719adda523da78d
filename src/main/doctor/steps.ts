/** How far an examination or a copy is, in records and jobs. */
export interface DoctorProgress {
  readonly done: number;
  readonly total: number;
}

/** How it reports that, and is ended: it rejects with the reason of the signal. */
export interface Watching {
  readonly onProgress?: ((progress: DoctorProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Counts the steps of a piece of work. */
export interface Steps {
  readonly signal: AbortSignal | undefined;
  /** There are so many more. */
  expect(count: number): void;
  /** One was done. Throws the reason of the signal when it is aborted. */
  step(): void;
  /** Throws the same within a long step. */
  assertWanted(): void;
}

export function countSteps({ onProgress, signal }: Watching): Steps {
  let [done, total] = [0, 0];
  return {
    signal,
    expect(count) {
      total += count;
    },
    step() {
      signal?.throwIfAborted();
      done += 1;
      onProgress?.({ done, total });
    },
    assertWanted: () => signal?.throwIfAborted(),
  };
}

/** The steps of a part that is one step of the whole. */
export const withinStep = ({ signal, assertWanted }: Steps): Steps => ({
  signal,
  expect() {},
  step: assertWanted,
  assertWanted,
});
