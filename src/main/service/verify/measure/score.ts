import { readText } from "../text/index.ts";
import type { Check } from "../types.ts";
import { cutWrongAnswer } from "./cuts.ts";
import type { Item } from "./items.ts";
import { phrasings } from "./phrasings.ts";
import { swapAnswers } from "./swaps.ts";

/** Where the text of an item stands: before the question in the prompt, or in a document of its own. */
export type Way = "prompt" | "document";

/** How many of how many. */
export interface Share {
  readonly found: number;
  readonly of: number;
}

export interface Score {
  /** Right answers that were called wrong. */
  readonly falseAlarms: Share;
  /** Wrong answers that were found. */
  readonly recall: Share;
  /** The mean of the two shares that came out as they should. */
  readonly balanced: number;
}

/** Whether a check finds something wrong with a response. */
function isFlagged(check: Check, item: Item, response: string, way: Way): boolean {
  const reading = {
    prompt: readText("prompt", way === "prompt" ? `${item.knowledge}\n${item.question}` : item.question),
    response: readText("response", response),
    document: way === "prompt" ? null : readText("document", item.knowledge),
  };
  return check(reading).some(({ verdict }) => verdict === "contradicted");
}

/** The answers of the items as they stand. */
export function scorePlain(check: Check, items: readonly Item[], way: Way): Score {
  const falseAlarms = share(items.map((item) => isFlagged(check, item, item.right, way)));
  const recall = share(items.map((item) => isFlagged(check, item, item.wrong, way)));
  return { falseAlarms, recall, balanced: (1 - rate(falseAlarms) + rate(recall)) / 2 };
}

/** False alarms of the right answers in each phrasing, by its name. */
export function scorePhrasings(check: Check, items: readonly Item[], way: Way): ReadonlyMap<string, Share> {
  return new Map(
    phrasings.map(({ name, put }) => {
      const texts = items.flatMap((item) => {
        const text = put(item.right, item.question);
        return text === null ? [] : [isFlagged(check, item, text, way)];
      });
      return [name, share(texts)];
    }),
  );
}

/** False alarms of the right answers in other words, of items that have some. */
export function scoreVariants(check: Check, items: readonly Item[], way: Way): Share {
  return share(items.flatMap((item) => (item.variants ?? []).map((text) => isFlagged(check, item, text, way))));
}

/** Wrong answers that are found when they are cut to their shortest wrong part. */
export function scoreCuts(check: Check, items: readonly Item[], way: Way): Share {
  return share(items.map((item) => isFlagged(check, item, cutWrongAnswer(item), way)));
}

/** Wrong answers made of the text's own names and numbers that are found. */
export function scoreSwaps(check: Check, items: readonly Item[], way: Way): Share {
  return share(items.flatMap((item) => swapAnswers(item).map((answer) => isFlagged(check, item, answer, way))));
}

export function rate({ found, of }: Share): number {
  return of === 0 ? 0 : found / of;
}

/** All shares as one. */
export function sum(shares: Iterable<Share>): Share {
  let [found, of] = [0, 0];
  for (const each of shares) {
    found += each.found;
    of += each.of;
  }
  return { found, of };
}

function share(flags: readonly boolean[]): Share {
  return { found: flags.filter(Boolean).length, of: flags.length };
}
