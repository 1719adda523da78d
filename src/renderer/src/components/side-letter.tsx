import classes from "./side-letter.module.css";

export interface SideLetterProps {
  /** Which of the batches it is, from 0. */
  readonly side: number;
  /** Outlined: the baseline of a comparison, or the batch that is open. */
  readonly isMarked?: boolean;
}

/** The letter of one of several batches: A, B, C … */
export function letterOf(side: number): string {
  return String.fromCharCode(65 + side);
}

/** The sign of one of several batches: its letter in its colour. */
export function SideLetter({ side, isMarked = false }: SideLetterProps) {
  return (
    <span className={classes.letter} data-side={letterOf(side)} data-marked={isMarked || undefined}>
      {letterOf(side)}
    </span>
  );
}
