import { diffWords } from "diff";
import { useMemo } from "react";
import classes from "./marked-difference.module.css";

export interface MarkedDifferenceProps {
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
export function MarkedDifference({ text, other, side }: MarkedDifferenceProps) {
  const parts = useMemo(() => {
    if (other === null || other === text) return null;
    const [from, to] = side === "before" ? [text, other] : [other, text];
    return diffWords(from, to, { intlSegmenter: segmenter, timeout: longest }) ?? null;
  }, [text, other, side]);
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
