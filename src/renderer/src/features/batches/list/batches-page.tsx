import { Button, Title } from "@mantine/core";
import { IconArrowLeft, IconFilterOff, IconPlus, IconStack2, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { BatchView } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  formatNumber,
  nextSort,
  TableCard,
  VirtualTable,
  type VirtualTableHandle,
} from "../../../components/index.ts";
import { useBatches, useBatchQualities, useLefts } from "../../../queries/batch-queries.ts";
import { useShortcuts } from "../../../state/shortcuts.ts";
import { DeletedBatches } from "../deleted/deleted-batches.tsx";
import { deletedOptions } from "../deleted/deleted-options.ts";
import { isUnderWay } from "../describe-batch.ts";
import { type BatchesSearch, sortColumns } from "../search-params.ts";
import { useCancelBatch } from "../use-cancel-batch.tsx";
import { useDraftFromBatch } from "../use-draft-from-batch.ts";
import { useRemoveBatches } from "../use-remove-batches.tsx";
import { useRetryBatches } from "../use-retry-batch.tsx";
import { createBatchColumns } from "./batch-columns.tsx";
import classes from "./batches-page.module.css";
import { foldBatches, groupRetries } from "./fold-batches.ts";
import { RowMenu } from "./row-menu.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { sortBatches, usualSort } from "./sort-batches.ts";
import { Toolbar } from "./toolbar.tsx";
import { useSelection } from "./use-selection.ts";

export interface BatchesPageProps {
  readonly search: BatchesSearch;
  readonly onSearch: (change: Partial<BatchesSearch>) => void;
  readonly onOpen: (batchId: string) => void;
  /** To the lines of a batch that failed or are damaged. */
  readonly onOpenFailed: (batch: BatchView) => void;
  readonly onOpenDraft: (draftId: string) => void;
  /** Asks how the results of batches are to be written, each to a file. */
  readonly onExport: (batches: readonly BatchView[]) => void;
  /** Lays batches side by side. */
  readonly onCompare: (batchIds: readonly string[]) => void;
  readonly onBuild: () => void;
  readonly isBuilding: boolean;
  readonly onTryExample: () => void;
  readonly exampleIsOpening: boolean;
}

/** All batches in a table that stays live. */
export function BatchesPage(props: BatchesPageProps) {
  const { search, onSearch, onBuild, isBuilding } = props;
  const { batches, isPending, error, refetch } = useBatches();
  const isEmpty = !isPending && !error && batches.length === 0;
  const isDeleted = search.view === "deleted";
  const { data: deleted = [] } = useQuery(deletedOptions(useApi()));
  const leaveDeleted = () => onSearch({ view: undefined });
  return (
    <>
      <header className={classes.head}>
        <Title>{isDeleted ? "Deleted batches" : "Batches"}</Title>
        <span className={classes.ways}>
          {isDeleted ? (
            <Button leftSection={<IconArrowLeft size={16} />} onClick={leaveDeleted}>
              All batches
            </Button>
          ) : null}
          {isDeleted || deleted.length === 0 ? null : (
            <Button leftSection={<IconTrash size={16} />} onClick={() => onSearch({ view: "deleted" })}>
              Deleted ({formatNumber(deleted.length)})
            </Button>
          )}
          {isEmpty || isDeleted ? null : (
            <Button variant="filled" leftSection={<IconPlus size={16} />} loading={isBuilding} onClick={onBuild}>
              New batch
            </Button>
          )}
        </span>
      </header>
      {isDeleted ? (
        <DeletedBatches onBack={leaveDeleted} />
      ) : error ? (
        <div className={classes.error}>
          <ErrorCard title="The batches could not be read" {...describeError(error)} onRetry={() => void refetch()} />
        </div>
      ) : isEmpty ? (
        <BatchesEmpty {...props} />
      ) : (
        <BatchesTable {...props} search={search} onSearch={onSearch} batches={batches} isPending={isPending} />
      )}
    </>
  );
}

interface BatchesTableProps extends BatchesPageProps {
  readonly batches: readonly BatchView[];
  readonly isPending: boolean;
}

/** The batch that was opened last from the list, so that coming back leads to its row. Lost with a reload. */
let lastOpenedId: string | null = null;

/** Rows to draw as placeholders while the list is fetched for the first time. */
const pendingRows = 8;

function BatchesTable(props: BatchesTableProps) {
  const { batches, isPending, search, onSearch, onOpen, onOpenFailed, onOpenDraft, onExport, onBuild } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const qualities = useBatchQualities();
  const isRunning = batches.some(({ status }) => isUnderWay(status));
  const hasCost = batches.some(({ cost }) => cost !== null);
  const isFiltered = search.find !== undefined || search.status !== undefined;
  const showsAll = !isFiltered && search.failed === undefined;
  // What is looked for is shown by itself, whatever it belongs to.
  const retriesOf = useMemo(() => groupRetries(batches), [batches]);
  const lefts = useLefts(batches.filter(({ id }) => retriesOf.has(id)));
  const folded = useMemo(() => {
    const sorted = sortBatches(batches, search, qualities);
    const all = isFiltered
      ? sorted.map((batch) => ({ batch, shown: batch, depth: 0, linked: 0, isOpen: false }))
      : foldBatches(sorted, opened, lefts);
    return search.failed === undefined
      ? all
      : all.filter(({ shown }) => shown.counts.failed + shown.counts.damaged > 0);
  }, [batches, search, qualities, isFiltered, opened, lefts]);
  const rows = useMemo(() => folded.map(({ batch }) => batch), [folded]);
  const selection = useSelection(rows);
  const table = useRef<VirtualTableHandle>(null);
  const find = useRef<HTMLInputElement>(null);
  const [activeId, setActiveId] = useState(() => lastOpenedId);
  const activeAt = activeId === null ? -1 : rows.findIndex(({ id }) => id === activeId);
  const active = activeAt < 0 ? null : activeAt;
  const cancelling = useCancelBatch();

  const open = useCallback(
    (batch: BatchView) => {
      lastOpenedId = batch.id;
      onOpen(batch.id);
    },
    [onOpen],
  );
  const { ask } = cancelling;
  const retrying = useRetryBatches((retries) => {
    const roots = retries.flatMap(({ link }) => (link === null ? [] : [link.root]));
    setOpened((before) => new Set([...before, ...roots]));
  });
  const { retry } = retrying;
  const { open: openDraft } = useDraftFromBatch(onOpenDraft);
  const removeBatches = useRemoveBatches();
  const fold = useCallback(
    ({ id }: BatchView) =>
      setOpened((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  const columns = useMemo(
    () =>
      createBatchColumns(
        {
          isSelected: selection.has,
          onSelect: (batch, event) => selection.toggle(batch, event.shiftKey),
          onFold: fold,
          onShowFailed: onOpenFailed,
          renderMenu: (batch) => (
            <RowMenu
              batch={batch}
              onOpen={open}
              onExport={(one) => onExport([one])}
              onCancel={(one) => ask([one])}
              onRetry={(one, which) => retry([one], which)}
              onDuplicate={({ id }) => openDraft(id, "copy")}
              onRemove={(one) => removeBatches([one])}
            />
          ),
        },
        { qualities, isRunning, hasCost },
      ),
    [
      selection.has,
      selection.toggle,
      fold,
      onOpenFailed,
      open,
      onExport,
      ask,
      retry,
      openDraft,
      removeBatches,
      qualities,
      isRunning,
      hasCost,
    ],
  );
  const press = (event: KeyboardEvent) => {
    const batch = active === null ? undefined : folded[active]?.batch;
    if (event.key === " " && batch) selection.toggle(batch, event.shiftKey);
    else if (event.key === "Escape" && selection.chosen.length > 0) selection.clear();
    else if (event.key === "ArrowRight" && batch) setOpened((before) => new Set([...before, batch.id]));
    else if (event.key === "ArrowLeft" && batch)
      setOpened((before) => new Set([...before].filter((id) => id !== batch.id)));
    else if (event.key === "Delete" && (batch || selection.chosen.length > 0))
      removeBatches(selection.chosen.length > 0 ? selection.chosen : batch ? [batch] : []);
    else return;
    event.preventDefault();
  };

  // Coming back from a batch, the keyboard is where it was.
  const [returnedTo] = useState(active);
  useEffect(() => {
    if (returnedTo === null) return;
    table.current?.show(returnedTo, "middle");
    table.current?.focus();
  }, [returnedTo]);

  useShortcuts("Batches", [
    { keys: "ArrowDown", label: "Next batch" },
    { keys: "ArrowUp", label: "Previous batch" },
    { keys: "Enter", label: "Open the batch" },
    { keys: "Space", label: "Select the batch" },
    { keys: "ArrowRight", label: "Show what belongs to it" },
    { keys: "Delete", label: "Delete the selected batches" },
    { keys: "mod+a", label: "Select all batches", run: selection.chooseAll },
    { keys: "/", label: "Find batches", run: () => find.current?.focus() },
    { keys: "n", label: "New batch", run: onBuild },
  ]);

  const sort = { column: search.sort ?? usualSort.sort, order: search.order ?? usualSort.order };
  const sortBy = (column: string) => {
    const wanted = sortColumns.find((one) => one === column);
    if (!wanted) return;
    const { order } = nextSort(
      sort,
      wanted,
      wanted === "created" || wanted === "progress" || wanted === "failed" ? "desc" : "asc",
    );
    const isUsual = wanted === usualSort.sort && order === usualSort.order;
    onSearch(isUsual ? { sort: undefined, order: undefined } : { sort: wanted, order });
  };

  return (
    <>
      {retrying.dialog}
      {selection.chosen.length > 0 ? (
        <SelectionBar
          chosen={selection.chosen}
          onRetry={(chosen) => retry(chosen, "failed")}
          isRetrying={retrying.isPending}
          onCancel={ask}
          onCompare={(chosen) =>
            props.onCompare(
              chosen.toSorted((one, other) => one.times.created - other.times.created).map(({ id }) => id),
            )
          }
          onExport={onExport}
          onRemove={(chosen) => {
            removeBatches(chosen);
            selection.clear();
          }}
          onClear={() => {
            selection.clear();
            table.current?.focus();
          }}
        />
      ) : (
        <Toolbar
          batches={batches}
          shown={isPending ? null : showsAll ? batches.length : rows.length}
          search={search}
          onSearch={onSearch}
          findRef={find}
          onLeave={() => {
            table.current?.focus();
            setActiveId(rows[0]?.id ?? null);
          }}
        />
      )}
      <TableCard isEmpty={!isPending && rows.length === 0}>
        <VirtualTable
          label="Batches"
          handle={table}
          columns={columns}
          count={isPending ? pendingRows : rows.length}
          rowAt={(index) => folded[index]}
          active={active}
          onActivate={(index) => setActiveId(rows[index]?.id ?? null)}
          onOpen={(index) => {
            const batch = rows[index];
            if (batch) open(batch);
          }}
          onKeyDown={press}
          sort={sort}
          onSort={sortBy}
          empty={
            <EmptyState
              icon={<IconFilterOff size={24} stroke={1.5} />}
              title="No batch fits the filters"
              actions={
                <Button onClick={() => onSearch({ find: undefined, status: undefined, failed: undefined })}>
                  Show all
                </Button>
              }
            />
          }
        />
      </TableCard>
      {cancelling.dialog}
    </>
  );
}

/** Before the first batch: what a batch is, and the first step. */
function BatchesEmpty({ onBuild, isBuilding, onTryExample, exampleIsOpening }: BatchesPageProps) {
  return (
    <EmptyState
      icon={<IconStack2 size={26} stroke={1.5} />}
      title="No batches yet"
      actions={
        <>
          <Button variant="filled" loading={exampleIsOpening} onClick={onTryExample}>
            Try the 200-question example
          </Button>
          <Button loading={isBuilding} onClick={onBuild}>
            Build a batch
          </Button>
        </>
      }
    >
      A batch asks a model the same thing about every row of a table and keeps each answer beside its row. It runs on
      its own, and what has been answered can be read and exported at any time.
    </EmptyState>
  );
}
