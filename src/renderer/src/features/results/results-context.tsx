import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { type BatchDetail, finalStatuses, type GradeRun, type ResultFilter, type VerificationRun } from "#contract";
import { useAnswerFields, useBatches } from "../../queries/batch-queries.ts";
import { type BatchRun, type RunCommands, useGrading, useVerification } from "../../queries/run-queries.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { useExportDialog } from "./export/export-dialog.tsx";
import { useGradeDialog } from "./grading/grade-dialog.tsx";
import { type BatchSearch, searchOf } from "./search-params.ts";
import { readShownFilter, type ShownFilter } from "./shown-filter.ts";
import { useVerifyDialog } from "./verification/verify-dialog.tsx";

/** The results of the batch on screen: which of them are shown, the runs over them, and what can be done with them. */
export interface Results extends ShownFilter {
  readonly batch: BatchDetail;
  readonly batchId: string;
  readonly search: BatchSearch;
  readonly onSearch: (change: Partial<BatchSearch>) => void;
  /** The fields of the answers that are columns, as they were known when the page was opened. */
  readonly fields: readonly string[];
  /** Shows fields that were found since; null while there are none. */
  readonly onShowFields: (() => void) | null;
  /** How many retries the batch has. */
  readonly retries: number;
  /** Whether each line comes with the newest answer of the batch and its retries. */
  readonly merged: boolean;
  /** Changes the filter and stays in the tab. */
  readonly onFilter: (filter: ResultFilter) => void;
  /** Shows the lines that a filter leaves in the table. */
  readonly onShow: (filter: ResultFilter) => void;
  readonly verification: RunCommands<VerificationRun>;
  readonly grading: RunCommands<GradeRun>;
  /** The run whose verdicts are shown: null without one, or where an earlier version made it. */
  readonly verified: VerificationRun | null;
  readonly onVerify: () => void;
  readonly onGrade: () => void;
  readonly onExport: () => void;
}

const ResultsContext = createContext<Results | null>(null);

/** The results of the batch on screen. */
export function useResults(): Results {
  const results = useContext(ResultsContext);
  if (results === null) throw new Error("There is no ResultsProvider.");
  return results;
}

export interface ResultsProviderProps extends Pick<Results, "batch" | "search" | "onSearch"> {
  readonly children: ReactNode;
}

/** Holds the results of a batch for all that is below, with their dialogs and shortcuts. */
export function ResultsProvider({ batch, search, onSearch, children }: ResultsProviderProps) {
  const verification = useVerification(batch.id);
  const grading = useGrading(batch.id);
  const { batches } = useBatches();
  const retries = batches.filter(({ link }) => link?.kind === "retry" && link.root === batch.id).length;
  const merged = retries > 0 && search.merged === true;
  const verified = verification.run?.isEarlier ? null : verification.run;
  const key = JSON.stringify(readShownFilter(search, verification, grading));
  // The same object as long as it is the same filter.
  const shown = useMemo(() => JSON.parse(key) as ShownFilter, [key]);
  const verifying = useVerifyDialog(batch, verification.run, retries > 0);
  const gradeDialog = useGradeDialog(batch, grading.run);
  const found = useFields(batch);
  const exporting = useExportDialog(batch, {
    filter: shown.filter,
    sort: search.sort,
    merged,
    fields: found.fields,
    gradedColumn: grading.run?.column ?? null,
    isVerified: verified !== null,
    isGraded: grading.run !== null,
  });
  const results: Results = {
    batch,
    batchId: batch.id,
    search,
    onSearch,
    ...found,
    retries,
    merged,
    ...shown,
    onFilter: (wanted) => onSearch({ line: undefined, ...searchOf(wanted) }),
    onShow: (wanted) => onSearch({ tab: undefined, line: undefined, ...searchOf(wanted) }),
    verification,
    grading,
    verified,
    onVerify: verifying.open,
    onGrade: gradeDialog.open,
    onExport: exporting.open,
  };
  const { canVerify, canGrade, canExport } = listActions(results);
  useShortcuts("Results", [
    { keys: "e", label: "Export results", run: () => canExport && exporting.open() },
    { keys: "v", label: "Verify answers", run: () => canVerify && verifying.open() },
    { keys: "g", label: "Grade answers", run: () => canGrade && gradeDialog.open() },
  ]);
  return (
    <ResultsContext value={results}>
      {children}
      {verifying.dialog}
      {gradeDialog.dialog}
      {exporting.dialog}
    </ResultsContext>
  );
}

/** Fields that are found while answers are being read are offered, so that nothing changes under their reader. */
function useFields(batch: BatchDetail): Pick<Results, "fields" | "onShowFields"> {
  const { id } = batch;
  const { found, hasAnswers } = useAnswerFields(batch);
  const [shown, setShown] = useState<{ readonly of: string; readonly fields: readonly string[] } | null>(null);
  const isKnown = found !== undefined && (found !== null || hasAnswers);
  if (isKnown && shown?.of !== id) setShown({ of: id, fields: found ?? [] });
  const fields = shown?.of === id ? shown.fields : noFields;
  const isNew = found != null && found.length > 0 && fields.length === 0 && shown !== null;
  return { fields, onShowFields: isNew ? () => setShown({ of: id, fields: found }) : null };
}

const noFields: readonly string[] = [];

interface ActionState {
  readonly batch: Pick<BatchDetail, "status" | "counts" | "isReadOnly">;
  readonly verification: { readonly run: Pick<BatchRun, "state"> | null };
  readonly grading: { readonly run: Pick<BatchRun, "state"> | null };
}

/** What can be done with the results right now. */
export function listActions({ batch: { status, counts, isReadOnly }, verification, grading }: ActionState) {
  const hasAnswers = finalStatuses.has(status) && counts.completed > 0 && !isReadOnly;
  return {
    hasAnswers,
    canVerify: hasAnswers && verification.run?.state !== "running",
    canGrade: hasAnswers && grading.run?.state !== "running",
    canExport: counts.completed + counts.failed + counts.damaged > 0,
  };
}
