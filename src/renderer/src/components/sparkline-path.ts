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
