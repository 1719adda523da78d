import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRpc } from "../../../bridge/index.ts";
import { showName } from "./draft-name.ts";
import { removalDelay, removals } from "./removals.ts";
import { useSession } from "./session-context.ts";
import { showFailure, useRemoveDraft } from "./use-drafts.ts";

type Open = (draftId: string, options?: { readonly replace?: boolean }) => void;

/** Removes the draft that is open and goes to the next one; for ten seconds there is a way back. */
export function useRemoveOpenDraft(onOpenDraft: Open): () => void {
  const session = useSession();
  const rpc = useRpc();
  const removeDraft = useRemoveDraft();

  async function remove(): Promise<void> {
    const name = showName(session.store.content.getState().name);
    await session.keeper.flush();
    const drafts = await rpc.drafts.list();
    const gone = removals.state.getState();
    const next = drafts.find(({ id }) => id !== session.id && !gone.has(id)) ?? (await rpc.drafts.create({}));
    removeDraft(session.id);
    onOpenDraft(next.id, { replace: true });
    const shown = notifications.show({
      title: `“${name}” is removed`,
      autoClose: removalDelay,
      message: (
        <Button
          size="xs"
          mt={6}
          onClick={() => {
            notifications.hide(shown);
            if (removals.keep(session.id)) onOpenDraft(session.id);
          }}
        >
          Undo
        </Button>
      ),
    });
  }

  return () => void remove().catch((error: unknown) => showFailure("The draft could not be removed", error));
}
