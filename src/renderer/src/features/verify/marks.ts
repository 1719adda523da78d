import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { isAboutForm, type TextSource, type TextSpan, type VerifyResult } from "#contract";
import { lookOfVerdict, type MarkTone, markClass, toneOfEvidence } from "../../components/index.ts";

/** A part of a text: a claim, a finding in it, or its evidence in any of the texts. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: "claim" | "finding" | "evidence";
  /** The gravest of those that it belongs to. */
  readonly tone: MarkTone;
  /** The indexes of the claims that it belongs to. */
  readonly claims: readonly number[];
}

/** The marks of one text, by where they start. What several claims share is marked once. */
export function listMarks({ claims }: VerifyResult, source: TextSource): Mark[] {
  const marks = new Map<string, Mark>();

  function add({ source: from, start, end }: TextSpan, kind: Mark["kind"], claim: number, tone: MarkTone): void {
    if (from !== source || end <= start) return;
    const key = `${kind} ${start} ${end}`;
    const known = marks.get(key) ?? { start, end, kind, tone, claims: [] };
    marks.set(key, {
      ...known,
      tone: gravest(known.tone, tone),
      claims: known.claims.includes(claim) ? known.claims : [...known.claims, claim],
    });
  }

  claims.forEach((claim, index) => {
    const { span, verdict, findings, nearest } = claim;
    add(span, "claim", index, lookOfVerdict(verdict).tone);
    // The passage to compare with is marked with its claim.
    if (nearest !== undefined) add(nearest.span, "claim", index, "context");
    for (const finding of findings) {
      // The form of the whole response leaves the marks of its sentences to be seen.
      const isWhole = isAboutForm(claim) && finding.span.start === span.start && finding.span.end === span.end;
      if (!isWhole) add(finding.span, "finding", index, lookOfVerdict(finding.verdict).tone);
      for (const evidence of finding.evidence) add(evidence, "evidence", index, toneOfEvidence(finding, evidence));
    }
  });
  return [...marks.values()].sort((first, second) => first.start - second.start || second.end - first.end);
}

const tones: readonly MarkTone[] = ["bad", "missing", "good", "open", "context"];

function gravest(one: MarkTone, other: MarkTone): MarkTone {
  return tones.indexOf(one) <= tones.indexOf(other) ? one : other;
}

/** The claim that a position in the text belongs to: that of the shortest mark around it. Null where nothing is marked. */
export function findClaimAt(marks: readonly Mark[], position: number): number | null {
  let shortest: Mark | null = null;
  for (const mark of marks) {
    if (position < mark.start || position >= mark.end) continue;
    if (shortest === null || mark.end - mark.start < shortest.end - shortest.start) shortest = mark;
  }
  return shortest?.claims[0] ?? null;
}

/** The mark to bring into view for a claim: the claim itself before its evidence. */
export function findMarkOf(marks: readonly Mark[], claim: number): Mark | null {
  const own = marks.filter(({ claims }) => claims.includes(claim));
  return own.find(({ kind }) => kind === "claim") ?? own[0] ?? null;
}

/** Replaces the marks of a text. */
export const setMarks = StateEffect.define<readonly Mark[]>();
/** Highlights the parts of one claim; null highlights none. */
export const setActive = StateEffect.define<number | null>();

interface MarksState {
  readonly marks: readonly Mark[];
  readonly active: number | null;
}

/** The marks of a text. They are for the text that was verified, and go when it is edited. */
export const marksField = StateField.define<MarksState>({
  create: () => ({ marks: [], active: null }),
  update(value, transaction) {
    let next = transaction.docChanged ? { ...value, marks: [] } : value;
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) next = { ...next, marks: effect.value };
      if (effect.is(setActive)) next = { ...next, active: effect.value };
    }
    return next;
  },
});

/** Draws the marks: a tint and a line by verdict; a claim itself only while it is active (marked-editor.module.css). */
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
  const names = ["cm-part", `cm-${kind}`, kind === "claim" ? null : markClass, isActive ? "cm-active" : null];
  return Decoration.mark({
    class: names.filter((name) => name !== null).join(" "),
    attributes: { "data-tone": tone },
  });
}
