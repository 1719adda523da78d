import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder as showPlaceholder } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { readCspNonce } from "../../bridge/index.ts";
import { fromOutside, reportTyping, typeOverMarks, useCodeMirror } from "../../components/code-mirror/index.ts";
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
  const { value, label, problemId, size, marks, active } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const report = useEffectEvent((text: string) => props.onChange(text));
  const point = useEffectEvent((claim: number | null) => props.onPoint(claim));
  const describe = useEffectEvent(
    (): Record<string, string> => ({
      "aria-label": label,
      "aria-multiline": "true",
      tabindex: "0",
      ...(problemId === null ? {} : { "aria-invalid": "true", "aria-describedby": problemId }),
    }),
  );
  useCodeMirror(
    host,
    editor,
    (parent: HTMLElement) =>
      new EditorView({
        parent,
        doc: value,
        extensions: [
          markedExtensions({ nonce: readCspNonce(document), onPoint: point }),
          showPlaceholder(props.placeholder),
          EditorView.contentAttributes.of(describe),
          reportTyping(report),
        ],
      }),
  );

  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    view.dispatch({ effects: setMarks.of(marks) });
  }, [marks]);

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    const mark = active === null ? null : findMarkOf(view.state.field(marksField).marks, active.index);
    const reveal =
      mark !== null && active?.from === "list"
        ? [EditorView.scrollIntoView(mark.start, { y: "nearest", yMargin: 28 })]
        : [];
    view.dispatch({ effects: [setActive.of(active?.index ?? null), ...reveal] });
  }, [active]);

  useEffect(() => {
    // The view reads its attributes on every update, so that one without changes makes new ones known.
    if (editor.current?.contentDOM.getAttribute("aria-describedby") !== problemId) editor.current?.dispatch();
  }, [problemId]);

  return <div ref={host} className={classes.editor} data-size={size} data-wrong={problemId !== null || undefined} />;
}

interface ExtensionOptions {
  /** The nonce that the page's content security policy asks of style elements. */
  readonly nonce: string;
  /** Called with the claim the pointer is on; null when it leaves all of them. */
  readonly onPoint: (claim: number | null) => void;
}

/** What makes an editor one for marked prose. Tab is not bound: it leaves the editor as it leaves any field. */
function markedExtensions({ nonce, onPoint }: ExtensionOptions): Extension {
  let pointed: number | null = null;
  const point = (claim: number | null) => {
    if (claim === pointed) return;
    pointed = claim;
    onPoint(claim);
  };
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.lineWrapping,
    marksField,
    drawMarks,
    history(),
    // Enter with the main modifier verifies, and leaves no empty line behind.
    keymap.of([...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap]),
    typeOverMarks,
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
