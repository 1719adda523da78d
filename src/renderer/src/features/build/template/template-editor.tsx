import { Compartment } from "@codemirror/state";
import { EditorView, placeholder as showPlaceholder } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { readCspNonce } from "../../../bridge/index.ts";
import { fromOutside, reportTyping, useCodeMirror } from "../../../components/code-mirror/index.ts";
import { useInsertionPoint } from "./insertion-point.ts";
import { findMinimalChange } from "./minimal-change.ts";
import { setColumns } from "./placeholder-marks.ts";
import classes from "./template-editor.module.css";
import { templateExtensions } from "./template-extensions.ts";

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
  const { value, param, columns, label, placeholder, singleLine = false, focusOnMount = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const [hint] = useState(() => new Compartment());
  const insertionPoint = useInsertionPoint();
  useCodeMirror(host, editor, createView);
  const readLabel = useEffectEvent(() => label);
  const report = useEffectEvent((text: string) => props.onChange(text));
  const undo = useEffectEvent(() => props.onUndo());
  const redo = useEffectEvent(() => props.onRedo());

  function createView(parent: HTMLElement): EditorView {
    return new EditorView({
      parent,
      doc: value,
      extensions: [
        templateExtensions({
          singleLine,
          nonce: readCspNonce(document),
          listParent: parent.closest("main") ?? document.body,
          onUndo: undo,
          onRedo: redo,
        }),
        hint.of(showPlaceholder(placeholder)),
        EditorView.contentAttributes.of(() => ({ "aria-label": readLabel(), "aria-multiline": String(!singleLine) })),
        reportTyping(report),
      ],
    });
  }

  useEffect(() => {
    return editor.current === null ? undefined : insertionPoint.register(editor.current, param);
  }, [insertionPoint, param]);

  useEffect(() => {
    const view = editor.current;
    const change = view === null ? null : findMinimalChange(view.state.doc.toString(), value);
    if (view === null || change === null) return;
    view.dispatch({
      changes: change,
      selection: { anchor: change.from + change.insert.length },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  useEffect(() => {
    editor.current?.dispatch({ effects: setColumns.of(columns) });
  }, [columns]);

  useEffect(() => {
    editor.current?.dispatch({ effects: hint.reconfigure(showPlaceholder(placeholder)) });
  }, [hint, placeholder]);

  useEffect(() => {
    // The view reads its label on every update, so that one without changes makes a new label known.
    if (label !== editor.current?.contentDOM.ariaLabel) editor.current?.dispatch();
  }, [label]);

  useEffect(() => {
    if (focusOnMount) editor.current?.focus();
  }, [focusOnMount]);

  return <div ref={host} className={classes.editor} data-single-line={singleLine || undefined} />;
}
