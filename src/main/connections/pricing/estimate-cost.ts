import type { PromptGroup } from "#contract";
import type { LinePrice } from "#main/results";

/** The requests for one model, counted or estimated, and their answers as far as they are known. */
export interface JobTokens {
  /** Of the groups that name none. */
  readonly model: string;
  readonly prompts: readonly PromptGroup[];
  /** Of an answer of the trial, on average; null without a trial. */
  readonly usualAnswer: number | null;
  /** The most that an answer may have; null where the requests set no limit. */
  readonly longestAnswer: number | null;
  /** What the service counted of the prompts of a trial, compared with what was counted here; 1 by default. */
  readonly promptRatio?: number | null | undefined;
}

/** In US dollars: of the prompts alone, with the usual answers, and with the longest ones. */
export interface JobCost {
  readonly prompts: number;
  readonly about: number | null;
  readonly most: number | null;
  /** The requests that it is of, and those without a known price, which are not in it. */
  readonly lines: number;
  readonly unknown: number;
  /** Whether it may cost less: its service gives a discount that is not certain. */
  readonly isCeiling: boolean;
}

/** The estimated cost of a line before it is sent. */
export function estimateLine(
  {
    model,
    promptTokens,
    usualAnswer,
    longestAnswer,
  }: Pick<JobTokens, "model" | "usualAnswer" | "longestAnswer"> & { readonly promptTokens: number },
  price: LinePrice,
): JobCost {
  const priceOf = (completionTokens: number) => price(model, { promptTokens, cachedTokens: 0, completionTokens });
  const prompts = priceOf(0);
  if (prompts === null) return { ...noCost, unknown: 1 };
  return {
    prompts,
    about: usualAnswer === null ? null : priceOf(usualAnswer),
    most: longestAnswer === null ? null : priceOf(longestAnswer),
    lines: 1,
    unknown: 0,
    isCeiling: price.isCeiling?.(model) ?? false,
  };
}

/** The estimated cost of a job: the sum of its lines. */
export function estimateCost({ prompts, promptRatio, ...job }: JobTokens, price: LinePrice): JobCost {
  return sumCosts(
    prompts.map(({ lines, promptTokens, model = job.model }) => {
      const perLine = (promptTokens / lines) * (promptRatio ?? 1);
      return multiply(estimateLine({ ...job, model, promptTokens: perLine }, price), lines);
    }),
  );
}

function multiply({ prompts, about, most, lines, unknown, isCeiling }: JobCost, by: number): JobCost {
  return {
    prompts: prompts * by,
    about: about && about * by,
    most: most && most * by,
    lines: lines * by,
    unknown: unknown * by,
    isCeiling,
  };
}

/** The sum of estimates of lines or jobs. */
export function sumCosts(costs: readonly JobCost[]): JobCost {
  return costs.reduce(addCosts, noCost);
}

export const noCost: JobCost = { prompts: 0, about: 0, most: 0, lines: 0, unknown: 0, isCeiling: false };

export function addCosts(one: JobCost, other: JobCost): JobCost {
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    prompts: one.prompts + other.prompts,
    about: add(one.about, other.about),
    most: add(one.most, other.most),
    lines: one.lines + other.lines,
    unknown: one.unknown + other.unknown,
    isCeiling: one.isCeiling || other.isCeiling,
  };
}
