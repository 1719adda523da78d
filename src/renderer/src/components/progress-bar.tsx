import classes from "./progress-bar.module.css";

export interface ProgressBarProps {
  /** What is under way, for screen readers. */
  readonly label: string;
  /** From 0 to 1; null while how much there is is not known. */
  readonly share: number | null;
  /** In words: "812 of 1,319 lines". */
  readonly text?: string;
  /** `quiet` for what has ended, `failed` for what ended badly. */
  readonly tone?: "active" | "quiet" | "done" | "failed";
  readonly height?: number;
}

/** How far something is. It grows without steps, but never runs ahead of what is so. */
export function ProgressBar({ label, share, text, tone = "active", height = 6 }: ProgressBarProps) {
  return (
    <div
      className={classes.root}
      style={{ height }}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.floor(share * 100)}
      aria-valuetext={text}
      data-tone={tone}
      data-unknown={share === null || undefined}
    >
      <div className={classes.fill} style={{ transform: `scaleX(${share ?? 1})` }} />
    </div>
  );
}
