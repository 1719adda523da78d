import { Button, Skeleton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type DeletedBatchView, deletedDays } from "#contract";
import { describeError, useApi, useRpc } from "../../../bridge/index.ts";
import {
  ConfirmDialog,
  EmptyState,
  ErrorCard,
  formatBytes,
  formatCount,
  TableCard,
  useNow,
  VirtualTable,
  type VirtualTableHandle,
} from "../../../components/index.ts";
import { useRestoreBatches } from "../use-restore-batches.ts";
import classes from "./deleted-batches.module.css";
import { createDeletedColumns } from "./deleted-columns.tsx";
import { deletedOptions } from "./deleted-options.ts";

/** The deleted batches, which can be restored for 30 days. */
export function DeletedBatches({ onBack }: { readonly onBack: () => void }) {
  const api = useApi();
  const { data, error, refetch } = useQuery(deletedOptions(api));
  const restore = useRestoreBatches();
  const purging = usePurge();
  const now = useNow(60_000);
  const table = useRef<VirtualTableHandle>(null);
  const back = useRef<HTMLButtonElement>(null);
  /** Batches whose rows go, and the buttons that have the focus with them. */
  const leaving = useRef<readonly string[]>([]);
  useEffect(() => {
    if (data === undefined || !leaving.current.some((id) => data.every((batch) => batch.id !== id))) return;
    leaving.current = [];
    (back.current ?? table.current)?.focus();
  }, [data]);
  const [activeId, setActiveId] = useState<string | null>(null);
  const { ask: askPurge } = purging;
  const ask = useCallback(
    (batches: readonly DeletedBatchView[]) => {
      leaving.current = batches.map(({ id }) => id);
      askPurge(batches);
    },
    [askPurge],
  );
  const columns = useMemo(
    () =>
      createDeletedColumns({
        now,
        onRestore: ({ id }) => {
          leaving.current = [id];
          void restore([id]);
        },
        onPurge: (batch) => ask([batch]),
      }),
    [now, restore, ask],
  );
  if (data === undefined) {
    return (
      <div className={classes.bar}>
        {error === null ? (
          <Skeleton height={200} animate={false} />
        ) : (
          <ErrorCard
            title="The deleted batches could not be read"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )}
      </div>
    );
  }
  if (data.length === 0) {
    return (
      <>
        <EmptyState
          icon={<IconTrash size={24} stroke={1.5} />}
          title="No deleted batches"
          actions={
            <Button ref={back} onClick={onBack}>
              All batches
            </Button>
          }
        >
          A batch that you delete stays here for {deletedDays} days, with its answers, verdicts and grades.
        </EmptyState>
        {purging.dialog}
      </>
    );
  }
  const active = data.findIndex(({ id }) => id === activeId);
  return (
    <>
      <div className={classes.bar}>
        <p className={classes.about}>
          {formatCount(data.length, "batch", "batches")}, {formatBytes(sumBytes(data))}. After {deletedDays} days each
          is deleted for good.
        </p>
        {data.length > 1 ? (
          <Button color="red" leftSection={<IconTrash size={15} />} onClick={() => ask(data)}>
            Delete all now
          </Button>
        ) : null}
      </div>
      <TableCard isEmpty={false}>
        <VirtualTable
          label="Deleted batches"
          handle={table}
          columns={columns}
          count={data.length}
          rowAt={(index) => data[index]}
          active={active === -1 ? null : active}
          onActivate={(index) => setActiveId(data[index]?.id ?? null)}
        />
      </TableCard>
      {purging.dialog}
    </>
  );
}

/** Asks, then deletes batches for good. */
function usePurge() {
  const api = useApi();
  const rpc = useRpc();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  // They stay in the dialog while that is closing.
  const [shown, setShown] = useState<readonly DeletedBatchView[]>([]);
  const purge = useMutation({
    mutationFn: async (batches: readonly DeletedBatchView[]) => {
      const ids = new Set(batches.map(({ id }) => id));
      const alone = batches.filter((batch) => !goesWith(ids, batch));
      const purged = new Set<string>();
      try {
        for (const { id } of alone) {
          await rpc.batches.purge({ id });
          purged.add(id);
        }
      } catch (error) {
        // Those that are gone would be refused when the user tries again.
        setShown(batches.filter((batch) => !purged.has(batch.id) && !goesWith(purged, batch)));
        throw error;
      }
    },
    onSuccess: () => setOpen(false),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.batches.deleted.key() }),
  });
  const { reset } = purge;
  const ask = useMemo(
    () => (batches: readonly DeletedBatchView[]) => {
      reset();
      setShown(batches);
      setOpen(true);
    },
    [reset],
  );
  const [first] = shown;
  const what = shown.length === 1 && first ? `“${first.name}”` : formatCount(shown.length, "batch", "batches");
  const dialog = (
    <ConfirmDialog
      opened={isOpen}
      onClose={() => setOpen(false)}
      title={`Delete ${what} for good?`}
      error={purge.error ? <ErrorCard title="Not all was deleted" {...describeError(purge.error)} /> : null}
      keep="Keep"
      confirm={`Delete ${formatBytes(sumBytes(shown))}`}
      isPending={purge.isPending}
      onConfirm={() => purge.mutate(shown)}
    >
      Input, answers, verdicts and grades are deleted now, with those of all retries. This can’t be undone.
    </ConfirmDialog>
  );
  return { ask, dialog };
}

/** Whether a batch is a retry of one of these, and is purged with it. */
function goesWith(ids: ReadonlySet<string>, { link }: DeletedBatchView): boolean {
  return link?.kind === "retry" && ids.has(link.root);
}

function sumBytes(batches: readonly DeletedBatchView[]): number {
  return batches.reduce((sum, { bytes }) => sum + bytes, 0);
}
