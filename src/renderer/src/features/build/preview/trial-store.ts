import { hashKey } from "@tanstack/react-query";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { BuildInput, KeptTrial, RequestTemplate, Rows, TrialProgress, TrialRow } from "#contract";

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  /** The name of the version: its last trial is kept with the draft. */
  readonly version: string;
  readonly rows: Pick<Rows, "count" | "filter"> & { readonly take: Exclude<Rows["take"], "all"> };
}

/** The procedure that asks a few rows at once. */
export type TrialCall = (input: TrialInput, options: { signal: AbortSignal }) => Promise<AsyncIterable<TrialProgress>>;

/** An answer of a trial, whole and by its fields. */
export type TrialAnswer = Pick<TrialRow, "answer" | "fields">;

/** The last trial of a version of the prompt. */
export interface VersionTrial extends Pick<TrialProgress, "batchId" | "rows" | "waiting" | "source"> {
  /** What was asked: the prompt may have changed since. */
  readonly input: TrialInput;
  /** The answers of the version's trial before, by row. */
  readonly before: ReadonlyMap<number, TrialAnswer>;
  /** How long it took, or has taken so far; null for one that was cut off. */
  readonly milliseconds: number | null;
}

export interface TrialState {
  readonly isRunning: boolean;
  /** By the key of the version. */
  readonly trials: ReadonlyMap<string, VersionTrial>;
  /** The key of the version that was asked last. */
  readonly latest: string | null;
  readonly error: unknown;
}

/** A version of the prompt that is to be tried. */
export interface VersionToTry {
  readonly key: string;
  readonly input: TrialInput;
}

/** The trials of a draft, the last one of each version; they continue while another page is on screen. */
export interface Trial {
  readonly state: Pick<StoreApi<TrialState>, "getState" | "getInitialState" | "subscribe">;
  /** Asks the versions side by side. Does nothing while a trial runs. */
  start(versions: readonly VersionToTry[]): Promise<void>;
  /** Shows trials that were kept, the latest last, of versions that have none here. */
  restore(kept: readonly (KeptTrial & { readonly key: string })[]): void;
  stop(): void;
}

/** @param now a clock in milliseconds */
export function createTrial(ask: TrialCall, now: () => number = Date.now): Trial {
  const state = createStore<TrialState>()(() => ({ isRunning: false, trials: new Map(), latest: null, error: null }));
  let abort = new AbortController();

  /** The version's former trial stays until the new one has begun. */
  async function tryVersion({ key, input }: VersionToTry, signal: AbortSignal): Promise<void> {
    const startedAt = now();
    const former = state.getState().trials.get(key);
    const before = former?.input.sourceId === input.sourceId ? answersByRow(former.rows) : new Map();
    try {
      for await (const { batchId, rows, waiting, source } of await ask(input, { signal })) {
        const trial = { batchId, input, before, rows, waiting, source, milliseconds: now() - startedAt };
        state.setState(({ trials }) => ({ trials: new Map(trials).set(key, trial), latest: key }));
      }
    } catch (error) {
      if (!signal.aborted) state.setState({ error });
    }
  }

  return {
    state,
    async start(versions) {
      if (state.getState().isRunning) return;
      abort = new AbortController();
      const { signal } = abort;
      state.setState({ isRunning: true, error: null });
      await Promise.all(versions.map((version) => tryVersion(version, signal)));
      state.setState({ isRunning: false });
    },
    restore(kept) {
      state.setState(({ trials, latest }) => {
        const missing = kept.filter(({ key }) => !trials.has(key));
        const restored = missing.map(({ key, ...trial }): [string, VersionTrial] => {
          return [key, { ...trial, before: new Map(), waiting: null }];
        });
        return { trials: new Map([...restored, ...trials]), latest: latest ?? missing.at(-1)?.key ?? null };
      });
    },
    stop: () => abort.abort(),
  };
}

/** The answers of a trial by row. */
export function answersByRow(rows: readonly TrialRow[]): ReadonlyMap<number, TrialAnswer> {
  return new Map(
    rows.flatMap(({ row, state, answer, fields }) =>
      state === "answered" ? [[row, { answer, fields }] as const] : [],
    ),
  );
}

/** Whether the prompt, or what answers it, has changed since a trial. */
export function isOutdated({ input }: Pick<VersionTrial, "input">, template: RequestTemplate): boolean {
  return hashKey([input.template]) !== hashKey([template]);
}

/** What the service counted of the prompts of all trials, compared with what was counted here; null as long as there is none. */
export function promptRatio(trials: TrialState["trials"]): number | null {
  const rows = [...trials.values()].flatMap((trial): readonly TrialRow[] => trial.rows);
  let [counted, real] = [0, 0];
  for (const { countedTokens = 0, promptTokens } of rows) {
    if (promptTokens === null || countedTokens === 0) continue;
    counted += countedTokens;
    real += promptTokens;
  }
  return counted === 0 || real === 0 ? null : real / counted;
}

/** Tokens of an answer of all trials, on average; null as long as there is none. */
export function usualAnswer(trials: TrialState["trials"]): number | null {
  const rows = [...trials.values()].flatMap((trial): readonly TrialRow[] => trial.rows);
  const tokens = rows.flatMap(({ completionTokens }) => (completionTokens === null ? [] : [completionTokens]));
  return tokens.length === 0 ? null : tokens.reduce((sum, count) => sum + count, 0) / tokens.length;
}
