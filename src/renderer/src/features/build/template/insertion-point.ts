import type { EditorView } from "@codemirror/view";
import { createContext, use } from "react";

/** The editors of a draft: where a column goes when its chip is clicked, and where a problem is to be repaired. */
export interface InsertionPoint {
  /** Adds the editor of one part of the request, such as `custom_id`. The answer removes it. */
  register(view: EditorView, param: string): () => void;
  /** The same of a field that columns don't go into. */
  registerPart(field: HTMLElement | EditorView, param: string): () => void;
  /** Moves the focus to the editor of a part, out of the fold that it may be in. */
  focus(param: string): void;
  /** Puts the text at the cursor and moves the focus there. False where there is no editor. */
  insert(text: string): boolean;
}

/** Creates the insertion point of one draft. Before any editor had the focus, it is the last of the messages. */
export function createInsertionPoint(): InsertionPoint {
  const views = new Map<EditorView, string>();
  const parts = new Map<HTMLElement | EditorView, string>();
  let last: EditorView | null = null;
  return {
    register(view, param) {
      const record = () => {
        last = view;
      };
      views.set(view, param);
      view.contentDOM.addEventListener("focus", record);
      return () => {
        view.contentDOM.removeEventListener("focus", record);
        views.delete(view);
        if (last === view) last = null;
      };
    },
    registerPart(field, param) {
      parts.set(field, param);
      return () => parts.delete(field);
    },
    focus(param) {
      for (const [field, own] of [...views, ...parts]) {
        if (own !== param) continue;
        const fold = (field instanceof HTMLElement ? field : field.dom).closest("details");
        if (fold !== null) fold.open = true;
        field.focus();
      }
    },
    insert(text) {
      const view = last ?? [...views.keys()].findLast(({ contentDOM }) => contentDOM.ariaMultiLine === "true");
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

const InsertionPointContext = createContext<InsertionPoint>(createInsertionPoint());

/** Gives the insertion point to the editors and the chips below it. */
export const InsertionPointProvider = InsertionPointContext.Provider;

export function useInsertionPoint(): InsertionPoint {
  return use(InsertionPointContext);
}
