import { remember } from "../../../../../remember.ts";
import type { Word } from "../../../../../text/index.ts";
import { type Dimension, findUnit } from "../../../../../text/units.ts";
import type { Question } from "../../../question.ts";
import { isTelling, readWanted } from "../../read-wanted.ts";

/** What a number says something of: a dimension, or how it is put. */
export type Measure = Exclude<Dimension, "count"> | "percent" | "age" | "times";

/** What a question wants to have measured or counted. */
export interface AskedMeasure {
  /** Any of these would do; none where it doesn't say. */
  readonly measures: ReadonlySet<Measure>;
  /** "How many wooden seats": the words for what is counted. */
  readonly counted: readonly Word[];
}

const byAdjective: ReadonlyMap<string, readonly Measure[]> = new Map([
  ["old", ["age"]],
  ["long", ["length", "time"]],
  ["far", ["length"]],
  ["high", ["length"]],
  ["tall", ["length"]],
  ["deep", ["length"]],
  ["wide", ["length"]],
  ["thick", ["length"]],
  ["big", ["area", "length"]],
  ["large", ["area", "length"]],
  ["heavy", ["mass"]],
  ["fast", ["speed"]],
  ["quickly", ["time", "speed"]],
  ["hot", ["temperature"]],
  ["cold", ["temperature"]],
  ["warm", ["temperature"]],
  ["often", ["times"]],
  ["frequently", ["times"]],
]);

const nouns: Readonly<Record<Measure, string>> = {
  length: "length distance height depth width elevation altitude diameter size",
  mass: "weight mass",
  time: "duration runtime",
  volume: "volume capacity",
  area: "area size",
  speed: "speed",
  data: "",
  money: "price cost costs fee salary rent deposit budget amount charge charged pay paid worth premium fine",
  temperature: "temperature",
  percent: "percentage percent share proportion rate discount",
  age: "age",
  times: "",
};

const byNoun: ReadonlyMap<string, readonly Measure[]> = gather();

function gather(): ReadonlyMap<string, readonly Measure[]> {
  const found = new Map<string, Measure[]>();
  for (const measure of Object.keys(nouns).filter(isMeasure)) {
    for (const noun of nouns[measure].split(" ")) found.set(noun, [...(found.get(noun) ?? []), measure]);
  }
  found.delete("");
  return found;
}

function isMeasure(name: string): name is Measure {
  return name in nouns;
}

const longestCounted = 5;

/** What is measured, from the word after "how" or the noun that is asked for. */
export const readAskedMeasure = remember((question: Question): AskedMeasure => {
  const { words } = question;
  const wanted = readWanted(question);
  const how = words.findIndex(({ norm }) => norm === "how");
  const next = words[how + 1]?.norm ?? "";
  if (how !== -1 && (next === "many" || next === "much")) {
    const counted = readCounted(words.slice(how + 2, how + 2 + longestCounted));
    return {
      measures: new Set(next === "much" && counted.length === 0 ? measuresOfMuch : measuresOf(counted)),
      counted,
    };
  }
  const measures = how === -1 ? [] : (byAdjective.get(next) ?? []);
  if (measures.length > 0 || how !== -1) return { measures: new Set(measures), counted: [] };
  const { head, at } = wanted;
  const after = head === null && at !== -1 ? words.slice(at + 1).find(isTelling) : undefined;
  const noun = head ?? after;
  return { measures: new Set(noun ? (byNoun.get(noun.norm) ?? []) : []), counted: [] };
});

const measuresOfMuch: readonly Measure[] = ["money", "percent", "mass", "volume"];

/** The noun with what stands before it: "wooden seats", "days" of "days of leave". */
function readCounted(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(({ isFunction }) => isFunction);
  return words.slice(0, end === -1 ? undefined : end).filter(({ isNumber }) => !isNumber);
}

/** "How many metres", "how many times". */
function measuresOf(counted: readonly Word[]): readonly Measure[] {
  for (const { norm } of counted) {
    if (norm === "times") return ["times"];
    const dimension = findUnit(norm)?.dimension;
    if (dimension !== undefined && isMeasure(dimension)) return [dimension];
  }
  return [];
}
