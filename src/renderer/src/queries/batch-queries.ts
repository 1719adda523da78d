import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type BatchDetail,
  type BatchQuality,
  type BatchView,
  finalStatuses,
  noSourceColumns,
  type ResultFilter,
  type SourceColumns,
  sumErrors,
} from "#contract";
import { type Api, useApi, useConnection } from "../bridge/index.ts";

/** Batches that are fetched at a time; the whole list is, page after page, so that it can be sorted and searched. */
const pageSize = 500;

const none: readonly BatchView[] = [];

/** All batches, newest first. Kept up to date by `watchBatches`, never fetched again by itself. */
export function batchListOptions(api: Pick<Api, "batches">) {
  return queryOptions({
    queryKey: [...api.batches.list.key(), "all"],
    queryFn: async ({ signal }) => {
      const all: BatchView[] = [];
      for (;;) {
        const after = all.at(-1)?.id;
        const page = await api.batches.list.call(
          { limit: pageSize, ...(after === undefined ? {} : { after }) },
          { signal },
        );
        all.push(...page.batches);
        if (!page.hasMore || page.batches.length === 0) return all;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** One batch in full. Kept up to date by `watchBatches` while it is on screen. */
export function batchDetailOptions(api: Pick<Api, "batches">, id: string) {
  return api.batches.get.queryOptions({ input: { id }, staleTime: 60_000 });
}

/** All batches, newest first. */
export function useBatches() {
  const { data = none, isPending, error, refetch } = useQuery(batchListOptions(useApi()));
  const isLost = useConnection().status !== "open";
  const batches = useMemo(() => (isLost ? data.map(withoutForecast) : data), [data, isLost]);
  return { batches, isPending, error, refetch };
}

/** One batch in full. */
export function useBatch(id: string) {
  const isLost = useConnection().status !== "open";
  return useQuery({
    ...batchDetailOptions(useApi(), id),
    ...(isLost && { select: withoutForecast<BatchDetail> }),
  });
}

/** How often it is asked whether enough answers have come to know their fields, in milliseconds. */
const fieldsPeriod = 3_000;

/** The fields of a batch's answers that are columns: null as long as too few answers have come to know them. */
export function useAnswerFields(batch: BatchView | undefined) {
  const hasEnded = batch !== undefined && finalStatuses.has(batch.status);
  const phase = hasEnded ? "ended" : (batch?.counts.completed ?? 0) > 0 ? "answers" : "none";
  const { answerFields } = useApi().results;
  const input = { batchId: batch?.id ?? "" };
  const { data: found } = useQuery({
    ...answerFields.queryOptions({ input, staleTime: Number.POSITIVE_INFINITY }),
    // With the first answer, and at the end, it is asked anew.
    queryKey: [...answerFields.queryKey({ input }), phase],
    refetchInterval: ({ state }) => (state.data === null ? fieldsPeriod : false),
    enabled: batch !== undefined,
  });
  return { found, hasAnswers: phase !== "none" };
}

/** The columns of a batch's source table, and which of them its requests use. */
export function useSourceColumns(batchId: string): SourceColumns {
  const options = useApi().results.sourceColumns.queryOptions({ input: { batchId }, staleTime: 60_000 });
  return useQuery(options).data ?? noSourceColumns;
}

/** The lines of a batch, counted: all of them unless a filter is given. */
export function useResultSummary(batchId: string, merged: boolean, filter?: ResultFilter, enabled = true) {
  return useQuery(
    useApi().results.summary.queryOptions({
      input: { batchId, ...(filter && { filter }), ...(merged && { merged }) },
      enabled,
      staleTime: 2_000,
      placeholderData: keepPreviousData,
    }),
  );
}

/** Milliseconds after which new answers of a running batch are checked against their schemas. */
const misfitsPeriod = 3_000;

/** How many answers of a batch break the schemas of their requests; 0 until that is known, null where they could not be counted. */
export function useMisfits(batch: BatchView, merged: boolean): number | null {
  const { countMisfits } = useApi().results;
  const input = { batchId: batch.id, ...(merged && { merged }) };
  const hasEnded = finalStatuses.has(batch.status);
  const { data = 0, isError } = useQuery({
    ...countMisfits.queryOptions({ input, placeholderData: keepPreviousData }),
    // At the end, and with answers that come after it, they are counted anew.
    queryKey: [...countMisfits.queryKey({ input }), hasEnded ? batch.counts.completed : "running"],
    refetchInterval: hasEnded ? false : misfitsPeriod,
    enabled: batch.counts.completed > 0,
  });
  return isError ? null : data;
}

/** What the grades and verdicts of batches come to, by the batch. Fetched again when a run over one of them changes. */
export function useBatchQualities(): ReadonlyMap<string, BatchQuality> {
  const { data = noQualities } = useQuery(
    useApi().batches.qualities.queryOptions({ staleTime: Number.POSITIVE_INFINITY, select: byBatch }),
  );
  return data;
}

const noQualities: ReadonlyMap<string, BatchQuality> = new Map();

function byBatch(qualities: readonly BatchQuality[]): ReadonlyMap<string, BatchQuality> {
  return new Map(qualities.map((quality) => [quality.batchId, quality]));
}

/** How many lines of batches have no answer and can be asked again, all together; as many as failed, are damaged or never ran until that is known. */
export function useLeft(batches: readonly BatchView[], enabled = true): LeftOfBatches {
  const asked = batches
    .filter(({ counts }) => counts.failed + counts.damaged + counts.neverRan + counts.awaited > 0)
    .slice(0, mostAsked);
  const lefts = useLefts(asked, enabled);
  return sumLefts(asked.map(({ id, counts }) => lefts.get(id) ?? { ...counts, errors: {}, mayBePaid: counts.awaited }));
}

/** Lines without an answer. */
type LeftOfBatches = Omit<BatchDetail["left"], "cut" | "empty">;

/** Such lines of several batches, all together. */
function sumLefts(lefts: readonly LeftOfBatches[]): LeftOfBatches {
  const sum = (name: Exclude<keyof LeftOfBatches, "errors">) => lefts.reduce((all, left) => all + left[name], 0);
  return {
    failed: sum("failed"),
    errors: sumErrors(lefts.map(({ errors }) => errors)),
    damaged: sum("damaged"),
    neverRan: sum("neverRan"),
    awaited: sum("awaited"),
    mayBePaid: sum("mayBePaid"),
  };
}

/** The same by batch, as far as it is known. */
export function useLefts(batches: readonly BatchView[], enabled = true): ReadonlyMap<string, BatchDetail["left"]> {
  const asked = batches.slice(0, mostAsked);
  const { data } = useQuery(
    useApi().batches.left.queryOptions({
      input: { ids: asked.map(({ id }) => id) },
      enabled: enabled && asked.length > 0,
      staleTime: 2_000,
    }),
  );
  const ids = asked.map(({ id }) => id).join(" ");
  return useMemo(
    () => new Map(ids.split(" ").flatMap((id, at) => (data?.[at] ? [[id, data[at]] as const] : []))),
    [ids, data],
  );
}

const mostAsked = 500;

/** After lines were asked again, or answered by a retry: how many are left changes for the batch and all its retries. */
export function invalidateLeft(queryClient: QueryClient, { batches }: Pick<Api, "batches">): void {
  void queryClient.invalidateQueries({ queryKey: batches.get.key() });
  void queryClient.invalidateQueries({ queryKey: batches.left.key() });
}

/** A batch that is under way as shown without a connection to its host: no rate, and no time that is left. */
function withoutForecast<Batch extends BatchView>(batch: Batch): Batch {
  return finalStatuses.has(batch.status) ? batch : { ...batch, rate: null, timeLeft: null };
}
