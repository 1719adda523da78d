import { EditorView } from "@codemirror/view";

/**
 * Types over a selection without the browser's help: one that replaces marked text repeats its colours in a style
 * attribute, which the page's content security policy refuses.
 */
export const typeOverMarks = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || event.data === null || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});
