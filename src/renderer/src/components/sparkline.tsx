import classes from "./sparkline.module.css";
import { drawSparkline } from "./sparkline-path.ts";

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
