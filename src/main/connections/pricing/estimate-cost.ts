import type { PromptGroup } from "#contract";
import type { LinePrice } from "#main/results";

/** The requests for one model, counted or estimated, and their answers as far as they are known. */
export interface JobTokens {
  readonly model: string;
  readonly prompts: readonly PromptGroup[];
  /** Of an answer of the trial, on average; null without a trial. */
  readonly usualAnswer: number | null;
  /** The most that an answer may have; null where the requests set no limit. */
  readonly longestAnswer: number | null;
}

/** In US dollars: of the prompts alone, with the usual answers, and with the longest ones. */
export interface JobCost {
  readonly prompts: number;
  readonly about: number | null;
  readonly most: number | null;
}

/** The estimated cost of a line before it is sent; null where no price is known. */
export function estimateLine(
  { model, promptTokens, usualAnswer, longestAnswer }: Omit<JobTokens, "prompts"> & { readonly promptTokens: number },
  price: LinePrice,
): JobCost | null {
  const priceOf = (completionTokens: number) => price(model, { promptTokens, cachedTokens: 0, completionTokens });
  const prompts = priceOf(0);
  if (prompts === null) return null;
  return {
    prompts,
    about: usualAnswer === null ? null : priceOf(usualAnswer),
    most: longestAnswer === null ? null : priceOf(longestAnswer),
  };
}

/** The estimated cost of a job: the sum of its lines. */
export function estimateCost({ prompts, ...job }: JobTokens, price: LinePrice): JobCost | null {
  return sumCosts(
    prompts.map(({ lines, promptTokens }) => {
      const line = estimateLine({ ...job, promptTokens: promptTokens / lines }, price);
      return line && multiply(line, lines);
    }),
  );
}

function multiply({ prompts, about, most }: JobCost, lines: number): JobCost {
  return { prompts: prompts * lines, about: about && about * lines, most: most && most * lines };
}

/** The sum of estimates of lines or jobs; null where the price of one is unknown. */
export function sumCosts(costs: readonly (JobCost | null)[]): JobCost | null {
  return costs.reduce<JobCost | null>((total, cost) => total && cost && addCosts(total, cost), noCost);
}

export const noCost: JobCost = { prompts: 0, about: 0, most: 0 };

export function addCosts(one: JobCost, other: JobCost): JobCost {
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    prompts: one.prompts + other.prompts,
    about: add(one.about, other.about),
    most: add(one.most, other.most),
  };
}
