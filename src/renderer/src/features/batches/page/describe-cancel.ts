import type { BatchView } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";
import { countEnded } from "../counts.ts";

/** What a cancel keeps and what it gives up, in sentences (decisions.md, Batch states). */
export function describeCancel(batch: Pick<BatchView, "counts">): string {
  const { total, completed } = batch.counts;
  const left = total - countEnded(batch);
  if (total === 0) return "The file is still being checked. No line of it will run.";
  const kept =
    completed === 0
      ? "Nothing has been answered yet."
      : `The ${formatCount(completed, "answer")} so far ${completed === 1 ? "is" : "are"} kept and can be read and exported.`;
  const lost =
    left === 1 ? "The line that is left will not run" : `The ${formatNumber(left)} lines that are left will not run`;
  return `${kept} ${lost}, but for those being answered right now.`;
}
