import {
  claimKeys,
  countVerdicts,
  type Histogram,
  listColumnNames,
  type ResultSummary,
  resultColumns,
  type ValueCount,
  type VerdictCounts,
} from "#contract";
import { type IndexedLines, numbersOf, textsOf, toTexts } from "./index-columns.ts";

/** The result of some lines, counted. */
export function summarizeLines(indexed: IndexedLines, lines: Uint32Array): ResultSummary {
  const counts = listColumnNames().flatMap((path) => {
    const { counted } = resultColumns[path];
    if (counted === undefined) return [];
    const numbers = numbersOf(indexed, path);
    const count = numbers
      ? createHistogram(pick(lines, numbers), counted.leastStep)
      : countValues(lines, textsOf(indexed, path));
    return [[counted.as, count]];
  });
  const models = countValues(lines, toTexts(indexed.index.columns.models));
  return { lines: lines.length, models, claims: countClaims(indexed, lines), ...Object.fromEntries(counts) };
}

/** The claims of some lines by verdict; null where none of them is verified. */
function countClaims({ marks: { verdicts } }: IndexedLines, lines: Uint32Array): VerdictCounts | null {
  if (verdicts === null || !lines.some((line) => verdicts.mark(line) !== null)) return null;
  return countVerdicts((verdict) => {
    return lines.reduce((sum, line) => sum + verdicts.countOf(line, claimKeys[verdict]), 0);
  });
}

/** How many lines have which value, the most frequent first. */
function countValues(lines: Uint32Array, read: ((at: number) => string | null) | null): ValueCount[] {
  const counts = new Map<string, { count: number; firstLine: number }>();
  for (const line of lines) {
    const value = read?.(line - 1) ?? null;
    if (value === null) continue;
    const known = counts.get(value);
    if (known === undefined) counts.set(value, { count: 1, firstLine: line });
    else known.count += 1;
  }
  return Array.from(counts, ([value, found]) => ({ value, ...found })).sort((a, b) => b.count - a.count);
}

/** The known ones of the numbers of some lines, ascending. */
function pick(lines: Uint32Array, read: (at: number) => number): Float64Array {
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
