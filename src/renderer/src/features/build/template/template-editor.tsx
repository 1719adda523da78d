import type { Extension } from "@codemirror/state";
import { EditorView, keymap, tooltips } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { CodeMirror } from "../../../components/index.ts";
import { createDraftKeys } from "./draft-keys.ts";
import { useInsertionPoint } from "./insertion-point.ts";
import { placeholders, setColumns } from "./placeholders.ts";
import classes from "./template-editor.module.css";

interface TemplateEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** The part of the request that it fills, as problems name it: `custom_id`. */
  readonly param: string;
  /** The columns that placeholders may name. */
  readonly columns: readonly string[];
  readonly label: string;
  readonly placeholder: string;
  readonly singleLine?: boolean;
  readonly focusOnMount?: boolean;
}

/** A text field for a template: placeholders drawn as chips and completed as one types. It grows with its text. */
export function TemplateEditor(props: TemplateEditorProps) {
  const { value, onChange, param, columns, label, placeholder, singleLine = false, focusOnMount = false } = props;
  const editor = useRef<EditorView>(null);
  const insertionPoint = useInsertionPoint();
  const undo = useEffectEvent(() => props.onUndo());
  const redo = useEffectEvent(() => props.onRedo());

  const createExtensions = useEffectEvent(
    (host: HTMLElement): Extension => [
      placeholders,
      singleLine ? oneLine : EditorView.lineWrapping,
      createDraftKeys(undo, redo),
      // Panes scroll on their own and would cut the list of columns off at their edge.
      tooltips({ parent: host.closest("main") ?? document.body }),
    ],
  );

  useEffect(() => {
    return editor.current === null ? undefined : insertionPoint.register(editor.current, param);
  }, [insertionPoint, param]);

  useEffect(() => {
    editor.current?.dispatch({ effects: setColumns.of(columns) });
  }, [columns]);

  useEffect(() => {
    if (focusOnMount) editor.current?.focus();
  }, [focusOnMount]);

  return (
    <CodeMirror
      editor={editor}
      value={value}
      onChange={onChange}
      label={label}
      placeholder={placeholder}
      isMultiline={!singleLine}
      createExtensions={createExtensions}
      className={classes.editor}
    />
  );
}

/** Enter does nothing, and line breaks in what is pasted or dropped become spaces. */
const oneLine: Extension = [
  keymap.of([{ key: "Enter", run: () => true, shift: () => true }]),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\s*\n\s*/g, " ")),
];
