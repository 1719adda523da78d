import { Annotation, Compartment, type Extension } from "@codemirror/state";
import { EditorView, placeholder as showPlaceholder } from "@codemirror/view";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { readCspNonce } from "../../bridge/index.ts";
import classes from "./code-mirror.module.css";
import { findMinimalChange } from "./minimal-change.ts";

export interface CodeMirrorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly placeholder: string;
  readonly isMultiline?: boolean;
  /** The id of what is wrong with the text; null when nothing is. */
  readonly problemId?: string | null;
  /** What else the editor does. Called once, when the editor is made in the element `host`. */
  readonly createExtensions: (host: HTMLElement) => Extension;
  /** Has the editor while it is there, for the effects of its user. */
  readonly editor: RefObject<EditorView | null>;
  readonly className: string | undefined;
}

/** Marks a change that comes from outside, so that it is not reported back as typed. */
const fromOutside = Annotation.define<true>();

/**
 * A text field of CodeMirror. The cursor stays where it is when the value is changed from outside; where the change is
 * at the cursor, it goes to the end of the change.
 */
export function CodeMirror(props: CodeMirrorProps) {
  const { value, label, placeholder, isMultiline = true, problemId = null, editor, className } = props;
  const host = useRef<HTMLDivElement>(null);
  const [described] = useState(() => new Compartment());
  const report = useEffectEvent((text: string) => props.onChange(text));
  const create = useEffectEvent(
    (parent: HTMLElement) =>
      new EditorView({
        parent,
        doc: value,
        extensions: [
          EditorView.cspNonce.of(readCspNonce(document)),
          props.createExtensions(parent),
          typeOverMarks,
          described.of(createDescription(label, placeholder, isMultiline, problemId)),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) report(state.doc.toString());
          }),
        ],
      }),
  );

  useEffect(() => {
    if (host.current === null) return;
    const view = create(host.current);
    editor.current = view;
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, [editor]);

  useEffect(() => {
    const view = editor.current;
    const change = view === null ? null : findMinimalChange(view.state.doc.toString(), value);
    if (view === null || change === null) return;
    const { head } = view.state.selection.main;
    const isAtCursor = head >= change.from && head <= change.to;
    view.dispatch({
      changes: change,
      ...(isAtCursor && { selection: { anchor: change.from + change.insert.length } }),
      annotations: fromOutside.of(true),
    });
  }, [editor, value]);

  useEffect(() => {
    editor.current?.dispatch({
      effects: described.reconfigure(createDescription(label, placeholder, isMultiline, problemId)),
    });
  }, [editor, described, label, placeholder, isMultiline, problemId]);

  return (
    <div
      ref={host}
      className={`${classes.editor} ${className}`}
      data-single-line={!isMultiline || undefined}
      data-wrong={problemId !== null || undefined}
    />
  );
}

/** What the field is, for those who see it and those who hear it. */
function createDescription(
  label: string,
  placeholder: string,
  isMultiline: boolean,
  problemId: string | null,
): Extension {
  return [
    showPlaceholder(placeholder),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-multiline": String(isMultiline),
      tabindex: "0",
      ...(problemId !== null && { "aria-invalid": "true", "aria-describedby": problemId }),
    }),
  ];
}

/**
 * Types over a selection without the browser's help: one that replaces marked text repeats its colours in a style
 * attribute, which the page's content security policy refuses.
 */
const typeOverMarks = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || event.data === null || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});
