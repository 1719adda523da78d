import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { FileInspector, type FilesHandle, FilesPage, type FilesSearch } from "../../features/files/index.ts";
import { Page } from "../shell/page.tsx";
import { useSearchChange } from "./use-search-change.ts";

/** `/files`: the files, and the inspector of one. */
export function FilesRoute() {
  const search = useSearch({ from: "/files" });
  const navigate = useNavigate({ from: "/files" });
  const page = useRef<FilesHandle>(null);
  const change = useSearchChange<FilesSearch>("/files");
  const close = useCallback(() => {
    change({ file: undefined });
    page.current?.focus();
  }, [change]);
  const openBatch = useCallback(
    (batchId: string) => void navigate({ to: "/batches/$batchId", params: { batchId } }),
    [navigate],
  );
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
