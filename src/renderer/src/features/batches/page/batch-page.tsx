import { Skeleton } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type BatchDetail, finalStatuses } from "#contract";
import { describeError, useRpc } from "../../../bridge/index.ts";
import { ErrorCard } from "../../../components/index.ts";
import { useBatch, useBatches } from "../../../queries/batch-queries.ts";
import { useShortcuts } from "../../../state/shortcuts.ts";
import { canCancel } from "../describe-batch.ts";
import { useRetryDialog } from "../retry-dialog.tsx";
import { useCancelBatch } from "../use-cancel-batch.tsx";
import { BatchMissing } from "./batch-missing.tsx";
import classes from "./batch-page.module.css";

/** The ways from a batch to other pages. */
interface BatchWays {
  readonly onBack: () => void;
  readonly onOpenBatch: (batchId: string) => void;
  readonly onOpenDraft: (draftId: string) => void;
  /** Compares these batches, or chooses what to compare one with. */
  readonly onCompare: (batchIds: readonly string[]) => void;
}

export interface BatchPageProps extends BatchWays {
  readonly batchId: string;
  /** The page of the batch once it has been read. */
  readonly children: (batch: BatchDetail) => ReactNode;
}

/** The batch on screen, the ways from it, and what its dialogs do. */
export interface BatchPageContext extends BatchWays {
  readonly batch: BatchDetail;
  /** Whether its name is being edited. */
  readonly isNaming: boolean;
  readonly onNaming: (isNaming: boolean) => void;
  readonly onCancel: () => void;
  /** Offers to ask these lines again, else those that failed, never ran, or have an answer that was cut or is empty. */
  readonly onAskAgain: (lines?: readonly number[]) => void;
}

const Context = createContext<BatchPageContext | null>(null);

/** The batch on screen. */
export function useBatchPage(): BatchPageContext {
  const page = useContext(Context);
  if (page === null) throw new Error("There is no BatchPage.");
  return page;
}

/** One batch: reads it, and holds it for all that is below. */
export function BatchPage({ batchId, children, ...ways }: BatchPageProps) {
  const { data, error, refetch } = useBatch(batchId);
  const { batches } = useBatches();
  if (data) {
    return (
      <Provider {...ways} batch={data}>
        {children(data)}
      </Provider>
    );
  }
  if (!error) return <BatchPending name={batches.find(({ id }) => id === batchId)?.name} />;
  const description = describeError(error);
  return isNotFound(error) ? (
    <BatchMissing
      batchId={batchId}
      message={description.message}
      onBack={ways.onBack}
      onRestored={() => void refetch()}
    />
  ) : (
    <div className={classes.error}>
      <ErrorCard title="The batch could not be read" {...description} onRetry={() => void refetch()} />
    </div>
  );
}

interface ProviderProps extends BatchWays {
  readonly batch: BatchDetail;
  readonly children: ReactNode;
}

/** Between two requests to keep the batch on screen current, in milliseconds. The host follows each for a minute. */
const refreshPeriod = 30_000;

/** Has the service of a running batch asked often, as long as the batch is on screen. */
function useRefresh({ id, status }: BatchDetail) {
  const rpc = useRpc();
  const isRunning = !finalStatuses.has(status);
  useEffect(() => {
    if (!isRunning) return;
    // A lost connection to the host is shown by the shell.
    const refresh = () => void rpc.batches.refresh({ id }).catch(() => {});
    refresh();
    const timer = setInterval(refresh, refreshPeriod);
    return () => clearInterval(timer);
  }, [rpc, id, isRunning]);
}

function Provider({ batch, children, ...ways }: ProviderProps) {
  useRefresh(batch);
  const [isNaming, onNaming] = useState(false);
  const cancelling = useCancelBatch();
  const retryDialog = useRetryDialog(batch, ({ id }) => ways.onOpenBatch(id));
  const onCancel = () => cancelling.ask([batch]);
  useShortcuts("Batch", [
    { keys: "c", label: "Cancel the batch", run: () => canCancel(batch) && onCancel() },
    { keys: "Backspace", label: "Back to all batches", run: ways.onBack },
  ]);
  return (
    <Context value={{ ...ways, batch, isNaming, onNaming, onCancel, onAskAgain: retryDialog.open }}>
      {children}
      {cancelling.dialog}
      {retryDialog.dialog}
    </Context>
  );
}

function isNotFound(error: Error): boolean {
  return "code" in error && error.code === "NOT_FOUND";
}

/** A batch that is being fetched: the shapes of what will be here. */
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
