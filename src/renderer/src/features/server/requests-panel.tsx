import { Select } from "@mantine/core";
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { RequestRow } from "#contract";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  formatCount,
  formatNumber,
  IconAction,
  reportExport,
  SearchField,
  TableCard,
  type TableColumn,
  VirtualTable,
  type VirtualTableHandle,
} from "../../components/index.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { addressOf, describeEnd, filterRequests, formatMilliseconds, ruleOf } from "./request-rows.ts";
import classes from "./requests-panel.module.css";
import type { ServerSearch } from "./search-params.ts";
import { useRequests } from "./use-requests.ts";

export interface RequestsPanelProps {
  readonly search: ServerSearch;
  readonly onSearch: (change: Partial<ServerSearch>) => void;
  readonly isServerRunning: boolean;
  readonly handle: Ref<RequestsHandle>;
}

export interface RequestsHandle {
  focus(): void;
}

/** What the server was asked, live: a row opens in the inspector. */
export function RequestsPanel({ search, onSearch, isServerRunning, handle }: RequestsPanelProps) {
  const api = useApi();
  const rpc = useRpc();
  const { rows, error, isPaused, waiting, setPaused } = useRequests();
  const shown = useMemo(() => filterRequests(rows ?? [], search), [rows, search]);
  const table = useRef<VirtualTableHandle>(null);
  const find = useRef<HTMLInputElement>(null);
  const [activeId, setActiveId] = useState(search.request ?? null);
  const active = shown.findIndex(({ id }) => id === activeId);
  const clear = useMutation(api.server.clearRequests.mutationOptions());
  const save = useMutation(
    api.exports.begin.mutationOptions({
      onSuccess: (outcome) => reportExport(outcome, rpc, { unit: "request", tellsDownload: false }),
    }),
  );
  useImperativeHandle(handle, () => ({ focus: () => table.current?.focus() }), []);
  useEffect(() => table.current?.focus(), []);
  const isAny = shown.length > 0;
  const exportShown = () => {
    save.mutate({ what: "requests", ids: shown.map(({ id }) => id) });
  };
  useShortcuts("Requests", [
    ...(isAny ? [{ keys: "ArrowDown", label: "Next request" }] : []),
    ...(isAny ? [{ keys: "Enter", label: "Open the request" }] : []),
    { keys: "/", label: "Find by path", run: () => find.current?.focus() },
    { keys: "p", label: isPaused ? "Go on" : "Pause", run: () => setPaused(!isPaused) },
    ...(isAny ? [{ keys: "e", label: "Export what is shown", run: exportShown }] : []),
  ]);

  if (error !== null && rows === null) {
    return <ErrorCard title="The requests could not be read" {...describeError(error)} />;
  }
  const failed = [save, clear].find(({ isError }) => isError);
  return (
    <div className={classes.root}>
      <search className={classes.tools}>
        <SearchField
          ref={find}
          className={classes.find}
          label="Find by path"
          placeholder="Find by path"
          value={search.path}
          onChange={(path) => onSearch({ path })}
          onLeave={() => table.current?.focus()}
        />
        <Select
          className={classes.select}
          aria-label="Method"
          placeholder="Any method"
          data={["GET", "POST", "PUT", "DELETE"]}
          value={search.method ?? null}
          clearable
          onChange={(method) => onSearch({ method: method ?? undefined })}
        />
        <Select
          className={classes.select}
          aria-label="Status"
          placeholder="Any status"
          data={statuses}
          value={search.status ?? null}
          clearable
          onChange={(value) => onSearch({ status: statuses.find((one) => one.value === value)?.value })}
        />
        <span className={classes.count}>
          {describeCount(shown.length, rows?.length ?? 0)}
          {isPaused ? `, ${formatNumber(waiting)} more since the pause` : ""}
        </span>
        <div className={classes.actions}>
          <IconAction
            label={isPaused ? "Go on (P)" : "Pause (P)"}
            icon={isPaused ? IconPlayerPlay : IconPlayerPause}
            size={30}
            onClick={() => setPaused(!isPaused)}
          />
          <IconAction
            label="Export what is shown (E)"
            icon={IconDownload}
            size={30}
            isOff={!isAny || save.isPending}
            onClick={exportShown}
          />
          <IconAction
            label="Clear the log"
            icon={IconTrash}
            size={30}
            isOff={rows === null || rows.length === 0 || clear.isPending}
            onClick={() => clear.mutate({})}
          />
        </div>
      </search>
      {failed === undefined ? null : (
        <ErrorCard
          title={failed === save ? "The requests could not be exported" : "The requests could not be cleared"}
          {...describeError(failed.error)}
        />
      )}
      <div className={classes.table}>
        <TableCard isEmpty={!isAny}>
          <VirtualTable
            label="Requests"
            handle={table}
            columns={columns}
            count={shown.length}
            rowAt={(index) => shown[index]}
            active={active === -1 ? null : active}
            onActivate={(index) => setActiveId(shown[index]?.id ?? null)}
            onOpen={(index) => onSearch({ request: shown[index]?.id })}
            toneOf={(row) => (kindOf(row) === "answered" ? undefined : "failed")}
            empty={rows === null ? null : <Nothing isFiltered={rows.length > 0} isServerRunning={isServerRunning} />}
          />
        </TableCard>
      </div>
    </div>
  );
}

const statuses = [
  { value: "2xx", label: "Answered (2xx)" },
  { value: "4xx", label: "Refused (4xx)" },
  { value: "5xx", label: "Failed (5xx)" },
] as const;

function describeCount(shown: number, all: number): string {
  return shown === all ? formatCount(all, "request") : `${formatNumber(shown)} of ${formatCount(all, "request")}`;
}

function Nothing({ isFiltered, isServerRunning }: { readonly isFiltered: boolean; readonly isServerRunning: boolean }) {
  if (isFiltered) return <EmptyState title="No request fits the filter" />;
  return (
    <EmptyState title="No requests yet">
      {isServerRunning
        ? "The last 1,000 requests that programs send to the server are listed here as they are answered."
        : "The server is off. Once it is on, the requests that programs send to it are listed here."}
    </EmptyState>
  );
}

const columns: readonly TableColumn<RequestRow>[] = [
  {
    id: "time",
    header: "Time",
    track: "96px",
    render: ({ answered_at: at }) => <span className={classes.time}>{timeOf(at)}</span>,
  },
  {
    id: "method",
    header: "Method",
    track: "76px",
    render: ({ method }) => <code className={classes.code}>{method}</code>,
  },
  {
    id: "path",
    header: "Path",
    track: "minmax(160px, 1fr)",
    render: (row) => (
      <code className={classes.code} title={addressOf(row)} dir="auto">
        {addressOf(row)}
      </code>
    ),
  },
  {
    id: "status",
    header: "Status",
    track: "72px",
    render: (row) => (
      <span className={classes.status} data-kind={kindOf(row)}>
        {describeEnd(row)}
      </span>
    ),
  },
  {
    id: "duration",
    header: "Took",
    track: "84px",
    align: "end",
    render: ({ duration_ms: milliseconds }) => formatMilliseconds(milliseconds),
  },
  {
    id: "rule",
    header: "Rule",
    track: "minmax(72px, 160px)",
    render: (row) => <span dir="auto">{ruleOf(row)}</span>,
  },
];

function kindOf({ state, status }: RequestRow): "failed" | "refused" | "answered" {
  if (state !== "completed" || status === null || status >= 500) return "failed";
  return status >= 400 ? "refused" : "answered";
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleTimeString(undefined, { hour12: false });
}
