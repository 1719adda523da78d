import { type ChangeDesc, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Mark } from "./list-marks.ts";

/** Marks a text anew. */
export const setMarks = StateEffect.define<readonly Mark[]>();
/** Brings out the parts of one claim; null brings out none. */
export const setActive = StateEffect.define<number | null>();

interface Marks {
  readonly marks: readonly Mark[];
  readonly active: number | null;
}

/** The marks of a text. They move along when it is edited; one whose text is gone goes, too. */
export const marksField = StateField.define<Marks>({
  create: () => ({ marks: [], active: null }),
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged && next.marks.length > 0) {
      next = { ...next, marks: moveMarks(next.marks, transaction.changes) };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) next = { ...next, marks: effect.value };
      if (effect.is(setActive)) next = { ...next, active: effect.value };
    }
    return next;
  },
});

function moveMarks(marks: readonly Mark[], changes: ChangeDesc): Mark[] {
  return marks
    .map((mark) => ({ ...mark, start: changes.mapPos(mark.start, 1), end: changes.mapPos(mark.end, -1) }))
    .filter(({ start, end }) => end > start);
}

/** Draws the marks: colour and pattern by verdict, a ground for what verdicts stand on (marked-editor.module.css). */
export const drawMarks = EditorView.decorations.compute([marksField, "doc"], (state): DecorationSet => {
  const { marks, active } = state.field(marksField);
  const { length } = state.doc;
  return Decoration.set(
    marks
      .filter(({ end }) => end <= length)
      .map((mark) => decorate(mark, active !== null && mark.claims.includes(active)).range(mark.start, mark.end)),
    true,
  );
});

function decorate({ kind, tone }: Mark, isActive: boolean): Decoration {
  const name = kind === "claim" ? `cm-claim cm-claim-${tone}` : "cm-evidence";
  return Decoration.mark({ class: isActive ? `${name} cm-active-mark` : name });
}
