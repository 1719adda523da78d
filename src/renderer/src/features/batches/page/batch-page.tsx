import { Button, Tabs } from "@mantine/core";
import { IconFileUnknown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BatchDetail, LineVerdict, VerificationRun } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard, formatNumber } from "../../../components/index.ts";
import { useShortcuts } from "../../../state/index.ts";
import { countEnded } from "../counts.ts";
import type { BatchSearch } from "../search-params.ts";
import { canCancel } from "../status.ts";
import { useBatch, useBatches } from "../use-batches.ts";
import { canVerify } from "../verification/describe-verification.ts";
import { useVerification } from "../verification/use-verification.ts";
import { useVerifyDialog } from "../verification/use-verify-dialog.tsx";
import { VerificationTab } from "../verification/verification-tab.tsx";
import { BatchHead } from "./batch-head.tsx";
import classes from "./batch-page.module.css";
import { BatchPending } from "./batch-pending.tsx";
import { ProblemsTab } from "./problems-tab.tsx";
import { RawTab } from "./raw-tab.tsx";
import { useCancelBatch } from "./use-cancel-batch.tsx";
import { useExportResults } from "./use-export-results.tsx";

type Tab = NonNullable<BatchSearch["tab"]>;

export interface BatchPageProps {
  readonly batchId: string;
  /** The tab that the address names; null for the one that says most. */
  readonly tab: Tab | null;
  readonly onTab: (tab: Tab) => void;
  readonly onBack: () => void;
  /** The lines of a batch that has any: another feature's part. */
  readonly renderResults: (batch: BatchDetail, verification: VerificationRun | null) => ReactNode;
  /** Shows the lines with a verdict. */
  readonly onVerdict: (verdict: LineVerdict) => void;
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
  const { tab, onTab, onBack, renderResults, onVerdict } = props;
  const verification = useVerification(batch.id) ?? null;
  const verifying = useVerifyDialog(batch, verification);
  const cancelling = useCancelBatch();
  const { exportResults, isPending } = useExportResults();
  const failed = batch.status === "failed";
  const first: Tab = failed ? "problems" : "results";
  const shown = tab === "raw" || (tab === "verification" && verification !== null) ? tab : first;
  const ended = countEnded(batch);

  useShortcuts("Batch", [
    { keys: "e", label: "Export results", run: () => ended > 0 && exportResults(batch) },
    { keys: "c", label: "Cancel the batch", run: () => canCancel(batch.status) && cancelling.ask(batch) },
    {
      keys: "v",
      label: "Verify answers",
      run: () => canVerify(batch) && verification?.state !== "running" && verifying.open(),
    },
    { keys: "Backspace", label: "Back to all batches", run: onBack },
  ]);

  return (
    <>
      <BatchHead
        batch={batch}
        onExport={() => exportResults(batch)}
        isExporting={isPending}
        onCancel={() => cancelling.ask(batch)}
        verification={verification}
        onVerify={verifying.open}
      />
      <Tabs
        className={classes.tabs}
        classNames={{ list: classes.tabList, tab: classes.tab, panel: classes.panel }}
        value={shown}
        onChange={(value) => onTab(value === "raw" || value === "verification" ? value : first)}
        keepMounted={false}
      >
        <Tabs.List aria-label="What to see of the batch">
          {failed ? (
            <Tabs.Tab value="problems">
              Input problems <span className={classes.count}>{formatNumber(batch.problemCount)}</span>
            </Tabs.Tab>
          ) : (
            <Tabs.Tab value="results">
              Results <span className={classes.count}>{formatNumber(ended)}</span>
            </Tabs.Tab>
          )}
          {verification === null ? null : <Tabs.Tab value="verification">Verification</Tabs.Tab>}
          <Tabs.Tab value="raw">Raw</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={first}>
          {failed ? <ProblemsTab batch={batch} /> : renderResults(batch, verification)}
        </Tabs.Panel>
        {verification === null ? null : (
          <Tabs.Panel value="verification">
            <VerificationTab run={verification} onVerdict={onVerdict} onVerify={verifying.open} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="raw">
          <RawTab batch={batch} />
        </Tabs.Panel>
      </Tabs>
      {cancelling.dialog}
      {verifying.dialog}
    </>
  );
}

function isNotFound(error: Error): boolean {
  return "code" in error && error.code === "NOT_FOUND";
}
