import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { Source } from "#contract";
import { useConnection } from "../../../bridge/index.ts";
import { showFailure, showOffer } from "../../../components/index.ts";
import { useDefaultConnection } from "../../../state/default-connection.ts";
import { toBuildInput, toWholeTemplate } from "../draft/draft-content.ts";
import { type DraftSession, useSession } from "../draft/draft-session.ts";
import { showName } from "../draft/use-drafts.tsx";
import type { VersionCheck } from "../preview/use-checks.ts";
import { explainNotReady, type SubmissionProgress } from "./submission.ts";

interface SubmitOptions {
  readonly source: Source | null;
  readonly checks: readonly VersionCheck[];
  readonly onOpenBatch: (batchId: string) => void;
  readonly onCompare: (batchIds: readonly string[]) => void;
}

/** Submitting the draft: why it can't be yet, how far it is, and the ways to start and stop it. */
export interface Submit {
  /** The reason in one sentence; null when it can be submitted. */
  readonly notReady: string | null;
  readonly progress: SubmissionProgress | null;
  readonly start: () => void;
  readonly cancel: () => void;
}

export function useSubmit({ source, checks, onOpenBatch, onCompare }: SubmitOptions): Submit {
  const session = useSession();
  const progress = useStore(session.submission.progress);
  const unread = useStore(session.view, (view) => view.unread);
  const isConnected = useConnection().status === "open";
  const notReady = explainNotReady(
    isConnected,
    source,
    checks.map(({ key, name, latest, error }) => ({
      name,
      check: latest,
      hasFailed: error !== null,
      unread: unread.find(({ version }) => version === key)?.field ?? null,
    })),
  );
  const isOnScreen = useIsOnScreen();

  async function start(source: Source): Promise<void> {
    const batchIds = await submitDraft(session, source);
    const [first] = batchIds;
    if (first === undefined) return;
    const isOne = batchIds.length === 1;
    const open = () => (isOne ? onOpenBatch(first) : onCompare(batchIds));
    // A user who has opened another page meanwhile gets a message there.
    if (isOnScreen.current) return open();
    const title = `“${showName(session.store.content.getState().name)}” is submitted`;
    showOffer({ title, label: isOne ? "Open the batch" : "Compare the batches", run: open });
  }

  return {
    notReady,
    progress,
    start() {
      if (notReady !== null || source === null) return;
      start(source).catch((error: unknown) => showFailure("The draft could not be submitted", error));
    },
    cancel: session.submission.cancel,
  };
}

/** Submits the draft as it is, and records the batch in it: the first of several. None where it was cancelled. */
async function submitDraft({ store, submission, recordBatch, autosave }: DraftSession, source: Source) {
  const content = store.content.getState();
  const input = toBuildInput(content, source.id, toWholeTemplate(content));
  const batchIds = await submission.start({ ...input, name: showName(content.name) }, source.rowCount);
  const [first] = batchIds;
  if (first !== undefined) {
    recordBatch(first);
    useDefaultConnection.getState().noteUse(content.connectionId, content.model);
    void autosave.flush();
  }
  return batchIds;
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
