import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError, useApi, useBridge, useRpc } from "../../../bridge/index.ts";
import { getDraftSessions } from "./draft-sessions.ts";
import { removals } from "./removals.ts";

type Open = (draftId: string, options?: { readonly replace?: boolean }) => void;

/** Makes a new draft and opens it. */
export function useNewDraft(onOpenDraft: Open) {
  const rpc = useRpc();
  return useMutation({
    mutationFn: () => rpc.drafts.create({}),
    onSuccess: ({ id }) => onOpenDraft(id),
    onError: (error) => showFailure("The draft could not be made", error),
  });
}

/** Removes a draft: it is out of sight at once, can be brought back for ten seconds, and is gone then. */
export function useRemoveDraft(): (draftId: string) => void {
  const bridge = useBridge();
  const api = useApi();
  const queryClient = useQueryClient();
  return (draftId) => {
    removals.schedule(draftId, () => {
      bridge.rpc.drafts.remove({ id: draftId }).then(
        () => {
          getDraftSessions(bridge, queryClient).close(draftId);
          void queryClient.invalidateQueries({ queryKey: api.drafts.list.key() });
        },
        (error: unknown) => showFailure("The draft could not be removed", error),
      );
    });
  };
}

/** Says that something the user asked for did not come about, and why. */
export function showFailure(title: string, error: unknown): void {
  notifications.show({ color: "red", title, message: describeError(error).message, autoClose: 10_000 });
}
