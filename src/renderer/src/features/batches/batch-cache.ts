import type { InfiniteData } from "@tanstack/react-query";
import type { BatchDetail, BatchView } from "#contract";

/** One page of the list, as `batches.list` answers it. */
export interface BatchPage {
  readonly batches: BatchView[];
  readonly hasMore: boolean;
}

export type BatchPages = InfiniteData<BatchPage, string | undefined>;

/** The most samples of a rate that are kept; a longer run keeps every second one, and so on. */
const mostSamples = 120;

/** Puts a changed batch in its place in the list, or a new one at the top. Pages without it stay the same objects. */
export function mergeIntoPages(data: BatchPages, batch: BatchView): BatchPages {
  let found = false;
  const pages = data.pages.map((page) => {
    const at = page.batches.findIndex(({ id }) => id === batch.id);
    if (at < 0) return page;
    found = true;
    return { ...page, batches: page.batches.with(at, batch) };
  });
  const [first, ...rest] = pages;
  if (found || first === undefined) return { ...data, pages };
  return { ...data, pages: [{ ...first, batches: [batch, ...first.batches] }, ...rest] };
}

/**
 * Brings what is shown of one batch up to date with a change of it. The rate is sampled when `sample` says so; what
 * the change does not carry (problems, ids of files on the wire) stays until it is fetched again.
 */
export function mergeIntoDetail(detail: BatchDetail, batch: BatchView, sample: boolean): BatchDetail {
  return {
    ...detail,
    ...batch,
    throughput: sample && batch.rate !== null ? thin([...detail.throughput, batch.rate]) : detail.throughput,
    wire: { ...detail.wire, status: batch.status, request_counts: batch.counts },
  };
}

function thin(samples: readonly number[]): number[] {
  return samples.length <= mostSamples ? [...samples] : samples.filter((_, at) => at % 2 === 1);
}
