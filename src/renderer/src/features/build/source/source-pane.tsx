import { Button } from "@mantine/core";
import { useRef } from "react";
import { useStore } from "zustand";
import { describeError } from "../../../bridge/index.ts";
import { ErrorCard } from "../../../components/index.ts";
import { useSession } from "../draft/session-context.ts";
import panes from "../panes/pane.module.css";
import { ColumnChips } from "./column-chips.tsx";
import { EmptySource } from "./empty-source.tsx";
import { acceptedFiles } from "./readable-files.ts";
import { RowsTable } from "./rows-table.tsx";
import { SourceCard } from "./source-card.tsx";
import { UploadCard } from "./upload-card.tsx";
import { useSourceData } from "./use-source.ts";

interface SourcePaneProps {
  readonly takeFile: (files: readonly File[]) => void;
}

/** Where the rows come from. */
export function SourcePane({ takeFile }: SourcePaneProps) {
  return (
    <section className={panes.pane} style={{ gridArea: "source" }} aria-labelledby="build-source">
      <header className={panes.head}>
        <h2 id="build-source">Source</h2>
      </header>
      <SourceBody takeFile={takeFile} />
    </section>
  );
}

/** A file that is dropped, chosen or pasted, its columns and its rows. */
export function SourceBody({ takeFile }: SourcePaneProps) {
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
          takeFile([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      {uploading.status === "running" ? <UploadCard upload={uploading} onCancel={upload.cancel} /> : null}
      {uploading.status === "failed" ? (
        <ErrorCard
          title={`${uploading.name} could not be read`}
          {...describeError(uploading.error)}
          onRetry={upload.retry}
          actions={<Dismiss onClick={upload.cancel} />}
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
        <>
          {uploading.status === "running" ? null : <SourceCard source={source.data} onChooseFile={choose} />}
          {source.data.holds === "rows" ? <ColumnChips columns={source.data.columns} /> : null}
          <RowsTable key={source.data.id} source={source.data} />
        </>
      ) : uploading.status === "idle" && !source.isFetching ? (
        <EmptySource onChooseFile={choose} />
      ) : null}
    </div>
  );
}

function Dismiss({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button size="xs" onClick={onClick}>
      Dismiss
    </Button>
  );
}
