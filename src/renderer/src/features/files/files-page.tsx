import { Button, FileButton, SegmentedControl, Title } from "@mantine/core";
import { IconFiles, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  formatBytes,
  formatCount,
  formatNumber,
  nextSort,
  SearchField,
  TableCard,
  VirtualTable,
  type VirtualTableHandle,
} from "../../components/index.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { arrangeFiles, sumFiles } from "./arrange-files.ts";
import { columns } from "./file-columns.tsx";
import classes from "./files-page.module.css";
import { type FilesSearch, fileColumns } from "./search-params.ts";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./uploads.ts";
import { useFileDrop } from "./use-file-drop.ts";

export interface FilesHandle {
  focus(): void;
}

export interface FilesPageProps {
  readonly search: FilesSearch;
  readonly onSearch: (change: Partial<FilesSearch>) => void;
  readonly handle: Ref<FilesHandle>;
}

/** Milliseconds: the page gets no event when programs upload or batches write. */
const refreshEvery = 3_000;

/** All files of the service on this computer. What is dropped anywhere on the page is checked, then uploaded. */
export function FilesPage({ search, onSearch, handle }: FilesPageProps) {
  const api = useApi();
  const rpc = useRpc();
  const { data, error, refetch } = useQuery(api.files.list.queryOptions({ refetchInterval: refreshEvery }));
  const add = useUploads((state) => state.add);
  const stored = useUploads(({ uploads }) => uploads.filter(({ state }) => state.phase === "stored").length);
  const files = useMemo(() => arrangeFiles(data ?? [], search), [data, search]);
  const sums = useMemo(() => sumFiles(data ?? []), [data]);
  const table = useRef<VirtualTableHandle>(null);
  const find = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [activeId, setActiveId] = useState(search.file ?? null);
  const active = files.findIndex(({ id }) => id === activeId);
  const upload = (chosen: readonly File[]) => add(chosen, rpc);
  const isOver = useFileDrop(upload);
  const resetChoice = useRef<() => void>(null);

  useImperativeHandle(handle, () => ({ focus: () => table.current?.focus() }), []);
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere) table.current?.focus();
  }, [isThere]);
  useEffect(() => {
    if (stored > 0) void refetch();
  }, [stored, refetch]);
  useShortcuts("Files", [
    ...(files.length === 0
      ? []
      : [
          { keys: "ArrowDown", label: "Next file" },
          { keys: "Enter", label: "Open the file" },
        ]),
    { keys: "/", label: "Find files", run: () => find.current?.focus() },
    { keys: "u", label: "Upload files", run: () => choose.current?.click() },
  ]);

  const sort = {
    column: search.sort ?? "created",
    order: search.order ?? (search.sort === "filename" ? "asc" : "desc"),
  } as const;
  const isFiltered = search.find !== undefined || search.purpose !== undefined;
  return (
    <section className={classes.root} aria-label="Files of this computer">
      <header className={classes.head}>
        <Title>Files</Title>
        <p className={classes.sums}>
          {sums.all.files > 0
            ? `${formatCount(sums.all.files, "file")}, ${formatBytes(sums.all.bytes)}: input ${formatBytes(sums.batch.bytes)}, results ${formatBytes(sums.batch_output.bytes)}`
            : ""}
        </p>
        <FileButton
          resetRef={resetChoice}
          accept=".jsonl"
          multiple
          onChange={(chosen) => {
            upload(chosen);
            // The same file can be chosen again, repaired.
            resetChoice.current?.();
          }}
        >
          {(props) => (
            <Button ref={choose} variant="filled" leftSection={<IconUpload size={16} />} {...props}>
              Upload
            </Button>
          )}
        </FileButton>
      </header>
      <UploadList />
      <search className={classes.tools}>
        <SearchField
          ref={find}
          className={classes.find}
          label="Find files"
          placeholder="Find by name, batch or id"
          value={search.find}
          onChange={(find) => onSearch({ find })}
          onLeave={() => table.current?.focus()}
        />
        <SegmentedControl
          size="xs"
          aria-label="Purpose"
          data={[
            { value: "all", label: "All" },
            { value: "batch", label: `Input ${formatNumber(sums.batch.files)}` },
            { value: "batch_output", label: `Results ${formatNumber(sums.batch_output.files)}` },
          ]}
          value={search.purpose ?? "all"}
          onChange={(purpose) =>
            onSearch({ purpose: purpose === "batch" || purpose === "batch_output" ? purpose : undefined })
          }
        />
        <output className={classes.shown}>
          {isFiltered && isThere ? `${formatNumber(files.length)} of ${formatCount(sums.all.files, "file")}` : ""}
        </output>
      </search>
      {error !== null && !isThere ? (
        <ErrorCard title="The files could not be read" {...describeError(error)} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.table}>
          <TableCard isEmpty={files.length === 0}>
            <VirtualTable
              label="Files"
              handle={table}
              columns={columns}
              count={files.length}
              rowAt={(index) => files[index]}
              active={active === -1 ? null : active}
              onActivate={(index) => setActiveId(files[index]?.id ?? null)}
              onOpen={(index) => onSearch({ file: files[index]?.id })}
              sort={sort}
              onSort={(column) => {
                const next = nextSort(sort, column, column === "filename" ? "asc" : "desc");
                onSearch({ sort: fileColumns.find((one) => one === next.column), order: next.order });
              }}
              empty={isThere ? <Nothing isFiltered={isFiltered} /> : null}
            />
          </TableCard>
        </div>
      )}
      {isOver ? (
        <div className={classes.drop} aria-hidden>
          Drop to check and upload
        </div>
      ) : null}
    </section>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No file fits the search" />;
  return (
    <EmptyState icon={<IconFiles size={32} stroke={1.4} />} title="No files yet">
      Input files that batches are made from, and the results that batches write, stand here. Drop a .jsonl file
      anywhere on this page: it is checked before it is stored.
    </EmptyState>
  );
}
