import { diffWords } from "diff";
import { useMemo } from "react";
import type { AnswerDifference } from "../../components/index.ts";
import classes from "./marked-difference.module.css";

export interface ComparedText {
  readonly text: string;
  /** What it is compared with; null where there is nothing. */
  readonly other: string | null;
  /** `before`: its words that the other does not have are removed ones; `after`: they are added; `both`: with those that are gone. */
  readonly side: "before" | "after" | "both";
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** Texts that differ in more than can be found in this time, in milliseconds, are shown without marks. */
const longest = 60;

/** A text with the words marked that another does not have. */
export function MarkedDifference({ text, other, side }: ComparedText) {
  const parts = useMemo(() => findDifference({ text, other, side }), [text, other, side]);
  if (parts === null) return text;
  const places = parts.map((part, at) => ({ ...part, at }));
  return places.map(({ value, added, removed, at }) => {
    if (removed)
      return side === "after" ? null : (
        <del key={at} className={classes.removed} data-gone={side === "both" || undefined}>
          {value}
        </del>
      );
    if (added)
      return side === "before" ? null : (
        <ins key={at} className={classes.added}>
          {value}
        </ins>
      );
    return <span key={at}>{value}</span>;
  });
}

/** What an answer has that another does not have; undefined where nothing is to be marked. */
export function useDifference({ text, other, side }: ComparedText): AnswerDifference | undefined {
  return useMemo(() => {
    const parts = findDifference({ text, other, side });
    if (parts === null || other === null) return undefined;
    const marks: { from: number; to: number }[] = [];
    let at = 0;
    for (const { value, added, removed } of parts) {
      const isOwn = side === "before" ? removed : added;
      if (!isOwn && (added || removed)) continue;
      if (isOwn) marks.push({ from: at, to: at + value.length });
      at += value.length;
    }
    return { draw: (view) => <MarkedDifference text={view(text)} other={view(other)} side={side} />, marks };
  }, [text, other, side]);
}

/** The parts of both texts in their order; null where nothing is to be marked. */
function findDifference({ text, other, side }: ComparedText) {
  if (other === null || other === text) return null;
  const [from, to] = side === "before" ? [text, other] : [other, text];
  return diffWords(from, to, { intlSegmenter: segmenter, timeout: longest }) ?? null;
}
