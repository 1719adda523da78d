import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { typeOverMarks } from "../../components/index.ts";
import { findClaimAt } from "./list-marks.ts";
import { drawMarks, marksField } from "./marks-state.ts";

export interface MarkedEditorOptions {
  /** The nonce that the page's content security policy asks of style elements. */
  readonly nonce: string;
  /** Told which claim the pointer is on; null when it leaves all of them. */
  readonly onPoint: (claim: number | null) => void;
}

/** What makes an editor one for marked prose. Tab is not bound: it leaves the editor as it leaves any field. */
export function markedExtensions({ nonce, onPoint }: MarkedEditorOptions): Extension {
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
        const isOnText = event.target instanceof Element && event.target.closest(".cm-claim, .cm-evidence") !== null;
        const position = isOnText ? view.posAtCoords(event, false) : null;
        point(position === null ? null : findClaimAt(marks, position));
      },
      mouseleave: () => point(null),
    }),
  ];
}
