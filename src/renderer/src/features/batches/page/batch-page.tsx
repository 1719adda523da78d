import { Button, SegmentedControl, Skeleton, Tabs } from "@mantine/core";
import { IconFileUnknown } from "@tabler/icons-react";
import { lazy, type Ref, Suspense } from "react";
import type { BatchDetail, BatchView, ResultFilter } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard, formatNumber } from "../../../components/index.ts";
import { useShortcuts } from "../../../state/shortcuts.ts";
import { useBatch, useBatches } from "../batch-queries.ts";
import { canCancel, countEnded, hasAnswers, isUnderWay } from "../describe-batch.ts";
import { useExportDialog } from "../export/export-dialog.tsx";
import { announceGrading } from "../grading/describe-grading.ts";
import { useGradeDialog } from "../grading/grade-dialog.tsx";
import { GradesTab } from "../grading/grades-tab.tsx";
import { ErrorsTab } from "../results/errors-tab.tsx";
import { ResultsTable, type ResultsTableHandle } from "../results/results-table.tsx";
import { useRetryDialog } from "../retry-dialog.tsx";
import { useGrading, useVerification } from "../run-queries.ts";
import { type BatchSearch, filterOf, searchOf } from "../search-params.ts";
import { useCancelBatch } from "../use-cancel-batch.tsx";
import { useDraftFromBatch } from "../use-draft-from-batch.ts";
import { useRemoveBatches } from "../use-remove-batches.tsx";
import { useRetryBatches } from "../use-retry-batch.tsx";
import { announceVerification } from "../verification/describe-verification.ts";
import { VerificationTab } from "../verification/verification-tab.tsx";
import { useVerifyDialog } from "../verification/verify-dialog.tsx";
import { BatchHead } from "./batch-head.tsx";
import classes from "./batch-page.module.css";
import { ProblemsTab } from "./problems-tab.tsx";
import { RawTab } from "./raw-tab.tsx";
import { RunStatus } from "./run-status.tsx";

/** Only whoever looks at charts waits for what draws them. */
const ChartsTab = lazy(async () => ({ default: (await import("../charts/charts-tab.tsx")).ChartsTab }));

type Tab = NonNullable<BatchSearch["tab"]>;

const tabs: readonly Tab[] = ["results", "errors", "charts", "problems", "verification", "grades", "raw"];

export interface BatchPageProps {
  readonly batchId: string;
  /** The address: which tab, which lines are shown, and which one is open. */
  readonly search: BatchSearch;
  readonly onSearch: (change: Partial<BatchSearch>) => void;
  readonly onBack: () => void;
  readonly onOpenBatch: (batchId: string) => void;
  readonly onOpenDraft: (draftId: string) => void;
  /** Lays these batches side by side, or chooses what one is laid beside. */
  readonly onCompare: (batchIds: readonly string[]) => void;
  /** The table of the results, for whoever steps from line to line. */
  readonly table: Ref<ResultsTableHandle>;
}

/** One batch: how it stands, and what came of each of its lines. */
export function BatchPage(props: BatchPageProps) {
  const { data, error, refetch } = useBatch(props.batchId);
  const { batches } = useBatches();
  if (data) return <Batch {...props} batch={data} />;
  if (!error) return <BatchPending name={batches.find(({ id }) => id === props.batchId)?.name} />;
  const description = describeError(error);
  return isNotFound(error) ? (
    <EmptyState
      icon={<IconFileUnknown size={26} stroke={1.5} />}
      isPage
      title="This batch does not exist"
      actions={<Button onClick={props.onBack}>Go to batches</Button>}
    >
      {description.message}
    </EmptyState>
  ) : (
    <div className={classes.error}>
      <ErrorCard title="The batch could not be read" {...description} onRetry={() => void refetch()} />
    </div>
  );
}

function Batch({ batch, ...props }: BatchPageProps & { readonly batch: BatchDetail }) {
  const { search, onSearch, onBack, onOpenBatch, table } = props;
  const { tab } = search;
  const verification = useVerification(batch.id);
  const grading = useGrading(batch.id);
  const { batches } = useBatches();
  const retries = batches.filter(({ link }) => link?.kind === "retry" && link.root === batch.id).length;
  const hasRetries = retries > 0;
  const verifying = useVerifyDialog(batch, verification.run, hasRetries);
  const gradeDialog = useGradeDialog(batch, grading.run, hasRetries);
  const isVerifying = verification.run?.state === "running";
  const isGrading = grading.run?.state === "running";
  const cancelling = useCancelBatch();
  const retrying = useRetryBatches(([retry]) => retry && onOpenBatch(retry.id));
  const elsewhere = useRetryDialog(batch, ({ id }) => onOpenBatch(id));
  const drafting = useDraftFromBatch(props.onOpenDraft);
  const removeBatches = useRemoveBatches();
  const root = batch.link?.kind === "retry" ? batches.find(({ id }) => id === batch.link?.root) : undefined;
  const versions = listVersions(batch, batches);
  const merged = hasRetries && search.merged === true;
  const exporting = useExportDialog(batch, filterOf(search), merged);
  const failed = batch.status === "failed";
  const ended = countEnded(batch);
  const first: Tab = failed ? "problems" : "results";
  const isThere: Record<Tab, boolean> = {
    results: !failed,
    errors: !failed && errorCount(batch) > 0,
    charts: !failed && ended > 0,
    problems: failed,
    verification: verification.run !== null,
    grades: grading.run !== null,
    raw: true,
  };
  const shown = tab !== undefined && isThere[tab] ? tab : first;
  const onFilter = (filter: ResultFilter) => onSearch({ tab: undefined, line: undefined, ...searchOf(filter) });
  const lines = {
    batchId: batch.id,
    total: batch.counts.total,
    hasCost: batch.cost !== null,
    verification: verification.run?.isEarlier ? null : verification.run,
    grading: grading.run,
    merged,
    filter: filterOf(search),
  };

  useShortcuts("Batch", [
    { keys: "e", label: "Export results", run: () => ended > 0 && exporting.open() },
    { keys: "c", label: "Cancel the batch", run: () => canCancel(batch.status) && cancelling.ask([batch]) },
    {
      keys: "v",
      label: "Verify answers",
      run: () => hasAnswers(batch) && !isVerifying && verifying.open(),
    },
    { keys: "g", label: "Grade answers", run: () => hasAnswers(batch) && !isGrading && gradeDialog.open() },
    { keys: "Backspace", label: "Back to all batches", run: onBack },
  ]);

  return (
    <>
      <BatchHead
        batch={batch}
        rootName={root?.name ?? null}
        onOpenRoot={() => root && onOpenBatch(root.id)}
        mergedRetries={merged ? retries : 0}
        retrying={retrying}
        onRetryElsewhere={() => elsewhere.open()}
        drafting={drafting}
        onCompare={() => props.onCompare([batch.id])}
        onCompareVersions={versions.length > 1 ? () => props.onCompare(versions) : null}
        onRemove={() => {
          removeBatches([batch]);
          onBack();
        }}
        onShowFailed={() => onFilter({ states: ["failed"] })}
        onExport={exporting.open}
        onCancel={() => cancelling.ask([batch])}
        onVerify={verifying.open}
        isVerifying={isVerifying}
        onGrade={gradeDialog.open}
        isGrading={isGrading}
      />
      <Tabs
        className={classes.tabs}
        classNames={{ list: classes.tabList, tab: classes.tab, panel: classes.panel }}
        value={shown}
        onChange={(value) => onSearch({ tab: tabs.find((one) => one === value && one !== first) })}
        keepMounted={false}
      >
        <div className={classes.tabRow}>
          <Tabs.List aria-label="What to see of the batch">
            {failed ? (
              <Tabs.Tab value="problems">
                Input problems <span className={classes.count}>{formatNumber(batch.problemCount)}</span>
              </Tabs.Tab>
            ) : (
              <Tabs.Tab value="results">
                Results {merged ? null : <span className={classes.count}>{formatNumber(ended)}</span>}
              </Tabs.Tab>
            )}
            {isThere.errors ? (
              <Tabs.Tab value="errors">
                Errors {merged ? null : <span className={classes.count}>{formatNumber(errorCount(batch))}</span>}
              </Tabs.Tab>
            ) : null}
            {isThere.charts ? <Tabs.Tab value="charts">Charts</Tabs.Tab> : null}
            {isThere.verification ? <Tabs.Tab value="verification">Verification</Tabs.Tab> : null}
            {isThere.grades ? <Tabs.Tab value="grades">Grades</Tabs.Tab> : null}
            <Tabs.Tab value="raw">Raw</Tabs.Tab>
          </Tabs.List>
          {hasRetries && (shown === "results" || shown === "errors" || shown === "charts") ? (
            <SegmentedControl
              size="xs"
              aria-label="Whose results are shown"
              value={merged ? "merged" : "own"}
              onChange={(value) => onSearch({ merged: value === "merged" ? true : undefined })}
              data={[
                { value: "own", label: "This batch" },
                { value: "merged", label: "Merged results" },
              ]}
            />
          ) : null}
          <RunStatus
            commands={verification}
            doing="Verifying"
            name="verification"
            unit="answer"
            outcome={verification.run === null ? "" : announceVerification(verification.run)}
          />
          <RunStatus
            commands={grading}
            doing="Grading"
            name="grading"
            unit="line"
            outcome={grading.run === null ? "" : announceGrading(grading.run)}
          />
        </div>
        <Tabs.Panel value={first}>
          {failed ? (
            <ProblemsTab batch={batch} />
          ) : (
            <ResultsTable
              {...lines}
              isRemote={batch.remote !== null}
              underWay={isUnderWay(batch.status)}
              line={search.line ?? null}
              onLine={(line) => onSearch({ line })}
              handle={table}
              onFilter={onFilter}
              text={search.q}
              onText={(q) => onSearch({ q })}
              onRetry={isUnderWay(batch.status) ? null : elsewhere.open}
            />
          )}
        </Tabs.Panel>
        {isThere.errors ? (
          <Tabs.Panel value="errors">
            <ErrorsTab batchId={batch.id} merged={merged} onError={(code) => onFilter({ errors: [code] })} />
          </Tabs.Panel>
        ) : null}
        {isThere.charts ? (
          <Tabs.Panel value="charts">
            <Suspense fallback={null}>
              <ChartsTab
                {...lines}
                name={batch.name}
                onFilter={(filter) => onSearch({ line: undefined, ...searchOf(filter) })}
                onShow={onFilter}
                choice={{ column: search.chart, measure: search.against }}
                onChoice={({ column, measure }) => onSearch({ chart: column, against: measure })}
              />
            </Suspense>
          </Tabs.Panel>
        ) : null}
        {verification.run === null ? null : (
          <Tabs.Panel value="verification">
            <VerificationTab
              run={verification.run}
              onVerdict={(verdict) => onFilter({ verdicts: [verdict] })}
              onVerify={verifying.open}
            />
          </Tabs.Panel>
        )}
        {grading.run === null ? null : (
          <Tabs.Panel value="grades">
            <GradesTab
              run={grading.run}
              onGrade={(grade) => onFilter({ grades: [grade] })}
              onGradeAgain={gradeDialog.open}
            />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="raw">
          <RawTab batch={batch} />
        </Tabs.Panel>
      </Tabs>
      {cancelling.dialog}
      {verifying.dialog}
      {gradeDialog.dialog}
      {exporting.dialog}
      {elsewhere.dialog}
    </>
  );
}

/** The batches of one submit to several models, the first one first. `batches` are newest first. */
function listVersions({ id, link }: BatchView, batches: readonly BatchView[]): string[] {
  const root = link?.kind === "version" ? link.root : id;
  return batches
    .filter((other) => other.id === root || (other.link?.kind === "version" && other.link.root === root))
    .map((other) => other.id)
    .reverse();
}

/** Lines that have an error in place of an answer. */
function errorCount({ counts }: BatchDetail): number {
  return counts.failed + counts.neverRan;
}

function isNotFound(error: Error): boolean {
  return "code" in error && error.code === "NOT_FOUND";
}

/** A batch that is being fetched: the shapes of what will stand here. */
function BatchPending({ name }: { readonly name: string | undefined }) {
  return (
    <div className={classes.pending} role="status" aria-label="The batch is being read">
      {name === undefined ? (
        <Skeleton height={20} width={260} mt={8} />
      ) : (
        <h1 className={classes.pendingName} dir="auto">
          {name}
        </h1>
      )}
      <Skeleton height={12} width={420} mt={18} />
      <Skeleton height={8} mt={18} />
      <Skeleton height={12} width={180} mt={14} />
    </div>
  );
}
