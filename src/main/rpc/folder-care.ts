import type { FolderState } from "#contract";

/**
 * Checks, copies and repairs the data folder as a whole. A task only begins here; `state` has its progress. Throws a BuildError where a
 * task can't begin, as while another is under way.
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
