import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { placeholderFor, rowNumberName } from "#contract";
import { columnsField } from "./placeholder-marks.ts";

const openPlaceholder = /\{\{-?\s*(?:\[?["']?)([^{}|]*)$/;

/** Offers the columns of the source between `{{` and `}}`. */
export function completeColumns(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const match = openPlaceholder.exec(before);
  if (match === null) return null;
  const opening = line.from + match.index;
  const options = [
    ...context.state.field(columnsField).map((name) => toOption(name, opening)),
    { ...toOption(rowNumberName, opening), detail: "counts from 1", boost: -50 },
  ];
  return { from: context.pos - (match[1]?.length ?? 0), options, validFor: /^[^{}|]*$/ };
}

function toOption(name: string, opening: number): Completion {
  return {
    label: name,
    apply: (view, _completion, _from, to) => replacePlaceholder(view, opening, to, placeholderFor(name)),
  };
}

/** Puts a whole placeholder in the place of the one that was begun, with its end if there is one already. */
function replacePlaceholder(view: EditorView, from: number, to: number, placeholder: string): void {
  const rest = view.state.sliceDoc(to, view.state.doc.lineAt(to).to);
  view.dispatch({
    changes: { from, to: to + measureClosing(rest), insert: placeholder },
    selection: { anchor: from + placeholder.length },
    userEvent: "input.complete",
  });
}

/** How much of the text after the cursor belongs to the placeholder that the cursor is in: up to its `}}`, or nothing. */
export function measureClosing(rest: string): number {
  return /^[^{}]*\}\}/.exec(rest)?.[0].length ?? 0;
}
