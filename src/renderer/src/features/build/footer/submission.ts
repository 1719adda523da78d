import { createStore, type StoreApi } from "zustand/vanilla";
import type { BuildInput, CheckProgress, Source, SubmitProgress } from "#contract";
import { formatCount } from "../../../components/index.ts";
import { isCheckUnwritten } from "../preview/describe-problems.ts";

/** The procedure that renders, uploads and creates a batch. */
export type SubmitCall = (
  input: BuildInput & { name: string },
  options: { signal: AbortSignal },
) => Promise<AsyncIterable<SubmitProgress>>;

/** Requests rendered so far. */
export interface SubmissionProgress {
  readonly done: number;
  readonly total: number;
}

/** The submission of a draft: one at a time; it continues while another page is on screen. */
export interface Submission {
  /** Null while none is under way. */
  readonly progress: Pick<StoreApi<SubmissionProgress | null>, "getState" | "getInitialState" | "subscribe">;
  /** Answers with the ids of the batches; with none when it was cancelled. Rejects when it was refused. */
  start(input: BuildInput & { name: string }, total: number): Promise<readonly string[]>;
  cancel(): void;
}

export function createSubmission(submit: SubmitCall): Submission {
  const progress = createStore<SubmissionProgress | null>()(() => null);
  let abort = new AbortController();

  async function follow(input: BuildInput & { name: string }, signal: AbortSignal): Promise<readonly string[]> {
    for await (const event of await submit(input, { signal })) {
      if (event.phase === "submitted") return [event.batchId, ...(event.versions ?? [])];
      progress.setState({ done: event.done, total: event.total }, true);
    }
    throw new Error("The submission ended without a batch.");
  }

  return {
    progress,
    async start(input, total) {
      if (progress.getState() !== null) return [];
      abort = new AbortController();
      const { signal } = abort;
      progress.setState({ done: 0, total }, true);
      try {
        return await follow(input, signal);
      } catch (error) {
        if (signal.aborted) return [];
        throw error;
      } finally {
        progress.setState(null, true);
      }
    },
    cancel: () => abort.abort(),
  };
}

/** Whether all that keeps the batch from running are rows that could be left out. */
function isOnlyRows({ faultyRows, groups }: Pick<CheckProgress, "faultyRows" | "groups">): boolean {
  return faultyRows > 0 && groups.every(({ severity, lines }) => severity === "warning" || lines > 0);
}

/** A version of the prompt, and what may keep it from being submitted. */
export interface VersionState {
  readonly name: string;
  readonly check: Pick<CheckProgress, "blocked" | "faultyRows" | "errorCount" | "groups"> | null;
  /** Whether the check itself broke off: what it would have found is not known. */
  readonly hasFailed: boolean;
  /** The number field in which something else was typed. */
  readonly unread: string | null;
}

/** Why a draft can't be submitted as it is, with the next step; null when it can. */
export function explainNotReady(
  isConnected: boolean,
  source: Pick<Source, "rowCount" | "holds"> | null,
  versions: readonly VersionState[],
): string | null {
  if (!isConnected) return "Waiting for the connection";
  if (source === null) return "Choose a source first";
  if (source.rowCount === 0) return "The source has no rows";
  const [first] = versions.flatMap((version) => {
    const step = describeNextStep(version, source);
    return step === null
      ? []
      : [versions.length === 1 ? step : `${version.name}: ${step.charAt(0).toLowerCase()}${step.slice(1)}`];
  });
  return first ?? null;
}

function describeNextStep({ check, hasFailed, unread }: VersionState, { holds }: Pick<Source, "holds">): string | null {
  if (unread !== null) return `Correct the ${unread} first`;
  if (hasFailed) return "Not checked: see Problems";
  if (check === null || !check.blocked) return null;
  if (isCheckUnwritten(check)) return "Write the prompt first";
  if (check.groups.some(({ code }) => code === "picture_not_allowed")) return "Allow the pictures first";
  if (isOnlyRows(check)) return `Fix ${formatCount(check.faultyRows, holds === "rows" ? "row" : "line")} first`;
  return `Fix ${formatCount(check.errorCount, "error")} first`;
}
