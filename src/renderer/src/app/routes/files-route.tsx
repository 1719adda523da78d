import { useSearch } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { FileInspector, type FilesHandle, FilesPage, type FilesSearch } from "../../features/files/index.ts";
import { Page } from "../shell/page.tsx";
import { useOpen } from "./use-open.ts";
import { useSearchChange } from "./use-search-change.ts";

/** `/files`: the files, and the inspector of one. */
export function FilesRoute() {
  const search = useSearch({ from: "/files" });
  const { openBatch } = useOpen();
  const page = useRef<FilesHandle>(null);
  const change = useSearchChange<FilesSearch>("/files");
  const close = useCallback(() => {
    change({ file: undefined });
    page.current?.focus();
  }, [change]);
  const { file } = search;
  return (
    <Page
      title="Files"
      inspector={
        file === undefined
          ? null
          : { label: "File", children: <FileInspector id={file} onClose={close} onOpenBatch={openBatch} /> }
      }
    >
      <FilesPage search={search} onSearch={change} handle={page} />
    </Page>
  );
}
