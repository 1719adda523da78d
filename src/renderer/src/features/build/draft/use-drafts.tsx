import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBridge, useRpc } from "../../../bridge/index.ts";
import { showFailure, showOffer } from "../../../components/index.ts";
import { newDraftInput } from "../../../state/default-connection.ts";
import { draftRemovals } from "../../../state/removals.ts";
import { useSession } from "./draft-session.ts";
import { findLatestDraft, getDraftSessions } from "./draft-sessions.ts";

type Open = (draftId: string, options?: { readonly replace?: boolean }) => void;

/** The name that is shown for a draft without one. */
export const namePlaceholder = "Untitled batch";

/** A draft's name, or what it is called without one. */
export function showName(name: string): string {
  return name.trim() || namePlaceholder;
}

/** Makes a new draft and opens it. */
export function useNewDraft(onOpenDraft: Open) {
  const rpc = useRpc();
  return useMutation({
    mutationFn: () => rpc.drafts.create(newDraftInput()),
    onSuccess: ({ id }) => onOpenDraft(id),
    onError: (error) => showFailure("The draft could not be made", error),
  });
}

/**
 * Removes the draft that is open and goes to the next one: it is out of sight at once, can be brought back for ten
 * seconds, and is gone then.
 */
export function useRemoveOpenDraft(onOpenDraft: Open) {
  const { id, store, autosave } = useSession();
  const bridge = useBridge();
  const queryClient = useQueryClient();

  async function removeNow(): Promise<void> {
    try {
      await bridge.rpc.drafts.remove({ id });
      getDraftSessions(bridge, queryClient).close(id);
      void queryClient.invalidateQueries({ queryKey: bridge.api.drafts.list.key() });
    } catch (error) {
      showFailure("The draft could not be removed", error);
    }
  }

  return useMutation({
    async mutationFn() {
      const name = showName(store.content.getState().name);
      await autosave.flush();
      const next = await findLatestDraft(bridge, queryClient, id);
      return { name, next };
    },
    onSuccess({ name, next }) {
      draftRemovals.schedule(id, () => void removeNow());
      onOpenDraft(next.id, { replace: true });
      showOffer({
        title: `“${name}” is removed`,
        run: () => {
          if (draftRemovals.cancel(id)) onOpenDraft(id);
        },
      });
    },
    onError: (error) => showFailure("The draft could not be removed", error),
  });
}
