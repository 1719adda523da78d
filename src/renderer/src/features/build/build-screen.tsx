import { useEffect, useRef, useState } from "react";
import classes from "./build.module.css";
import { useBuildShortcuts } from "./build-shortcuts.ts";
import type { Autosave } from "./draft/autosave.ts";
import { findSelected, useContent, useSession } from "./draft/draft-session.ts";
import { ConflictBar, TitleBar } from "./draft/title-bar.tsx";
import { BuildFooter } from "./footer/build-footer.tsx";
import { useSubmit } from "./footer/use-submit.tsx";
import { Panes } from "./panes/panes.tsx";
import { SideTabs } from "./panes/side-tabs.tsx";
import { PreviewPane } from "./preview/preview-pane.tsx";
import { noCheck, useChecks } from "./preview/use-checks.ts";
import { PromptPane } from "./prompt/prompt-pane.tsx";
import { DropOverlay, useAcceptFiles, useFileDrop } from "./source/file-drop.tsx";
import { SourcePane } from "./source/source-pane.tsx";
import { useSourceData } from "./source/use-source.ts";
import { createInsertionPoint, InsertionPointProvider } from "./template/insertion-point.ts";

interface BuildScreenProps {
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
  /** Opens batches side by side. */
  readonly onCompare: (batchIds: readonly string[]) => void;
}

/** Source, prompt and preview on one screen, with the draft's name above and its size, cost and actions below. */
export function BuildScreen({ onOpenDraft, onOpenBatch, onCompare }: BuildScreenProps) {
  const session = useSession();
  const root = useRef<HTMLDivElement>(null);
  const [insertionPoint] = useState(createInsertionPoint);
  const { data: source = null } = useSourceData();
  const checks = useChecks(source);
  const selected = useContent((content) => content.selected);
  const check = findSelected(checks, selected) ?? noCheck;
  const acceptFiles = useAcceptFiles();
  const submit = useSubmit({ source, checks, onOpenBatch, onCompare });
  const isDropping = useFileDrop(root, acceptFiles);
  useSaveOnLeave(session.autosave);
  useBuildShortcuts(root, { ...session.store, submit: submit.start });

  return (
    <InsertionPointProvider value={insertionPoint}>
      <div ref={root} className={classes.root}>
        <TitleBar onOpenDraft={onOpenDraft} onOpenBatch={onOpenBatch} />
        <ConflictBar />
        <Panes
          source={<SourcePane acceptFiles={acceptFiles} check={check.latest} />}
          preview={<PreviewPane source={source} check={check} checks={checks} />}
          narrow={<SideTabs source={source} check={check} checks={checks} acceptFiles={acceptFiles} />}
        >
          <PromptPane source={source} checks={checks} />
        </Panes>
        <BuildFooter source={source} checks={checks} submit={submit} />
        {isDropping ? <DropOverlay /> : null}
      </div>
    </InsertionPointProvider>
  );
}

/** Saves the draft at once when another page is opened, or the window is hidden or closed. */
function useSaveOnLeave(autosave: Autosave): void {
  useEffect(() => {
    const save = () => void autosave.flush();
    const stop = new AbortController();
    window.addEventListener("pagehide", save, { signal: stop.signal });
    document.addEventListener("visibilitychange", save, { signal: stop.signal });
    return () => {
      stop.abort();
      save();
    };
  }, [autosave]);
}
