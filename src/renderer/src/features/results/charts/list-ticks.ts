/** Steps between the figures of an axis, at most. */
const mostSteps = 5;

/** Figures for an axis of counts, from 0 to the highest or a little above it: round ones, evenly spaced. */
export function listTicks(highest: number): readonly number[] {
  const least = Math.max(1, highest / mostSteps);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= least) ?? least;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, at) => at * step);
}
