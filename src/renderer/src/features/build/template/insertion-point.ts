import type { EditorView } from "@codemirror/view";
import { createContext, use } from "react";

/** Where a column goes when its chip is clicked: the editor that had the focus last. */
export interface InsertionPoint {
  /** Takes an editor in. The answer lets it go again. */
  register(view: EditorView): () => void;
  /** Puts the text at the cursor and moves the focus there. False where there is no editor. */
  insert(text: string): boolean;
}

/** Creates the insertion point of one place. Before any editor had the focus, it is the last of the messages. */
export function createInsertionPoint(): InsertionPoint {
  const views: EditorView[] = [];
  let last: EditorView | null = null;
  return {
    register(view) {
      const note = () => {
        last = view;
      };
      views.push(view);
      view.contentDOM.addEventListener("focus", note);
      return () => {
        view.contentDOM.removeEventListener("focus", note);
        views.splice(views.indexOf(view), 1);
        if (last === view) last = null;
      };
    },
    insert(text) {
      const view = last ?? views.findLast(({ contentDOM }) => contentDOM.ariaMultiLine === "true");
      if (view === undefined) return false;
      const { from, to } = view.state.selection.main;
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        scrollIntoView: true,
        userEvent: "input.paste",
      });
      view.focus();
      return true;
    },
  };
}

const InsertionPointContext = createContext<InsertionPoint>({ register: () => () => {}, insert: () => false });

/** Gives the insertion point to the editors and the chips below it. */
export const InsertionPointProvider = InsertionPointContext.Provider;

export function useInsertionPoint(): InsertionPoint {
  return use(InsertionPointContext);
}
