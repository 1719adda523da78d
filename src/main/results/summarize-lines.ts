import type { Histogram, ResultSummary, ValueCount } from "#contract";
import { type CodeColumn, unknownTokens } from "./fact-columns.ts";
import { lineStates, timeAt } from "./line-index.ts";
import type { SelectionParts } from "./select-lines.ts";

/** The result of some lines, counted. */
export function summarizeLines(
  { index, marks, costs = null }: Pick<SelectionParts, "index" | "marks" | "costs">,
  lines: Uint32Array,
): ResultSummary {
  const { columns } = index;
  const { verdicts, grades } = marks;
  const markOf = (index: { mark(line: number): string | null } | null) => (line: number) => index?.mark(line) ?? null;
  return {
    lines: lines.length,
    states: countValues(lines, nameOf({ codes: columns.states, names: lineStates })),
    finish: countValues(lines, nameOf(columns.finishReasons)),
    errors: countValues(lines, nameOf(columns.errorCodes)),
    models: countValues(lines, nameOf(columns.models)),
    verdicts: countValues(lines, markOf(verdicts)),
    grades: countValues(lines, markOf(grades)),
    promptTokens: createHistogram(pick(lines, columns.promptTokens)),
    completionTokens: createHistogram(pick(lines, columns.completionTokens)),
    milliseconds: createHistogram(pickBy(lines, (at) => timeAt(columns, at))),
    cost: costs && createHistogram(pickBy(lines, costs), 0),
  };
}

function nameOf({ codes, names }: CodeColumn) {
  return (line: number) => names[codes[line - 1] ?? 0] || null;
}

/** How many lines have which value, the most frequent first. */
function countValues(lines: Uint32Array, read: (line: number) => string | null): ValueCount[] {
  const counts = new Map<string, { count: number; firstLine: number }>();
  for (const line of lines) {
    const value = read(line);
    if (value === null) continue;
    const known = counts.get(value);
    if (known === undefined) counts.set(value, { count: 1, firstLine: line });
    else known.count += 1;
  }
  return Array.from(counts, ([value, found]) => ({ value, ...found })).sort((a, b) => b.count - a.count);
}

/** The known ones of the numbers of some lines, ascending. */
function pick(lines: Uint32Array, column: Uint32Array): Float64Array {
  return pickBy(lines, (at) => {
    const value = column[at] ?? Number.NaN;
    return value === unknownTokens ? Number.NaN : value;
  });
}

function pickBy(lines: Uint32Array, read: (at: number) => number): Float64Array {
  const known = new Float64Array(lines.length);
  let count = 0;
  for (const line of lines) {
    const value = read(line - 1);
    if (!Number.isNaN(value)) known[count++] = value;
  }
  return known.subarray(0, count).sort();
}

/** About so many bars are drawn. */
const wantedBins = 20;

/** Numbers, ascending, as counts of ranges of one width, at least `leastStep`; null where there are none. */
export function createHistogram(sorted: Float64Array, leastStep = 1): Histogram | null {
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return null;
  const step = roundStep(Math.max((most - least) / wantedBins, leastStep) || Math.abs(most) || 1);
  const start = Math.floor(least / step) * step;
  const counts = new Array<number>(binOf(most, { start, step }) + 1).fill(0);
  let sum = 0;
  for (const value of sorted) {
    const bin = binOf(value, { start, step });
    counts[bin] = (counts[bin] ?? 0) + 1;
    sum += value;
  }
  const quantile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? least;
  return { count: sorted.length, sum, least, most, median: quantile(0.5), p95: quantile(0.95), start, step, counts };
}

/** So much of a range is the noise of reckoning with fractions: what is less than that below an edge is on it. */
const noise = 1e-9;

/** The range that a number is in, from 0. */
export function binOf(value: number, { start, step }: Pick<Histogram, "start" | "step">): number {
  return Math.max(0, Math.floor((value - start) / step + noise));
}

/** The next larger of 1, 2 and 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((times) => times * power).find((rounded) => rounded >= step) ?? 10 * power;
}
