import type { UnsavedDraft } from "#contract";
import type { DraftSession } from "./draft-session.ts";

/** The drafts whose changes would be lost with the page: nothing saves them by itself any more, or the host can't. */
function listUnsaved(sessions: Iterable<Pick<DraftSession, "autosave" | "store">>): readonly UnsavedDraft[] {
  return [...sessions].flatMap(({ autosave, store }) => {
    const { status } = autosave.state.getState();
    return status === "conflict" || status === "failed"
      ? [{ name: store.content.getState().name, reason: status }]
      : [];
  });
}

/**
 * Has the page not go without a question while a draft is not saved, whichever page is on screen. `tell` gets the names of such drafts
 * with each change of them: the desktop app asks that question itself. The answer is called when a draft was opened or closed.
 */
export function guardUnsaved(
  page: Pick<Window, "addEventListener">,
  sessions: () => Iterable<DraftSession>,
  tell: (drafts: readonly UnsavedDraft[]) => void,
): { follow(session: DraftSession): void; update(): void } {
  let told = "[]";

  function update(): void {
    const drafts = listUnsaved(sessions());
    const text = JSON.stringify(drafts);
    if (text !== told) tell(drafts);
    told = text;
  }

  page.addEventListener("beforeunload", (event) => {
    if (listUnsaved(sessions()).length > 0) event.preventDefault();
  });
  return {
    update,
    follow({ autosave, store }) {
      autosave.state.subscribe(update);
      store.content.subscribe(update);
    },
  };
}
