import {
  isComparison,
  numberKey,
  readCandidates,
  readSigns,
  type SignName,
  type Signs,
  signNames,
} from "../checks/grounding/candidates/index.ts";
import { type Context, readContext } from "../checks/grounding/context.ts";
import { readText, wordsOf } from "../text/index.ts";
import type { TextQuestion } from "./items.ts";
import { rate, type Share } from "./score.ts";

/** A question with what its text has that could be asked for. */
export interface Example {
  readonly signs: readonly Signs[];
  /** Which of them are right, by their indexes. */
  readonly right: ReadonlySet<number>;
  /** How many others it counts for in learning. */
  readonly weight: number;
}

export type Weights = Readonly<Record<SignName, number>>;

/** How hard large weights are held back; chosen by what cross-validation found best. */
const restraint = 0.003;
const steps = 300;
const pace = 0.05;

/** The questions that ask for a name or number of their text, each with the signs of all that it has. In learning, each has the given weight. */
export function readExamples(questions: readonly TextQuestion[], weight = 1): readonly Example[] {
  return questions.flatMap((item) => {
    const context = readContext({
      prompt: readText("prompt", `${item.knowledge}\n\n${item.question}`),
      response: readText("response", item.right),
      document: null,
    });
    if (context === null || !asksForOne(context)) return [];
    const candidates = readCandidates(context.evidence.passage);
    const right = findRight(context, candidates);
    return right.size === 0 ? [] : [{ signs: readSigns(context, candidates), right, weight }];
  });
}

function asksForOne({ question }: Context): boolean {
  return !isComparison(question) && /^(who|when|where|how-many|what)$/.test(question.kind);
}

function findRight({ answer }: Context, candidates: ReturnType<typeof readCandidates>): ReadonlySet<number> {
  const words = wordsOf(answer.text).filter(({ isFunction }) => !isFunction);
  const keys = new Set([...words.map(({ key }) => key), ...answer.numbers.map(({ mention }) => numberKey(mention))]);
  const own = [...keys].filter((key) => !key.startsWith("#"));
  return new Set(
    candidates.flatMap(({ kind, forms }, index) => {
      const isRight = forms.some((form) =>
        kind === "name"
          ? keys.isSupersetOf(form) || (own.length > 0 && own.every((key) => form.has(key)))
          : !keys.isDisjointFrom(form),
      );
      return isRight ? [index] : [];
    }),
  );
}

/**
 * Weights with which the right one of each text's names gets the most: a softmax over each question's candidates, by Adam
 * (Kingma and Ba 2015) over all of them at once. The same examples always give the same weights.
 */
export function learnWeights(examples: readonly Example[]): Weights {
  const rows = examples.map(({ signs, right, weight }) => ({ values: signs.map(toEntries), right, weight }));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const weights = signNames.map(() => 0);
  const means = signNames.map(() => 0);
  const squares = signNames.map(() => 0);
  for (let step = 1; step <= steps; step += 1) {
    const slope = signNames.map(() => 0);
    for (const row of rows) addSlope(slope, weights, row);
    for (const [at, value] of slope.entries()) {
      const gradient = value / total + restraint * (weights[at] ?? 0);
      means[at] = 0.9 * (means[at] ?? 0) + 0.1 * gradient;
      squares[at] = 0.999 * (squares[at] ?? 0) + 0.001 * gradient ** 2;
      const mean = (means[at] ?? 0) / (1 - 0.9 ** step);
      const deviation = Math.sqrt((squares[at] ?? 0) / (1 - 0.999 ** step));
      weights[at] = (weights[at] ?? 0) - (pace * mean) / (deviation + 1e-8);
    }
  }
  return toWeights(weights);
}

/** A sign that is there, by its place among all. Most are not. */
interface Entry {
  readonly at: number;
  readonly value: number;
}

function toEntries(signs: Signs): readonly Entry[] {
  return signNames.flatMap((name, at) => {
    const value = signs[name] ?? 0;
    return value === 0 ? [] : [{ at, value }];
  });
}

function toWeights(values: readonly number[]): Weights {
  const entries = signNames.map((name, at) => [name, Math.round((values[at] ?? 0) * 100) / 100] as const);
  return Object.fromEntries(entries) as Record<SignName, number>;
}

function addSlope(
  slope: number[],
  weights: readonly number[],
  { values, right, weight }: Pick<Example, "right" | "weight"> & { readonly values: readonly (readonly Entry[])[] },
): void {
  const scores = values.map((row) => row.reduce((sum, { at, value }) => sum + value * (weights[at] ?? 0), 0));
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const all = powers.reduce((sum, power) => sum + power, 0);
  const good = powers.reduce((sum, power, index) => sum + (right.has(index) ? power : 0), 0);
  for (const [index, row] of values.entries()) {
    const power = powers[index] ?? 0;
    const error = weight * (power / all - (right.has(index) ? power / good : 0));
    for (const { at, value } of row) slope[at] = (slope[at] ?? 0) + error * value;
  }
}

/** What weights do on questions that they weren't learned from. */
export interface Margins {
  /** How often the right one gets the most. */
  readonly first: Share;
  /** How far the right ones are behind, and the others that the question doesn't have. */
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

const folds = 5;

/** Learns from four fifths of the examples and measures on the fifth, five times. */
export function crossValidate(examples: readonly Example[]): Margins {
  const margins = Array.from({ length: folds }, (_, fold) => {
    const weights = learnWeights(examples.filter((_example, index) => index % folds !== fold));
    return examples.filter((_example, index) => index % folds === fold).map((example) => measure(weights, example));
  }).flat();
  return {
    first: { found: margins.filter(({ right }) => right === 0).length, of: margins.length },
    right: margins.map(({ right }) => right),
    wrong: margins.flatMap(({ wrong }) => wrong),
  };
}

function measure(weights: Weights, { signs, right }: Example): { readonly right: number; readonly wrong: number[] } {
  const scores = signs.map((each) => signNames.reduce((sum, name) => sum + (each[name] ?? 0) * weights[name], 0));
  const top = Math.max(...scores);
  const behind = scores.map((score) => top - score);
  return {
    right: Math.min(...behind.filter((_, index) => right.has(index))),
    wrong: behind.filter((_, index) => !right.has(index) && (signs[index]?.asked ?? 0) === 0),
  };
}

/** The margin that so many of the right ones stay below, and the share of the others that it finds. */
export function findMargin({ right, wrong }: Margins, falseAlarms: number): { margin: number; found: number } {
  const sorted = right.toSorted((a, b) => b - a);
  const margin = sorted[Math.floor(falseAlarms * sorted.length)] ?? 0;
  return { margin, found: rate({ found: wrong.filter((behind) => behind > margin).length, of: wrong.length }) };
}
