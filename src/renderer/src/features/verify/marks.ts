import { type ChangeDesc, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { TextSource, TextSpan, VerifyResult } from "#contract";
import { lookOfVerdict, type VerdictLook } from "../../components/index.ts";

/** A part of a text to be marked: a claim in the response, or what verdicts stand on in any of the texts. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: "claim" | "evidence";
  /** Of the claim's verdict; null for evidence. */
  readonly tone: VerdictLook["tone"] | null;
  /** The places of the claims that it belongs to. */
  readonly claims: readonly number[];
}

/**
 * The marks of one text, by where they start. Evidence that several claims share is marked once; evidence that is a
 * claim itself is marked as a claim only, and so belongs to both.
 */
export function listMarks({ claims }: VerifyResult, source: TextSource): Mark[] {
  const marks = new Map<string, Mark>();

  function put({ start, end }: TextSpan, claim: number, tone: Mark["tone"]): void {
    if (end <= start) return;
    const key = `${start} ${end}`;
    const known = marks.get(key);
    const all = known === undefined ? [claim] : [...known.claims, claim];
    if (known === undefined)
      marks.set(key, { start, end, kind: tone === null ? "evidence" : "claim", tone, claims: all });
    else if (!known.claims.includes(claim)) marks.set(key, { ...known, claims: all });
  }

  claims.forEach(({ span, verdict }, index) => {
    if (span.source === source) put(span, index, lookOfVerdict(verdict).tone);
  });
  claims.forEach(({ findings }, index) => {
    for (const span of findings.flatMap(({ evidence }) => evidence)) if (span.source === source) put(span, index, null);
  });
  return [...marks.values()].sort((first, second) => first.start - second.start || second.end - first.end);
}

/** The claim that a place in the text belongs to: that of the shortest mark around it. Null where nothing is marked. */
export function findClaimAt(marks: readonly Mark[], position: number): number | null {
  let shortest: Mark | null = null;
  for (const mark of marks) {
    if (position < mark.start || position >= mark.end) continue;
    if (shortest === null || mark.end - mark.start < shortest.end - shortest.start) shortest = mark;
  }
  return shortest?.claims[0] ?? null;
}

/** The mark to bring into view for a claim: itself before what it stands on. */
export function findMarkOf(marks: readonly Mark[], claim: number): Mark | null {
  const own = marks.filter(({ claims }) => claims.includes(claim));
  return own.find(({ kind, claims }) => kind === "claim" && claims[0] === claim) ?? own[0] ?? null;
}

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
