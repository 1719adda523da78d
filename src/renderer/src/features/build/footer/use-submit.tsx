import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { CheckProgress, Source } from "#contract";
import { useConnection } from "../../../bridge/index.ts";
import { showFailure, showOffer } from "../../../components/index.ts";
import { toBuildInput } from "../draft/draft-content.ts";
import { type DraftSession, useSession } from "../draft/draft-session.ts";
import { showName } from "../draft/use-drafts.tsx";
import { explainNotReady, type SubmissionProgress } from "./submission.ts";

interface SubmitOptions {
  readonly source: Source | null;
  readonly check: CheckProgress | null;
  readonly onOpenBatch: (batchId: string) => void;
}

/** Submitting the draft: why it can't be yet, how far it is, and the ways to start and stop it. */
export interface Submit {
  /** The reason in one sentence; null when it can be submitted. */
  readonly notReady: string | null;
  readonly progress: SubmissionProgress | null;
  readonly start: () => void;
  readonly cancel: () => void;
}

export function useSubmit({ source, check, onOpenBatch }: SubmitOptions): Submit {
  const session = useSession();
  const progress = useStore(session.submission.progress);
  const unread = useStore(
    session.view,
    useShallow((view) => Object.keys(view.unread)),
  );
  const isConnected = useConnection().status === "open";
  const notReady = explainNotReady(isConnected, source, check, unread);
  const isOnScreen = useIsOnScreen();

  async function start(source: Source): Promise<void> {
    const batchId = await submitDraft(session, source);
    if (batchId === null) return;
    if (isOnScreen.current) onOpenBatch(batchId);
    else announce(showName(session.store.content.getState().name), () => onOpenBatch(batchId));
  }

  return {
    notReady,
    progress,
    start() {
      if (notReady !== null || source === null) return;
      start(source).catch((error: unknown) => showFailure("The batch was not submitted", error));
    },
    cancel: session.submission.cancel,
  };
}

/** Submits the draft as it stands, and records the batch in it. */
async function submitDraft({ store, submission, recordBatch, autosave }: DraftSession, source: Source) {
  const content = store.content.getState();
  const batchId = await submission.start(
    { ...toBuildInput(source.id, content), name: showName(content.name) },
    source.rowCount,
  );
  if (batchId !== null) {
    recordBatch(batchId);
    void autosave.flush();
  }
  return batchId;
}

/** Whoever has gone elsewhere meanwhile gets a message, and stays there. */
function announce(name: string, open: () => void): void {
  showOffer({ title: `“${name}” is submitted`, label: "Open the batch", run: open });
}

function useIsOnScreen() {
  const isOnScreen = useRef(true);
  useEffect(() => {
    isOnScreen.current = true;
    return () => {
      isOnScreen.current = false;
    };
  }, []);
  return isOnScreen;
}
