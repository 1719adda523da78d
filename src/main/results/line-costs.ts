import type { PricedModels, PriceRecord } from "#main/base";
import type { AnswerBill } from "#main/storage";
import { unknownTokens } from "./fact-columns.ts";
import { isInOutput, type LineIndex, lineStates, reusedTime, waitingState } from "./line-index.ts";
import { findAsked } from "./model-names.ts";

/** The tokens of one line, and what else its price depends on. */
export interface LineTokens {
  readonly promptTokens: number;
  /** Those of the prompt that the service had in its cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly bill?: AnswerBill | undefined;
}

/** What a line costs that was asked of a model, in US dollars; null where no price is known. */
export interface LinePrice {
  (model: string, tokens: LineTokens): number | null;
  /** Whether lines of a model cost at most that: its service gives a discount that is not certain. */
  readonly isCeiling?: (model: string) => boolean;
  /** The name in requests of the model that calls itself so; null for one without a price. */
  readonly nameOf?: (answered: string) => string | null;
  /** Whether it is today's, since the batch is from before prices were kept with batches. */
  readonly isToday?: boolean;
}

/** Today's prices of connections: they are the host's. */
export interface Prices {
  /** Without the models that no price is known of; null where the connection is gone. */
  find(connectionId: string, models: PricedModels): Promise<PriceRecord | null>;
  /** Calls the listener with the id of each connection that was changed. Returns a function that stops it. */
  subscribe(listener: (connectionId: string) => void): () => void;
}

/** What a line cost, by its number less one: nothing where its answer was reused; NaN where that is not known. */
export type LineCosts = (at: number) => number;

/** Where a batch asks one model, that is the model, whatever the answers call it. */
export function createLineCosts(index: LineIndex, models: readonly string[], price: LinePrice): LineCosts {
  const { promptTokens, cachedTokens, completionTokens, times, bills } = index.columns;
  const modelOf = createModelReader(index, models);
  return (at) => {
    if (times[at] === reusedTime) return 0;
    const bill = bills.get(at);
    // The service knows best.
    if (bill?.cost != null) return bill.cost;
    const [prompt, completion] = [promptTokens[at] ?? unknownTokens, completionTokens[at] ?? unknownTokens];
    if (prompt === unknownTokens || completion === unknownTokens) return Number.NaN;
    const tokens = { promptTokens: prompt, cachedTokens: cachedTokens[at] ?? 0, completionTokens: completion, bill };
    return price(modelOf(at), tokens) ?? Number.NaN;
  };
}

function createModelReader({ columns: { models: column } }: LineIndex, models: readonly string[]) {
  const single = models.length === 1 ? models[0] : undefined;
  return (at: number): string => single ?? column.names[column.codes[at] ?? 0] ?? "";
}

/** What lines cost together. */
export interface CostSum {
  readonly usd: number;
  /** Of how many answers that is known, and how many of these were reused, which cost nothing. */
  readonly lines: number;
  readonly reused: number;
  /** Answers without a known price, or whose tokens were not counted: what they cost is missing. */
  readonly unknown: number;
  /** Of the known ones, those whose service says itself what they cost. */
  readonly reported: number;
  /** Whether some of them may have cost less. */
  readonly isCeiling: boolean;
  readonly isToday: boolean;
}

const skippedState = lineStates.indexOf("skipped");

/**
 * Adds up the costs of an index, or of some of its lines. Failed answers count when their service counted tokens. Each line is
 * priced once; all are priced again when an answer replaces another.
 */
export function createCostSum(
  index: LineIndex,
  models: readonly string[],
  price: LinePrice,
  lines: Uint32Array | null = null,
): () => CostSum {
  const { columns, total } = index;
  const { states, times, promptTokens, completionTokens, bills } = columns;
  const costs = createLineCosts(index, models, price);
  const modelOf = createModelReader(index, models);
  const isCounted = new Uint8Array(total);
  let replaced = index.replaced;
  let sum = createExactSum();
  let counts = noCounts();

  function add(at: number): void {
    if (states[at] === skippedState) return;
    const cost = costs(at);
    // What failed without a count of tokens was not paid.
    const isCharged =
      isInOutput(states[at]) || promptTokens[at] !== unknownTokens || completionTokens[at] !== unknownTokens;
    if (Number.isNaN(cost)) {
      if (isCharged) counts.unknown += 1;
      return;
    }
    sum.add(cost);
    if (isInOutput(states[at])) counts.lines += 1;
    if (times[at] === reusedTime) counts.reused += 1;
    else if (bills.get(at)?.cost != null) counts.reported += 1;
    else if (price.isCeiling?.(modelOf(at))) counts.isCeiling = true;
  }

  return () => {
    if (index.replaced !== replaced) {
      replaced = index.replaced;
      isCounted.fill(0);
      sum = createExactSum();
      counts = noCounts();
    }
    for (let place = 0; place < (lines?.length ?? total); place++) {
      const at = lines === null ? place : (lines[place] ?? 1) - 1;
      if (states[at] === waitingState || isCounted[at] === 1) continue;
      isCounted[at] = 1;
      add(at);
    }
    return { usd: sum.value(), ...counts, isToday: price.isToday ?? false };
  };
}

/** What the lines of one model cost, and took. */
export interface ModelCosts {
  readonly model: string;
  /** Answers that were asked. */
  readonly answers: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly completionTokens: number;
  /** In US dollars: of all but `unknown` of the answers. */
  readonly usd: number;
  readonly known: number;
  readonly unknown: number;
}

/** The costs of an index by the model, as requests name it. */
export function splitByModel(index: LineIndex, models: readonly string[], price: LinePrice): ModelCosts[] {
  const { columns, total } = index;
  const { states, times, promptTokens, cachedTokens, completionTokens, bills } = columns;
  const costs = createLineCosts(index, models, price);
  const modelOf = createModelReader(index, models);
  const known = (tokens: number | undefined) => (tokens === undefined || tokens === unknownTokens ? 0 : tokens);
  const asked = new Map<string, string>();
  /** A service may know a model by another name than requests do. */
  const nameModel = (answered: string) => {
    const found = findAsked(models, answered);
    const named = models.includes(found) ? null : price.nameOf?.(answered);
    return named ?? found;
  };
  const sums = new Map<string, { -readonly [Key in keyof ModelCosts]: ModelCosts[Key] } & { sum: ExactSum }>();
  for (let at = 0; at < total; at++) {
    if (states[at] === waitingState || states[at] === skippedState || times[at] === reusedTime) continue;
    const isCharged = promptTokens[at] !== unknownTokens || completionTokens[at] !== unknownTokens;
    if (!isInOutput(states[at]) && !isCharged) continue;
    const answered = modelOf(at);
    const model = asked.get(answered) ?? nameModel(answered);
    asked.set(answered, model);
    const sum = sums.get(model) ?? { ...noModelCosts, model, sum: createExactSum() };
    sums.set(model, sum);
    const cost = costs(at);
    if (isInOutput(states[at])) sum.answers += 1;
    if (Number.isNaN(cost)) sum.unknown += 1;
    else {
      sum.known += 1;
      sum.sum.add(cost);
    }
    sum.promptTokens += known(promptTokens[at]);
    sum.cachedTokens += known(cachedTokens[at]);
    sum.cacheWriteTokens += bills.get(at)?.cacheWriteTokens ?? 0;
    sum.completionTokens += known(completionTokens[at]);
  }
  return Array.from(sums.values(), ({ sum, ...costsOf }) => ({ ...costsOf, usd: sum.value() }));
}

const noModelCosts = {
  answers: 0,
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  usd: 0,
  known: 0,
  unknown: 0,
};

type ExactSum = ReturnType<typeof createExactSum>;

const noCounts = () => ({ lines: 0, reused: 0, unknown: 0, reported: 0, isCeiling: false });

const [micro, femto] = [1e6, 1e9];

/** A sum of dollars that is the same in whatever order they come: of whole millionths, and of whole parts of these. */
export function createExactSum() {
  let whole = 0;
  let parts = 0;
  return {
    add(usd: number): void {
      const scaled = usd * micro;
      const millionths = Math.floor(scaled);
      whole += millionths;
      parts += Math.round((scaled - millionths) * femto);
      whole += Math.floor(parts / femto);
      parts %= femto;
    },
    value: () => (whole + parts / femto) / micro,
  };
}
