import { standardKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/**
 * The keys of an editor of the draft, and its undo: that belongs to the draft, not to one editor, so the browser's own
 * (in its context menu) comes here. Tab is not bound: it leaves the editor as it leaves any field.
 */
export function createDraftKeys(undo: () => void, redo: () => void): Extension {
  return [
    keymap.of(standardKeymap),
    EditorView.domEventHandlers({
      beforeinput(event) {
        if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return false;
        event.preventDefault();
        if (event.inputType === "historyUndo") undo();
        else redo();
        return true;
      },
    }),
  ];
}
