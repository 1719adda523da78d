import type { Extension } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useId, useMemo, useRef } from "react";
import { CodeMirror } from "../../../components/index.ts";
import { createDraftKeys } from "../template/draft-keys.ts";
import { useInsertionPoint } from "../template/insertion-point.ts";
import classes from "./json-editor.module.css";
import { findJsonError } from "./json-errors.ts";

interface JsonEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  /** The part of the request that it fills, as problems name it. */
  readonly param?: string;
  readonly label: string;
  readonly placeholder: string;
}

const wrong = Decoration.mark({ class: "cm-json-wrong" });

/** Underlines the first place at which the text can't be JSON. */
const errorMark = EditorView.decorations.compute(["doc"], ({ doc }) => {
  const text = doc.toString();
  const error = text.trim() === "" ? null : findJsonError(text);
  if (error === null || text.length === 0) return Decoration.none;
  const from = Math.min(error.at, text.length - 1);
  return Decoration.set([wrong.range(from, from + 1)]);
});

/** A text field for JSON: what is wrong is marked at its place, and described below. */
export function JsonEditor({ value, onChange, onUndo, onRedo, param, label, placeholder }: JsonEditorProps) {
  const editor = useRef<EditorView>(null);
  const insertionPoint = useInsertionPoint();
  const id = useId();
  const undo = useEffectEvent(() => onUndo?.());
  const redo = useEffectEvent(() => onRedo?.());
  const problem = useMemo(() => describeError(value), [value]);

  useEffect(() => {
    if (param === undefined || editor.current === null) return undefined;
    return insertionPoint.registerPart(editor.current, param);
  }, [insertionPoint, param]);

  const createExtensions = useEffectEvent(
    (): Extension => [errorMark, EditorView.lineWrapping, createDraftKeys(undo, redo)],
  );

  return (
    <div>
      <CodeMirror
        editor={editor}
        value={value}
        onChange={onChange}
        label={label}
        placeholder={placeholder}
        problemId={problem === null ? null : id}
        createExtensions={createExtensions}
        className={classes.editor}
      />
      {problem === null ? null : (
        <p id={id} className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** `Line 2, column 5: …`; null for JSON, and for nothing. */
function describeError(text: string): string | null {
  const error = text.trim() === "" ? null : findJsonError(text);
  if (error === null) return null;
  const before = text.slice(0, error.at).split("\n");
  return `Line ${before.length}, column ${(before.at(-1) ?? "").length + 1}: ${error.message}`;
}
