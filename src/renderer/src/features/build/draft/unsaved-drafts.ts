import type { StoreApi } from "zustand/vanilla";
import type { UnsavedDraft } from "#contract";

type Readable<State> = Pick<StoreApi<State>, "getState" | "subscribe">;

/** What the guard reads of a draft that is open. */
export interface GuardedDraft {
  readonly autosave: { readonly state: Readable<{ readonly status: string }> };
  readonly store: { readonly content: Readable<{ readonly name: string }> };
}

/** The drafts whose changes would be lost with the page: nothing saves them by itself any more, or the host can't. */
function listUnsaved(sessions: Iterable<GuardedDraft>): readonly UnsavedDraft[] {
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
  page: EventTarget,
  sessions: () => Iterable<GuardedDraft>,
  tell: (drafts: readonly UnsavedDraft[]) => void,
): { follow(session: GuardedDraft): void; update(): void } {
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
