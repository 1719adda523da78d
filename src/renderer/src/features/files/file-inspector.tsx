import { Button } from "@mantine/core";
import { IconDownload, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import type { FileView } from "#contract";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import {
  ConfirmDialog,
  CopyButton,
  ErrorCard,
  formatBytes,
  formatCount,
  formatExactTime,
  InspectorHead,
  reportExport,
  scrollable,
} from "../../components/index.ts";
import { purposeWords } from "./file-columns.tsx";
import classes from "./file-inspector.module.css";

export interface FileInspectorProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** One file: what it is, which batches need it, how it begins, and what can be done with it. */
export function FileInspector({ id, onClose, onOpenBatch }: FileInspectorProps) {
  const api = useApi();
  const { data: files } = useQuery(api.files.list.queryOptions());
  const file = files?.find((one) => one.id === id);
  return (
    <>
      <InspectorHead of="File" title={file?.filename ?? "File"} onClose={onClose} />
      {file === undefined ? (
        files === undefined ? null : (
          <p className={classes.gone}>This file is no longer there.</p>
        )
      ) : (
        <Whole key={id} file={file} onClose={onClose} onOpenBatch={onOpenBatch} />
      )}
    </>
  );
}

interface WholeProps extends Pick<FileInspectorProps, "onClose" | "onOpenBatch"> {
  readonly file: FileView;
}

function Whole({ file, onClose, onOpenBatch }: WholeProps) {
  const api = useApi();
  const rpc = useRpc();
  const { id, purpose, bytes, createdAt, expiresAt, batches } = file;
  const [asks, setAsks] = useState(false);
  const save = useMutation(
    api.exports.begin.mutationOptions({ onSuccess: (outcome) => reportExport(outcome, rpc, { tellsDownload: false }) }),
  );
  return (
    <>
      <div className={classes.about}>
        <dl className={classes.facts}>
          <Fact name="Id">
            <code title={id}>{id}</code>
            <CopyButton compact label="Copy the id" value={id} />
          </Fact>
          <Fact name="Purpose">{purposeWords[purpose]}</Fact>
          <Fact name="Size">{formatBytes(bytes)}</Fact>
          <Fact name="Created">{formatExactTime(createdAt)}</Fact>
          {expiresAt === null ? null : <Fact name="Expires">{formatExactTime(expiresAt)}</Fact>}
          <Fact name="Needed by">
            {batches.length === 0
              ? "No batch"
              : batches.map((batch) => (
                  <button key={batch.id} type="button" className={classes.batch} onClick={() => onOpenBatch(batch.id)}>
                    <span dir="auto">{batch.name}</span>
                    {batch.isDeleted ? " (deleted)" : ""}
                  </button>
                ))}
          </Fact>
        </dl>
        <div className={classes.actions}>
          <Button
            leftSection={<IconDownload size={15} />}
            loading={save.isPending}
            onClick={() => save.mutate({ what: "file", fileId: id })}
          >
            Download
          </Button>
          <Button leftSection={<IconTrash size={15} />} onClick={() => setAsks(true)}>
            Delete…
          </Button>
        </div>
        {save.isError ? <ErrorCard title="The file could not be saved" {...describeError(save.error)} /> : null}
      </div>
      <Head id={id} />
      <DeleteDialog file={file} opened={asks} onClose={() => setAsks(false)} onDeleted={onClose} />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const lineHeight = 20;

/** The first lines of the file, drawn as far as they are in view. */
function Head({ id }: { readonly id: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery(api.files.head.queryOptions({ input: { id } }));
  const scroller = useRef<HTMLElement>(null);
  const lines = data?.lines ?? [];
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 12,
  });
  if (error !== null) {
    return (
      <div className={classes.about}>
        <ErrorCard title="The file could not be read" {...describeError(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <section ref={scroller} className={classes.lines} aria-label="First lines" {...scrollable}>
      <div style={{ position: "relative", height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div key={index} className={classes.row} style={{ transform: `translateY(${start}px)` }}>
            <span className={classes.number}>{index + 1}</span>
            <code dir="auto">{lines[index]}</code>
          </div>
        ))}
      </div>
      {data?.hasMore ? (
        <p className={classes.more}>The first {formatCount(lines.length, "line")}. Download the file for the rest.</p>
      ) : null}
    </section>
  );
}

interface DeleteDialogProps {
  readonly file: FileView;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ file, opened, onClose, onDeleted }: DeleteDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation(
    api.files.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: api.files.list.key() });
        onDeleted();
      },
    }),
  );
  const close = () => {
    reset();
    onClose();
  };
  const { batches, bytes, filename } = file;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={`Delete ${filename}?`}
      keep="Keep it"
      confirm="Delete the file"
      isPending={isPending}
      onConfirm={() => mutate({ id: file.id })}
      error={error === null ? null : <ErrorCard title="The file was not deleted" {...describeError(error)} />}
    >
      <p>
        {formatBytes(bytes)} are freed. This can’t be undone.
        {batches.length === 0 ? " No batch needs it." : ""}
      </p>
      {batches.length === 0 ? null : (
        <>
          <p>{explainNeed(batches)}</p>
          <ul>
            {batches.slice(0, 8).map(({ id, name, isDeleted }) => (
              <li key={id} dir="auto">
                {name}
                {isDeleted ? " (deleted)" : ""}
              </li>
            ))}
            {batches.length > 8 ? <li>and {formatCount(batches.length - 8, "more batch", "more batches")}</li> : null}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}

/** What batches need the file for, and what to do with them first. */
function explainNeed(batches: FileView["batches"]): string {
  const running = batches.filter(({ hasEnded, isDeleted }) => !hasEnded && !isDeleted).length;
  const deleted = batches.filter(({ isDeleted }) => isDeleted).length;
  if (running > 0) {
    const [need, them] = running === 1 ? ["needs", "it"] : ["need", "them"];
    return `${formatCount(running, "batch", "batches")} under way ${need} it: cancel ${them} first.`;
  }
  if (deleted > 0) {
    const [need, them] = deleted === 1 ? ["needs", "it"] : ["need", "them"];
    const what = formatCount(deleted, "deleted batch", "deleted batches");
    return `${what} ${need} it: restore ${them}, or delete ${them} for good, first.`;
  }
  const these = batches.length === 1 ? "this batch" : "these batches";
  return `Without it, Sheaf can’t show the results of ${these}:`;
}
