import type { NumberMention } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { readSection } from "./compare-dates.ts";
import { readPair } from "./compare-options.ts";
import { type Context, createFinding } from "./context.ts";
import { sentenceSpan } from "./evidence.ts";
import { longestAnswer } from "./is-extractive.ts";
import { compareMoments, type Moment } from "./moments.ts";
import { readManner } from "./numbers.ts";

/** "How old was Ann Lee when she died?": how old the one became, by the days of birth and death that the text gives. */
export function checkAges(context: Context): readonly Finding[] {
  const { answer, evidence } = context;
  if (answer.isAbstaining || answer.words.length > longestAnswer || !asksForAge(context)) return [];
  const [said, ...more] = answer.numbers.filter(({ mention }) => mayBeAge(mention, answer.words.length <= farthest));
  const life = said && more.length === 0 ? findLife(context) : null;
  if (!said || life === null || readManner(answer.text.text, said.mention) !== "exact") return [];
  const [birth, death] = life;
  const isBefore = death.month < birth.month || (death.month === birth.month && death.day < birth.day);
  const age = death.year - birth.year - (isBefore ? 1 : 0);
  const { start, end, value } = said.mention;
  if (value === age) return [];
  const reason = `By the days of birth and death in the ${evidence.source.noun}, it is ${age}.`;
  return [createFinding("contradicted", { start, end }, reason, [sentenceSpan(evidence, birth.at)])];
}

const asking = /^(?:how old|(?:at )?what age)\b.*\b(?:die|died|death)$/;
const asked = new Set(
  "how old was when he she they at what age did die died the time of his her their death".split(" "),
);

/** Nothing else may be asked: neither "his wife" nor "in the film". */
function asksForAge({ question: { words, names, all } }: Context): boolean {
  const [name] = names;
  if (!name || names.length > 1 || !asking.test(words.map(({ norm }) => norm).join(" "))) return false;
  const own = new Set(all.slice(name.from, name.to));
  return words.every((word) => own.has(word) || asked.has(word.norm));
}

/** In words: of a longer answer, "years" has to say that it is the age. */
const farthest = 12;
const oldest = 130;

/** "70", "70 years": no year, no day of a month. */
function mayBeAge({ kind, isPercent, value, unit }: NumberMention, isShort: boolean): boolean {
  if (kind !== "cardinal" || isPercent || value > oldest) return false;
  return unit === null ? isShort : unit.unit.name === "yr";
}

/** The days of birth and death of the one that the question names; null where the text has another age or other days, too. */
function findLife(context: Context): readonly [Moment, Moment] | null {
  const { question, evidence, numbers } = context;
  const [name] = question.names;
  if (!name || numbers.some(({ unit, start }) => unit?.unit.name === "yr" || isAged(context, start))) return null;
  const [one] = readPair(context, [name, { from: name.to, to: name.to, isSure: true }]);
  const moments = readSection(evidence, one);
  const [birth, death] = ["birth", "death"].map((of) => findOnly(moments.filter((moment) => moment.of === of)));
  return birth && death ? [birth, death] : null;
}

/** "Aged 71", "at the age of 71". */
function isAged({ evidence }: Context, start: number): boolean {
  return /\bage[d]?(?: of)? $/.test(evidence.source.text.text.slice(Math.max(0, start - 10), start));
}

/** The one day that some moments give. */
function findOnly(moments: readonly Moment[]): Moment | null {
  const [only] = moments;
  return only && only.day > 0 && moments.every((moment) => compareMoments(moment, only) === 0) ? only : null;
}
