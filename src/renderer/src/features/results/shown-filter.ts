import { labelPaths, type ResultFilter, type VerificationRun } from "#contract";
import { type BatchSearch, filterOf } from "./search-params.ts";

/** A run over the answers, as far as it is known. */
interface KnownRun<Run> {
  readonly run: Run | null;
  readonly isKnown: boolean;
}

export interface ShownFilter {
  /** The filter of the address without what the batch has nothing of. */
  readonly filter: ResultFilter;
  /** What is left out of it, and what to do, in sentences; empty until the runs are known. */
  readonly ignored: readonly string[];
}

const isLabelPath = (path: string) => path === labelPaths.expected || path === labelPaths.given;

/** Reads the filter of an address as far as the runs over the answers allow. */
export function readShownFilter(
  search: BatchSearch,
  verification: KnownRun<Pick<VerificationRun, "isEarlier">>,
  grading: KnownRun<{ readonly summary: { readonly labels: object | null } }>,
): ShownFilter {
  const { verdicts, kinds, grades, columns = [], ...others } = filterOf(search);
  const isVerified = verification.run !== null && !verification.run.isEarlier;
  const isGraded = grading.run !== null;
  const hasLabels = isGraded && grading.run.summary.labels !== null;
  const conditions = columns.filter(({ path }) => hasLabels || !isLabelPath(path));
  const ignored: string[] = [];
  const isOfVerdicts = verdicts !== undefined || kinds !== undefined;
  if (verification.isKnown && !isVerified && isOfVerdicts) {
    ignored.push("Not filtered by verdict: verify the answers first.");
  }
  if (grading.isKnown && !isGraded && grades !== undefined) {
    ignored.push("Not filtered by grade: grade the answers first.");
  }
  if (grading.isKnown && conditions.length < columns.length) {
    ignored.push("Not filtered by label: grade the answers against a column first.");
  }
  return {
    filter: {
      ...others,
      ...(conditions.length > 0 && { columns: conditions }),
      ...(isVerified && verdicts && { verdicts }),
      ...(isVerified && kinds && { kinds }),
      ...(isGraded && grades && { grades }),
    },
    ignored,
  };
}
