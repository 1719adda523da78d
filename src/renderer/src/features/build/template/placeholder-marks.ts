import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { findPlaceholders, type Placeholder } from "./find-placeholders.ts";

/** Tells an editor the columns of the source. */
export const setColumns = StateEffect.define<readonly string[]>();

/** The columns that placeholders of this editor may name. */
export const columnsField = StateField.define<readonly string[]>({
  create: () => [],
  update: (columns, transaction) =>
    transaction.effects.reduce((latest, effect) => (effect.is(setColumns) ? effect.value : latest), columns),
});

const marks: Record<Placeholder["kind"], Decoration> = {
  column: Decoration.mark({ class: "cm-placeholder-column" }),
  value: Decoration.mark({ class: "cm-placeholder-tag" }),
  tag: Decoration.mark({ class: "cm-placeholder-tag" }),
  unknown: Decoration.mark({ class: "cm-placeholder-wrong", attributes: { title: "No column has this name" } }),
  unclosed: Decoration.mark({ class: "cm-placeholder-wrong", attributes: { title: "Its closing braces are missing" } }),
};

/** Draws placeholders as chips. One that is just being typed is not called wrong yet. */
export const placeholderMarks = EditorView.decorations.compute(
  [columnsField, "doc", "selection"],
  (state): DecorationSet => {
    const cursor = state.selection.main.head;
    const placeholders = findPlaceholders(state.doc.toString(), state.field(columnsField));
    return Decoration.set(
      placeholders
        .filter(({ kind, from, to }) => kind !== "unclosed" || cursor <= from || cursor > to)
        .map(({ kind, from, to }) => marks[kind].range(from, to)),
    );
  },
);
