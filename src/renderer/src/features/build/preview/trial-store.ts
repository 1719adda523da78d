import { createStore, type StoreApi } from "zustand/vanilla";
import type { BuildInput, Rows, TrialProgress, TrialRow } from "#contract";

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  readonly rows: Pick<Rows, "count" | "filter"> & { readonly take: Exclude<Rows["take"], "all"> };
}

/** The procedure that asks a few rows at once. */
export type TrialCall = (input: TrialInput, options: { signal: AbortSignal }) => Promise<AsyncIterable<TrialProgress>>;

export interface TrialState {
  readonly isRunning: boolean;
  readonly rows: readonly TrialRow[];
  /** The key of the version of the prompt that they were asked with. */
  readonly version: string;
  /** The answers of the trial before, by row: of another version, or of a prompt that was changed since. */
  readonly before: ReadonlyMap<number, AnswerBefore>;
  readonly waiting: string | null;
  readonly error: unknown;
}

export interface AnswerBefore extends Pick<TrialRow, "answer"> {
  readonly version: string;
}

/** The trials of a draft: one at a time; it continues while another page is on screen. */
export interface Trial {
  readonly state: Pick<StoreApi<TrialState>, "getState" | "getInitialState" | "subscribe">;
  start(input: TrialInput, version: string): Promise<void>;
  stop(): void;
}

export function createTrial(ask: TrialCall): Trial {
  const state = createStore<TrialState>()(() => ({
    isRunning: false,
    rows: [],
    version: "",
    before: new Map(),
    waiting: null,
    error: null,
  }));
  let abort = new AbortController();
  return {
    state,
    async start(input, version) {
      const last = state.getState();
      if (last.isRunning) return;
      abort = new AbortController();
      const { signal } = abort;
      const answered = last.rows.filter(isOver);
      const toBefore = ({ answer }: TrialRow): AnswerBefore => ({ answer, version: last.version });
      const before = answered.length === 0 ? last.before : new Map(answered.map((row) => [row.row, toBefore(row)]));
      state.setState({ isRunning: true, rows: [], version, before, waiting: null, error: null });
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
