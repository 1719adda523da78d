import type { BuildInput, CheckProgress, ReuseCount, Rows, Source } from "#contract";
import { useBuildInputs, useContent } from "../draft/draft-session.ts";
import type { VersionCheck } from "../preview/use-checks.ts";

/** One of the batches that a submit makes: a version of the prompt, asked of a model. */
export interface Job {
  readonly input: BuildInput;
  readonly check: CheckProgress | null;
  readonly isChecking: boolean;
}

/** The batches that a submit would make. One where there is no source yet, or a file of requests. */
export function useJobs(source: Source | null, checks: readonly VersionCheck[]): readonly Job[] {
  const inputs = useBuildInputs(source);
  const otherModels = useContent((content) => content.otherModels);
  return inputs.flatMap(({ key, input }) => {
    const { latest: check = null, isChecking = true } = checks.find((version) => version.key === key) ?? {};
    const models = new Set([input.template.model, ...(source?.holds === "rows" ? otherModels : [])]);
    return Array.from(models, (model) => ({
      input: { ...input, template: { ...input.template, model } },
      check,
      isChecking,
    }));
  });
}

/** How much it is: what is counted in the course of a check. */
export type Size = Pick<
  CheckProgress,
  "done" | "total" | "finished" | "requests" | "blocked" | "bytes" | "promptTokens" | "prompts" | "tokensExact"
>;

/** How much several batches are together, by their checks. Null as long as nothing is known. */
export function sumSizes(sizes: readonly (Size | null)[]): Size | null {
  const known = sizes.find((size) => size !== null) ?? null;
  if (known === null) return null;
  // A version that was just added is about as much as another until it has been checked.
  const all = sizes.map((size) => size ?? { ...known, finished: false });
  const sum = (of: (size: Size) => number) => all.reduce((total, size) => total + of(size), 0);
  return {
    done: sum(({ done }) => done),
    total: sum(({ total }) => total),
    finished: all.every(({ finished }) => finished),
    requests: sum(({ requests }) => requests),
    blocked: all.some(({ blocked }) => blocked),
    bytes: sum(({ bytes }) => bytes),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    prompts: all.flatMap(({ prompts }) => prompts),
    tokensExact: all.every(({ tokensExact }) => tokensExact),
  };
}

/**
 * Requests of all batches: those of the rows that are taken, without the ones that are left out. Null where only a check can
 * tell, because the rows are filtered, and there has been none.
 */
export function countRequests(
  { rowCount, holds }: Pick<Source, "rowCount" | "holds">,
  { take, count, filter }: Rows,
  jobs: number,
  size: Size | null,
): number | null {
  if (size?.finished && !size.blocked) return size.requests;
  if (holds === "rows" && filter !== undefined) return size?.total ?? null;
  return jobs * (take === "all" ? rowCount : Math.min(count, rowCount));
}

/** What is left to ask of a batch where answers that are there already are used. */
export function leaveOutReused(size: Size, counts: ReuseCount | undefined, { reuse, onceIdentical }: Rows): Size {
  const saved = (reuse ? (counts?.reusable ?? 0) : 0) + (onceIdentical ? (counts?.identical ?? 0) : 0);
  if (saved === 0) return size;
  const requests = Math.max(0, size.requests - saved);
  // The lengths of reused prompts aren't known: they are taken as average.
  const share = requests / Math.max(1, size.requests);
  const prompts = size.prompts.map(({ lines, promptTokens, ...group }) => {
    return { ...group, lines: lines * share, promptTokens: promptTokens * share };
  });
  return { ...size, requests, promptTokens: Math.round(size.promptTokens * share), prompts, tokensExact: false };
}
