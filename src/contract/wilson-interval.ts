/** Two-sided 95 % of the normal distribution. */
const z95 = 1.959963984540054;

/** The 95 % interval of a share (Wilson's score interval); null where there is nothing to have a share of. */
export function wilsonInterval(passed: number, of: number): [number, number] | null {
  if (of === 0) return null;
  const rate = passed / of;
  const square = z95 ** 2;
  const middle = (rate + square / (2 * of)) / (1 + square / of);
  const half = (z95 / (1 + square / of)) * Math.sqrt((rate * (1 - rate)) / of + square / (4 * of ** 2));
  return [passed === 0 ? 0 : middle - half, passed === of ? 1 : middle + half];
}
