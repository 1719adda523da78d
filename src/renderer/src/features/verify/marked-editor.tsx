import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { CodeMirror } from "../../components/index.ts";
import classes from "./marked-editor.module.css";
import { drawMarks, findClaimAt, findMarkOf, type Mark, marksField, setActive, setMarks } from "./marks.ts";

/** The claim whose parts are highlighted. */
export interface ActiveClaim {
  readonly index: number;
  /** Where it was pointed at: what was pointed at in the texts is in view there already. */
  readonly from: "list" | "texts";
}

export interface MarkedEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly placeholder: string;
  readonly size: "small" | "large";
  /** The id of what is wrong with the text; null when nothing is. */
  readonly problemId: string | null;
  readonly marks: readonly Mark[];
  readonly active: ActiveClaim | null;
  readonly onPoint: (claim: number | null) => void;
}

/** A field for a text whose parts are marked. The marks go when the text is edited. */
export function MarkedEditor(props: MarkedEditorProps) {
  const { value, onChange, label, placeholder, problemId, size, marks, active } = props;
  const editor = useRef<EditorView>(null);
  const point = useEffectEvent((claim: number | null) => props.onPoint(claim));

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    view.dispatch({ effects: setMarks.of(marks) });
  }, [marks]);

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    view.dispatch({ effects: setActive.of(active?.index ?? null) });
    if (active?.from !== "list") return;
    const reveal = () => {
      const mark = findMarkOf(view.state.field(marksField).marks, active.index);
      if (mark !== null)
        view.dispatch({ effects: EditorView.scrollIntoView(mark.start, { y: "nearest", yMargin: 28 }) });
    };
    reveal();
    // Lines that were never drawn have guessed heights: the mark may move once they are drawn.
    const frame = requestAnimationFrame(reveal);
    return () => cancelAnimationFrame(frame);
  }, [active]);

  return (
    <CodeMirror
      editor={editor}
      value={value}
      onChange={onChange}
      label={label}
      placeholder={placeholder}
      problemId={problemId}
      createExtensions={() => markedExtensions(point)}
      className={size === "small" ? `${classes.editor} ${classes.small}` : classes.editor}
    />
  );
}

/**
 * What makes an editor one for marked prose. Tab is not bound: it leaves the editor as it leaves any field.
 * @param onPoint called with the claim the pointer is on; null when it leaves all of them
 */
function markedExtensions(onPoint: (claim: number | null) => void): Extension {
  let pointed: number | null = null;
  const point = (claim: number | null) => {
    if (claim === pointed) return;
    pointed = claim;
    onPoint(claim);
  };
  return [
    EditorView.lineWrapping,
    marksField,
    drawMarks,
    history(),
    // Enter with the main modifier verifies, and leaves no empty line behind.
    keymap.of([...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap]),
    EditorView.domEventHandlers({
      mousemove(event, view) {
        const { marks } = view.state.field(marksField);
        if (marks.length === 0) return;
        const isOnText = event.target instanceof Element && event.target.closest(".cm-part") !== null;
        const position = isOnText ? view.posAtCoords(event, false) : null;
        point(position === null ? null : findClaimAt(marks, position));
      },
      mouseleave: () => point(null),
    }),
  ];
}
