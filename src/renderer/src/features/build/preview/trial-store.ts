import { createStore, type StoreApi } from "zustand/vanilla";
import type { BuildInput, Rows, TrialProgress, TrialRow } from "#contract";

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  readonly rows: { readonly take: Exclude<Rows["take"], "all">; readonly count: number };
}

/** The procedure that asks a few rows at once. */
export type TrialCall = (input: TrialInput, options: { signal: AbortSignal }) => Promise<AsyncIterable<TrialProgress>>;

export interface TrialState {
  readonly isRunning: boolean;
  readonly rows: readonly TrialRow[];
  /** The answers of the trial before, by row: of a prompt that was changed since. */
  readonly before: ReadonlyMap<number, TrialRow>;
  readonly waiting: string | null;
  readonly error: unknown;
}

/** The trials of a draft: one at a time, and it goes on while another page is on screen. */
export interface Trial {
  readonly state: Pick<StoreApi<TrialState>, "getState" | "getInitialState" | "subscribe">;
  start(input: TrialInput): Promise<void>;
  stop(): void;
}

export function createTrial(ask: TrialCall): Trial {
  const state = createStore<TrialState>()(() => ({
    isRunning: false,
    rows: [],
    before: new Map(),
    waiting: null,
    error: null,
  }));
  let abort = new AbortController();
  return {
    state,
    async start(input) {
      if (state.getState().isRunning) return;
      abort = new AbortController();
      const { signal } = abort;
      const answered = state.getState().rows.filter(isOver);
      const before = answered.length === 0 ? state.getState().before : new Map(answered.map((row) => [row.row, row]));
      state.setState({ isRunning: true, rows: [], before, waiting: null, error: null });
      try {
        for await (const { rows, waiting } of await ask(input, { signal })) state.setState({ rows, waiting });
      } catch (error) {
        if (!signal.aborted) state.setState({ error });
      } finally {
        state.setState({ isRunning: false, waiting: null });
      }
    },
    stop: () => abort.abort(),
  };
}

function isOver({ state }: TrialRow): boolean {
  return state !== "waiting";
}

/** Tokens of an answer of the trial, on average; null as long as there is none. */
export function usualAnswer(rows: readonly TrialRow[]): number | null {
  const tokens = rows.flatMap(({ completionTokens }) => (completionTokens === null ? [] : [completionTokens]));
  return tokens.length === 0 ? null : tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
}
