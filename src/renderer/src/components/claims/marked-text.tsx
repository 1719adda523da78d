import { splitText, type ToneMark } from "./describe-claims.ts";
import classes from "./marked-text.module.css";

export interface MarkedTextProps {
  readonly text: string;
  /** Where the text begins in the whole that the marks count in. */
  readonly from?: number;
  readonly marks: readonly ToneMark[];
}

/** A text whose marks have a tint and a line in the colour of a verdict. */
export function MarkedText({ text, from = 0, marks }: MarkedTextProps) {
  return splitText(text, from, marks).map(({ start, text: piece, tone }) =>
    tone === null ? (
      piece
    ) : (
      <mark key={start} className={classes.mark} data-tone={tone}>
        {piece}
      </mark>
    ),
  );
}

/** The look of a mark, for code that draws marks in another way. Its colour is its `data-tone`. */
export const markClass = classes.mark ?? "";
