import { Button, TextInput } from "@mantine/core";
import { ORPCError } from "@orpc/client";
import { IconSearch, IconTable } from "@tabler/icons-react";
import { Fragment, useRef, useState } from "react";
import { useStore } from "zustand";
import { type CheckProgress, foldText, placeholderFor, type Source } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import panes from "../panes/panes.module.css";
import { useInsertionPoint } from "../template/insertion-point.ts";
import { HeaderQuestion } from "./header-question.tsx";
import { LineEditor } from "./line-editor.tsx";
import { LinesBar } from "./lines-bar.tsx";
import { acceptedFiles } from "./readable-files.ts";
import { Replacements } from "./replace-values.tsx";
import { HeadTable, RowsTable } from "./rows-table.tsx";
import classes from "./source.module.css";
import { SourceCard, UploadCard } from "./source-card.tsx";
import { useExample, useSourceData } from "./use-source.ts";

interface SourcePaneProps {
  readonly acceptFiles: (files: readonly File[]) => void;
  /** As far as the lines of a file of requests have been checked. */
  readonly check: CheckProgress | null;
}

/** Where the rows come from. */
export function SourcePane(props: SourcePaneProps) {
  return (
    <section className={panes.pane} style={{ gridArea: "source" }} aria-labelledby="build-source">
      <header className={panes.head}>
        <h2 id="build-source">Source</h2>
      </header>
      <SourceBody {...props} />
    </section>
  );
}

/** A file that is dropped, chosen or pasted, its columns and its rows. */
export function SourceBody({ acceptFiles, check }: SourcePaneProps) {
  const { upload } = useSession();
  const uploading = useStore(upload.state);
  const source = useSourceData();
  const chooser = useRef<HTMLInputElement>(null);
  const choose = () => chooser.current?.click();

  return (
    <div className={panes.fixedBody}>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="Source file"
        accept={acceptedFiles}
        onChange={({ currentTarget }) => {
          acceptFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      {uploading.status === "running" ? (
        <>
          <UploadCard upload={uploading} onCancel={upload.cancel} />
          {uploading.head === null ? null : <HeadTable name={uploading.name} head={uploading.head} />}
        </>
      ) : null}
      {uploading.status === "failed" ? (
        <ErrorCard
          title={`${uploading.name} could not be read`}
          {...describeError(uploading.error)}
          {...(canRetry(uploading.error) && { onRetry: upload.retry })}
          actions={<OtherFile onChoose={choose} onDismiss={upload.cancel} />}
        />
      ) : null}
      {uploading.status === "refused" ? (
        <ErrorCard
          title={`${uploading.name} can’t be used`}
          message={uploading.reason}
          actions={<OtherFile onChoose={choose} onDismiss={upload.cancel} />}
        />
      ) : null}
      {source.isError ? (
        <ErrorCard
          title="The source could not be read"
          {...describeError(source.error)}
          onRetry={() => void source.refetch()}
        />
      ) : null}
      {source.data !== undefined ? (
        uploading.status === "running" && uploading.head !== null ? null : (
          <>
            {uploading.status === "running" ? null : <SourceCard source={source.data} onChooseFile={choose} />}
            {source.data.holds === "requests" ? (
              <Lines key={source.data.id} source={source.data} check={check} />
            ) : (
              <Fragment key={source.data.id}>
                <Columns columns={source.data.columns} />
                <HeaderQuestion source={source.data} />
                <RowsTable source={source.data} />
              </Fragment>
            )}
          </>
        )
      ) : uploading.status === "idle" && !source.isFetching ? (
        <EmptySource onChooseFile={choose} />
      ) : null}
    </div>
  );
}

/** What to do about a file that is no source. */
function OtherFile({ onChoose, onDismiss }: { readonly onChoose: () => void; readonly onDismiss: () => void }) {
  return (
    <>
      <Button size="xs" onClick={onChoose}>
        Choose another file
      </Button>
      <Button size="xs" variant="subtle" onClick={onDismiss}>
        Dismiss
      </Button>
    </>
  );
}

/** The same file is refused again: another one is the way on. */
function canRetry(error: unknown): boolean {
  return !(error instanceof ORPCError && error.code === "REFUSED");
}

/** The source pane before there is a source: what goes here, and three ways to bring it. */
function EmptySource({ onChooseFile }: { readonly onChooseFile: () => void }) {
  const example = useExample();
  return (
    <div className={classes.dropZone}>
      <EmptyState
        icon={<IconTable size={26} stroke={1.5} />}
        title="Drop a table here"
        actions={
          <>
            <Button onClick={onChooseFile}>Choose file</Button>
            <Button variant="subtle" loading={example.isPending} onClick={() => example.mutate()}>
              Try the 200-question example
            </Button>
          </>
        }
      >
        CSV, TSV, XLSX, JSON, JSONL or Parquet: each row becomes one request. A file of ready requests works, too, and
        so do rows that you paste.
      </EmptyState>
    </div>
  );
}

interface LinesProps {
  readonly source: Source;
  readonly check: CheckProgress | null;
}

/** The lines of a file of requests, and the one that is edited. */
function Lines({ source, check }: LinesProps) {
  const { view } = useSession();
  const line = useStore(view, (state) => Math.min(state.row, source.rowCount));
  const [isEditing, setEditing] = useState(false);
  const [unsaved] = useState(() => new Map<number, string>());
  const wasClosed = useRef(false);
  const close = () => {
    wasClosed.current = true;
    setEditing(false);
  };
  return (
    <>
      {source.rowCount === 0 ? null : (
        <LinesBar
          source={source}
          check={check}
          isEditing={isEditing}
          takesFocus={wasClosed}
          onEdit={() => setEditing(true)}
        />
      )}
      <Replacements source={source} />
      <RowsTable source={source} />
      {isEditing ? <LineEditor source={source} line={line} unsaved={unsaved} onClose={close} /> : null}
    </>
  );
}

/** From so many columns on, one is looked for by its name. */
const searchedColumns = 12;

function Columns({ columns }: { readonly columns: readonly string[] }) {
  const [search, setSearch] = useState("");
  const wanted = foldText(search.trim());
  const found = columns.filter((column) => foldText(column).includes(wanted));
  return (
    <>
      {columns.length <= searchedColumns ? null : (
        <TextInput
          size="xs"
          aria-label="Find a column"
          placeholder={`Find one of ${columns.length} columns`}
          leftSection={<IconSearch size={14} stroke={1.6} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {found.length === 0 ? <p className={classes.noColumn}>No column has this in its name.</p> : null}
      <ColumnChips columns={found} />
    </>
  );
}

/** The columns of the source. A click puts one into the prompt, at the cursor. */
function ColumnChips({ columns }: { readonly columns: readonly string[] }) {
  const insertionPoint = useInsertionPoint();
  return (
    <ul className={classes.chips} aria-label="Columns">
      {columns.map((column) => (
        <li key={column}>
          <button
            type="button"
            className={classes.chip}
            aria-label={`Insert ${placeholderFor(column)}`}
            title={`Insert ${placeholderFor(column)}`}
            // The focus stays in the editor, so that the cursor is where the column goes.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insertionPoint.insert(placeholderFor(column))}
          >
            <bdi>{column}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
