import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { CheckProgress, Source } from "#contract";
import { useRpc } from "../../../bridge/index.ts";
import { toRecipe } from "../../../state/index.ts";
import { showName } from "../draft/draft-name.ts";
import { useSession } from "../draft/session-context.ts";
import { showFailure } from "../draft/use-drafts.ts";
import { explainNotReady } from "./explain-not-ready.ts";

interface SubmitOptions {
  readonly source: Source | null;
  readonly check: CheckProgress | null;
  readonly onOpenBatch: (batchId: string) => void;
}

/** Submitting the draft: why it can't be yet, how far it is, and the ways to start and stop it. */
export interface Submit {
  /** The reason in one sentence; null when it can be submitted. */
  readonly notReady: string | null;
  /** Requests rendered so far while it is under way. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly start: () => void;
  readonly cancel: () => void;
}

export function useSubmit({ source, check, onOpenBatch }: SubmitOptions): Submit {
  const session = useSession();
  const rpc = useRpc();
  const abort = useRef<AbortController>(null);
  const [progress, setProgress] = useState<Submit["progress"]>(null);
  const notReady = explainNotReady(source, check);

  const submit = useMutation({
    async mutationFn({ source, signal }: { source: Source; signal: AbortSignal }) {
      const content = session.store.content.getState();
      setProgress({ done: 0, total: source.rowCount });
      const events = await rpc.build.submit(
        { sourceId: source.id, recipe: toRecipe(content), name: showName(content.name) },
        { signal },
      );
      for await (const event of events) {
        if (event.phase === "submitted") return event.batchId;
        setProgress({ done: event.done, total: event.total });
      }
      throw new Error("The submission ended without a batch.");
    },
    onSuccess(batchId) {
      session.noteBatch(batchId);
      void session.keeper.flush();
      onOpenBatch(batchId);
    },
    onError(error, { signal }) {
      if (!signal.aborted) showFailure("The batch was not submitted", error);
    },
    onSettled: () => setProgress(null),
  });

  return {
    notReady,
    progress,
    start() {
      if (notReady !== null || source === null || submit.isPending) return;
      abort.current = new AbortController();
      submit.mutate({ source, signal: abort.current.signal });
    },
    cancel: () => abort.current?.abort(),
  };
}
