import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useRef, useState } from "react";
import classes from "./build-screen.module.css";
import { ConflictBar } from "./draft/conflict-bar.tsx";
import { useSession } from "./draft/session-context.ts";
import { TitleBar } from "./draft/title-bar.tsx";
import { useKeepOnLeave } from "./draft/use-keep-on-leave.ts";
import { BuildFooter } from "./footer/build-footer.tsx";
import { useSubmit } from "./footer/use-submit.tsx";
import { PaneHandle } from "./panes/pane-handle.tsx";
import { SideTabs } from "./panes/side-tabs.tsx";
import { usePanes } from "./panes/use-panes.ts";
import { PreviewPane } from "./preview/preview-pane.tsx";
import { useCheck } from "./preview/use-check.ts";
import { PromptPane } from "./prompt/prompt-pane.tsx";
import { DropOverlay } from "./source/drop-overlay.tsx";
import { useFileDrop } from "./source/file-drop.ts";
import { SourcePane } from "./source/source-pane.tsx";
import { useSourceData } from "./source/use-source.ts";
import { useTakeFile } from "./source/use-take-file.ts";
import { createInsertionPoint, InsertionPointProvider } from "./template/insertion-point.ts";
import { useBuildShortcuts } from "./use-build-shortcuts.ts";

interface BuildScreenProps {
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** Source, prompt and preview on one screen, with the draft's name above and what comes of it below. */
export function BuildScreen({ onOpenDraft, onOpenBatch }: BuildScreenProps) {
  const session = useSession();
  const root = useRef<HTMLDivElement>(null);
  const size = useElementSize<HTMLDivElement>();
  const [insertionPoint] = useState(createInsertionPoint);
  const source = useSourceData();
  const check = useCheck(source.data ?? null);
  const takeFile = useTakeFile();
  const submit = useSubmit({ source: source.data ?? null, check: check.latest, onOpenBatch });
  const isDropping = useFileDrop(root, takeFile);
  const panes = usePanes(size.width);
  const setRoot = useMergedRef(root, size.ref);
  useKeepOnLeave(session.keeper);
  useBuildShortcuts(root, { ...session.store, submit: submit.start });

  return (
    <InsertionPointProvider value={insertionPoint}>
      <div ref={setRoot} className={classes.root}>
        <TitleBar onOpenDraft={onOpenDraft} onOpenBatch={onOpenBatch} />
        <ConflictBar />
        <div className={classes.panes} data-layout={panes.layout} style={panes.style}>
          {panes.layout === "wide" ? (
            <SourcePane takeFile={takeFile} />
          ) : (
            <SideTabs source={source.data ?? null} check={check} takeFile={takeFile} />
          )}
          <PaneHandle {...panes.sourceHandle} />
          <PromptPane source={source.data ?? null} />
          {panes.previewHandle === null ? null : (
            <>
              <PaneHandle {...panes.previewHandle} />
              <PreviewPane source={source.data ?? null} check={check} />
            </>
          )}
        </div>
        <BuildFooter source={source.data ?? null} check={check.latest} submit={submit} />
        {isDropping ? <DropOverlay /> : null}
      </div>
    </InsertionPointProvider>
  );
}
