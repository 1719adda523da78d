/**
 * `node bench/verify-accuracy.ts`: how often the grounding check is right on questions about a text, as docs/verify-accuracy.md
 * has it: answers as they stand, in other phrasings, cut short, made of the text's own words, and without each part of the
 * check. `--items FILE` takes other items of the same form.
 */
import { parseArgs } from "node:util";
import {
  createGroundingCheck,
  type GroundingPart,
  groundingParts,
} from "../src/main/service/verify/checks/grounding/index.ts";
import type { Check } from "../src/main/service/verify/index.ts";
import {
  type Item,
  rate,
  readItems,
  type Share,
  scoreCuts,
  scorePhrasings,
  scorePlain,
  scoreSwaps,
  scoreVariants,
  splitItems,
  sum,
  type Way,
} from "../src/main/service/verify/measure/index.ts";

const { values } = parseArgs({ options: { items: { type: "string" } } });
const sets = Object.entries(values.items === undefined ? readOwn() : { given: readItems(values.items) });
const ways: readonly Way[] = ["prompt", "document"];
const check = createGroundingCheck();

console.log("\nAs they stand, and cut to their wrong part\n");
console.table(sets.flatMap(([name, items]) => ways.map((way) => describeSet(name, items, way))));

console.log("\nFalse alarms by phrasing, with the text in the prompt\n");
const phrased = sets.map(([name, items]) => [name, scorePhrasings(check, items, "prompt")] as const);
console.table(
  [...(phrased[0]?.[1].keys() ?? [])].map((phrasing) => ({
    phrasing,
    ...Object.fromEntries(phrased.map(([name, shares]) => [name, show(shares.get(phrasing) ?? { found: 0, of: 0 })])),
  })),
);

console.log("\nWithout one part of the check, with the text in the prompt\n");
console.table([null, ...Object.keys(groundingParts)].map((part) => ablate(part)));

/** HaluEval's items and our own, each with those that were only measured on: bench/questions/README.md says which are which. */
function readOwn(): Record<string, readonly Item[]> {
  const { seen, held } = splitItems(readItems(new URL("../examples/halueval-qa-200.jsonl", import.meta.url)));
  const read = (name: string): readonly Item[] => readItems(new URL(`./questions/${name}.jsonl`, import.meta.url));
  return { seen, held, reviewed: read("reviewed"), "own, held": read("held-out") };
}

function describeSet(name: string, items: readonly Item[], way: Way): Record<string, string> {
  const { balanced, falseAlarms, recall } = scorePlain(check, items, way);
  return {
    items: `${name}, ${items.length}`,
    "text in": way,
    balanced: balanced.toFixed(3),
    "false alarms": show(falseAlarms),
    recall: show(recall),
    "phrasings' false alarms": show(sum(scorePhrasings(check, items, way).values())),
    "in other words": show(scoreVariants(check, items, way)),
    "shortest part": show(scoreCuts(check, items, way)),
    "own words": show(scoreSwaps(check, items, way)),
  };
}

function ablate(part: string | null): Record<string, string> {
  const partial: Check = createGroundingCheck(part === null ? [] : [part as GroundingPart]);
  const columns = sets.map(([name, items]) => {
    const { balanced, falseAlarms, recall } = scorePlain(partial, items, "prompt");
    const cuts = scoreCuts(partial, items, "prompt");
    return [
      name,
      `${balanced.toFixed(3)} (${falseAlarms.found} false, ${recall.found} found, ${cuts.found} cut)`,
    ] as const;
  });
  return { without: part ?? "nothing", ...Object.fromEntries(columns) };
}

function show(share: Share): string {
  return `${(100 * rate(share)).toFixed(1)} % of ${share.of}`;
}
