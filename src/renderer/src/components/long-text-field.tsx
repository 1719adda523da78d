import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, type Extension, Prec, type Transaction } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { Input } from "@mantine/core";
import {
  type CSSProperties,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { formatNumber } from "#contract";
import { CodeMirror } from "./code-mirror/code-mirror.tsx";
import classes from "./long-text-field.module.css";

/** The longest text of a field, in characters. */
export const mostCharacters = 2_000_000;

export interface LongTextFieldHandle {
  focus(): void;
}

export interface LongTextFieldProps {
  readonly label: string;
  readonly isLabelShown?: boolean;
  readonly placeholder?: string;
  /** What is to be known of it, below. */
  readonly note?: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** It grows with its text, from so many rows to so many. */
  readonly minRows: number;
  readonly maxRows: number;
  /** Begins with the focus in it. */
  readonly isFocused?: boolean;
  /** True where the key is used up. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  readonly handle?: Ref<LongTextFieldHandle>;
  readonly className?: string | undefined;
}

/**
 * A field that grows with its text, and stays quick with a long one: only the part in view is drawn, which a textarea
 * can't do. A text over the limit is refused in words.
 */
export function LongTextField(props: LongTextFieldProps) {
  const { label, isLabelShown = false, placeholder = "", note = null, value, onChange, minRows, maxRows } = props;
  const id = useId();
  const editor = useRef<EditorView>(null);
  const [refused, setRefused] = useState<number | null>(null);
  const press = useEffectEvent((event: KeyboardEvent) => props.onKey?.(event) ?? false);
  const take = useEffectEvent((transaction: Transaction) => {
    const isOver = isTooMuch(transaction);
    setRefused(isOver ? transaction.changes.newLength : null);
    return !isOver;
  });
  const { isFocused = false } = props;
  // The editor is made by an effect of its own component, which comes first.
  useEffect(() => {
    const view = editor.current;
    if (!isFocused || view === null) return;
    view.focus();
    view.dispatch({ selection: { anchor: view.state.doc.length }, scrollIntoView: true });
  }, [isFocused]);
  useImperativeHandle(props.handle, () => ({ focus: () => editor.current?.focus() }), []);
  const over = refused ?? (value.length > mostCharacters ? value.length : null);
  const rows: CSSProperties & Record<string, number> = { "--least-rows": minRows, "--most-rows": maxRows };

  return (
    <div className={props.className} style={rows}>
      {isLabelShown ? (
        <Input.Label labelElement="div" onClick={() => editor.current?.focus()}>
          {label}
        </Input.Label>
      ) : null}
      <CodeMirror
        editor={editor}
        value={value}
        onChange={onChange}
        label={label}
        placeholder={placeholder}
        problemId={over === null ? null : id}
        createExtensions={() => createExtensions(press, take)}
        className={classes.editor}
      />
      {over === null ? null : (
        <Input.Error id={id} mt={4} role="alert">
          {describeTooLong(over)}
        </Input.Error>
      )}
      {note === null ? null : <Input.Description mt={4}>{note}</Input.Description>}
    </div>
  );
}

/** Tab is not bound: it leaves the field. */
function createExtensions(onKey: (event: KeyboardEvent) => boolean, take: (change: Transaction) => boolean): Extension {
  return [
    Prec.highest(EditorView.domEventHandlers({ keydown: (event) => onKey(event) })),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({ dir: "auto", spellcheck: "true" }),
    EditorState.changeFilter.of((transaction) => !transaction.docChanged || take(transaction)),
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
  ];
}

/** Whether something typed or pasted makes a text longer than the limit. What was stored before is taken whole. */
function isTooMuch(transaction: Transaction): boolean {
  const { changes, startState } = transaction;
  const isLonger = changes.newLength > startState.doc.length;
  return isLonger && changes.newLength > mostCharacters && transaction.isUserEvent("input");
}

/** Why a text is refused, and what to do. */
export function describeTooLong(length: number): string {
  return `${formatNumber(length)} characters are too many: ${formatNumber(mostCharacters)} at most. Put long texts into a table, and use it in Build.`;
}
