import classes from "./sparkline.module.css";

const width = 160;
const height = 32;
/** Room for the stroke at the top and the bottom. */
const margin = 2;

export interface SparklineProps {
  readonly samples: readonly number[];
  /** What it shows, in words and figures. */
  readonly label: string;
}

/** A small line of how something went. */
export function Sparkline({ samples, label }: SparklineProps) {
  const line = drawSparkline(samples, width, height - 2 * margin);
  return (
    <svg
      className={classes.root}
      viewBox={`0 ${-margin} ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {line ? <path className={classes.area} d={`${line} L${width} ${height} L0 ${height} Z`} /> : null}
      <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** An SVG path through the samples, from left to right, the highest at the top; empty for fewer than two. */
export function drawSparkline(samples: readonly number[], width: number, height: number): string {
  if (samples.length < 2) return "";
  const most = Math.max(...samples, Number.MIN_VALUE);
  const step = width / (samples.length - 1);
  const round = (value: number) => Math.round(value * 10) / 10;
  return samples
    .map((sample, at) => `${at === 0 ? "M" : "L"}${round(at * step)} ${round(height * (1 - sample / most))}`)
    .join(" ");
}
