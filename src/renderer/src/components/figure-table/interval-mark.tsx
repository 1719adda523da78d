import classes from "./interval-mark.module.css";

/** The two ends of a scale of shares, from 0 to 1. */
export type ShareScale = readonly [number, number];

/** A scale of whole tenths that all of the intervals lie on. */
export function scaleOf(intervals: readonly (readonly [number, number] | null)[]): ShareScale {
  const known = intervals.filter((interval) => interval !== null);
  if (known.length === 0) return [0, 1];
  const least = Math.floor(Math.min(...known.map(([low]) => low)) * 10) / 10;
  const most = Math.ceil(Math.max(...known.map(([, high]) => high)) * 10) / 10;
  return [least, most];
}

export interface IntervalMarkProps {
  readonly scale: ShareScale;
  readonly share: number;
  readonly interval: readonly [number, number];
  /** A share that is drawn as a thin line through all marks. */
  readonly total?: number | null;
}

/** A share with its interval, as a mark on a scale. The figures stand beside it, so that it is a picture alone. */
export function IntervalMark({ scale, share, interval, total = null }: IntervalMarkProps) {
  const at = (value: number) => `${((value - scale[0]) / (scale[1] - scale[0])) * 100}%`;
  const [low, high] = interval;
  return (
    <span className={classes.mark} aria-hidden>
      {total === null ? null : <i className={classes.total} style={{ left: at(total) }} />}
      <i className={classes.interval} style={{ left: at(low), right: `calc(100% - ${at(high)})` }} />
      <i className={classes.share} style={{ left: at(share) }} />
    </span>
  );
}

/** The figures above the marks, in percent. */
export function ScaleHead({ scale }: { readonly scale: ShareScale }) {
  const [least, most] = scale.map((end) => Math.round(end * 100)) as [number, number];
  const step = most - least > 40 ? 20 : 10;
  const ticks = Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, place) => least + place * step);
  return (
    <span className={classes.head}>
      {ticks.map((tick) => (
        <span key={tick} style={{ left: `${((tick - least) / (most - least)) * 100}%` }}>
          {tick}
        </span>
      ))}
    </span>
  );
}
