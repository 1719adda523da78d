import type { FolderState } from "#contract";

/**
 * What can be done with the data folder as a whole. One task at a time: each begins, and `state` has how it goes on. They throw a
 * BuildError where a task can't begin.
 */
export interface FolderCare {
  state(): FolderState;
  /** Why the folder can't be opened again after a repair; null while it is open. */
  closedBecause(): string | null;
  /** Calls the listener with every change. The answer stops it. */
  subscribe(listener: () => void): () => void;
  check(): void;
  /** Resolves once it has begun, or its user thought better of it. `place`: null where the system asks for it. */
  backUp(place: string | null): Promise<void>;
  repair(): void;
  /** Ends a check or a copy. */
  cancel(): void;
  reopen(): void;
}
