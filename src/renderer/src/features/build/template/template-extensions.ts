import { autocompletion } from "@codemirror/autocomplete";
import { standardKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, tooltips } from "@codemirror/view";
import { typeOverMarks } from "../../../components/index.ts";
import { completeColumns } from "./complete-columns.ts";
import { columnsField, placeholderMarks } from "./placeholder-marks.ts";

export interface TemplateEditorOptions {
  readonly singleLine: boolean;
  /** The nonce that the page's content security policy asks of style elements. */
  readonly nonce: string;
  /** Where the list of columns is put: panes scroll on their own and would cut it off at their edge. */
  readonly listParent: HTMLElement;
  /** Undo and redo belong to the draft, not to one editor: the browser's own (in its context menu) come here. */
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** What makes an editor one for templates. Tab is not bound: it leaves the editor as it leaves any field. */
export function templateExtensions(options: TemplateEditorOptions): Extension {
  return [
    EditorView.cspNonce.of(options.nonce),
    columnsField,
    placeholderMarks,
    autocompletion({ override: [completeColumns], icons: false, activateOnTypingDelay: 0 }),
    options.singleLine ? oneLine : EditorView.lineWrapping,
    keymap.of(standardKeymap),
    tooltips({ parent: options.listParent }),
    typeOverMarks,
    EditorView.domEventHandlers({
      beforeinput(event) {
        if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return false;
        event.preventDefault();
        if (event.inputType === "historyUndo") options.onUndo();
        else options.onRedo();
        return true;
      },
    }),
  ];
}

/** Enter does nothing, and line breaks in what is pasted or dropped become spaces. */
const oneLine: Extension = [
  keymap.of([{ key: "Enter", run: () => true, shift: () => true }]),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\s*\n\s*/g, " ")),
];
