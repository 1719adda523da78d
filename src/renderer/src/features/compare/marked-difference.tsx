import { diffWords } from "diff";
import { useMemo } from "react";
import type { AnswerDifference } from "../../components/index.ts";
import classes from "./marked-difference.module.css";

export interface ComparedText {
  readonly text: string;
  /** The baseline's text; null where nothing is marked: for the baseline itself, and where it has no answer. */
  readonly base: string | null;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** Texts that differ in more than can be found in this time, in milliseconds, are shown without marks. */
const longest = 60;

/** A text with the words marked that the baseline doesn't have, in the colour of its batch. */
export function MarkedDifference({ text, base }: ComparedText) {
  const parts = useMemo(() => findParts({ text, base }), [text, base]);
  if (parts === null) return text;
  return parts.map(({ value, from, isOwn }) =>
    isOwn ? (
      <ins key={from} className={classes.own}>
        {value}
      </ins>
    ) : (
      <span key={from}>{value}</span>
    ),
  );
}

/** What an answer has that the baseline doesn't have; undefined where nothing is to be marked. */
export function useDifference({ text, base }: ComparedText): AnswerDifference | undefined {
  return useMemo(() => {
    const parts = findParts({ text, base });
    if (parts === null || base === null) return undefined;
    const marks = parts.flatMap(({ value, from, isOwn }) => (isOwn ? [{ from, to: from + value.length }] : []));
    return { draw: (view) => <MarkedDifference text={view(text)} base={view(base)} />, marks };
  }, [text, base]);
}

interface TextPart {
  readonly value: string;
  /** Where it begins in the text. */
  readonly from: number;
  /** Whether the baseline doesn't have it. */
  readonly isOwn: boolean;
}

/** The parts of a text in their order; null where nothing is to be marked. */
function findParts({ text, base }: ComparedText): TextPart[] | null {
  if (base === null || base === text) return null;
  const parts: TextPart[] = [];
  let from = 0;
  for (const { value, added, removed } of diffWords(base, text, { intlSegmenter: segmenter, timeout: longest }) ?? []) {
    if (removed) continue;
    parts.push({ value, from, isOwn: added });
    from += value.length;
  }
  return parts.length === 0 ? null : parts;
}
