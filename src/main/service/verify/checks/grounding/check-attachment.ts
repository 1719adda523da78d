import { isCalendarWord, type NumberMention, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { readBirths } from "./births.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import { isExtractive } from "./is-extractive.ts";
import { findWord, separates } from "./number-places.ts";
import { isYear } from "./numbers.ts";
import type { QuestionKind } from "./question.ts";
import { rankNumbers } from "./rank-numbers.ts";

const reach = 7;

/** A number of the passage with the words that say what it is of. */
interface Attached {
  readonly number: NumberMention;
  readonly about: ReadonlySet<string>;
  /** The names beside it. */
  readonly names: ReadonlySet<string>;
  readonly at: number;
}

/**
 * A number that stands in the passage has to be of the same thing there: not the year of the sale where the response
 * speaks of the start, if the passage has another year for that.
 */
export function checkAttachment(context: Context): readonly Finding[] {
  const found = checkNumbersApart(context);
  return found.length > 0 ? found : rankNumbers(context);
}

/** Questions that ask for a number, or for whatever the text has. What a response adds to a name, it says in words of its own. */
const kinds = new Set<QuestionKind>(["when", "how-many", "open"]);

function checkNumbersApart(context: Context): readonly Finding[] {
  const { answer, numbers, question } = context;
  if (!kinds.has(question.kind)) return [];
  if (numbers.length < 2 || numbers.length > 200) return [];
  // A date of birth that the passage has in brackets stands beside no "born"; whose it is, another part tells.
  const births = readBirths(answer.text.text, answer.words);
  const said = answer.numbers.filter(
    ({ isInPassage, isAsked, mention }) =>
      isInPassage &&
      !isAsked &&
      mention.kind === "cardinal" &&
      !births.some(({ start, end }) => mention.start >= start && mention.end <= end),
  );
  if (said.length === 0) return [];
  const attached = numbers.map((number) => attach(context.evidence, number));
  return said.flatMap(({ mention }) => checkNumber(context, mention, attached) ?? []);
}

function checkNumber(context: Context, said: NumberMention, attached: readonly Attached[]): Finding | null {
  const own = attached.filter(({ number }) => number.value === said.value);
  const rivals = attached.filter(
    ({ number }) => number.value !== said.value && isSameKind(context, number, own[0]?.number ?? said),
  );
  if (own.length === 0 || rivals.length === 0) return null;
  const claim = readClaim(context, said);
  if (claim.size === 0 || !isOfAskedKind(context, said)) return null;
  const support = Math.max(...own.map(({ about }) => overlap(claim, about)));
  const rival = rivals.toSorted((a, b) => overlap(claim, b.about) - overlap(claim, a.about))[0];
  if (!rival || overlap(claim, rival.about) === 0) return null;
  // The names of the question beside the number speak for it more than verbs that mean the same speak against it.
  const asked = new Set(context.question.words.filter(({ isCapital }) => isCapital).map(({ key }) => key));
  const namesOf = (some: readonly Attached[]) => Math.max(...some.map(({ names }) => overlap(asked, names)));
  if (namesOf(own) > namesOf([rival])) return null;
  if (support > 0 && !isOfAskedDeed(context, own, rival)) return null;
  if (own.some((one) => mayShare(context, rival, one)) && overlap(claim, rival.about) < claim.size) return null;
  const { text } = context.answer.text;
  const { source } = context.evidence;
  const shown = quote(source.text.text.slice(rival.number.start, rival.number.unit?.end ?? rival.number.end));
  const reason = `${context.subject} has ${shown} for this; ${quote(text.slice(said.start, said.end))} is said of something else.`;
  return createFinding("contradicted", { start: said.start, end: said.unit?.end ?? said.end }, reason, [
    sentenceSpan(context.evidence, rival.at),
  ]);
}

/** "When did the bridge open?": of two years in the passage, the one beside "opened", not the other, where only one is. */
function isOfAskedDeed({ question }: Context, own: readonly Attached[], rival: Attached): boolean {
  if (question.kind !== "when") return false;
  const deed = question.words.findLast(isPredicate);
  const root = deed?.root;
  return root !== undefined && rival.about.has(root) && !own.some(({ about }) => about.has(root));
}

/** "… the frame for ten years and the saddle for two": what stands before the first number may go for both. */
function mayShare({ evidence: { words } }: Context, first: Attached, second: Attached): boolean {
  return first.at < second.at && words[first.at]?.sentence === words[second.at]?.sentence;
}

/** How many years there are is not answered by a year: one that is said there explains the answer. */
function isOfAskedKind({ question }: Context, said: NumberMention): boolean {
  return question.kind !== "how-many" || !isYear(said);
}

/** What the response says the number is of; a short answer says it of what the question asks. */
function readClaim(context: Context, said: NumberMention): ReadonlySet<string> {
  const { answer, question } = context;
  const at = findWord(answer.words, said.start);
  const near = answer.words.slice(Math.max(0, at - reach), at + reach);
  const own = near.filter((word) => word.sentence === answer.words[at]?.sentence && isPredicate(word));
  if (own.length > 0) return new Set(own.map(({ root }) => root));
  if (!isExtractive(context)) return new Set();
  const asking = question.words.findLastIndex(({ norm }) => /^(what|which|when|how|where)$/.test(norm));
  const predicates = question.words.filter((word, index) => isPredicate(word) && Math.abs(index - asking) <= reach);
  const last = question.words.findLast(isPredicate);
  return new Set([...predicates, ...(last ? [last] : [])].map(({ root }) => root));
}

function overlap(claim: ReadonlySet<string>, about: ReadonlySet<string>): number {
  let count = 0;
  for (const key of claim) if (about.has(key)) count += 1;
  return count;
}

/** The words around a number, up to the end of its part of the sentence and to the next number. */
function attach(evidence: Evidence, number: NumberMention): Attached {
  const { words, source } = evidence;
  const at = findWord(words, number.start);
  const about = new Set<string>();
  const names = new Set<string>();
  for (const step of [-1, 1]) {
    for (let index = at + step; Math.abs(index - at) <= reach; index += step) {
      const word = words[index];
      const nearer = words[index - step];
      if (!word || !nearer || word.sentence !== words[at]?.sentence) break;
      const gap =
        step < 0 ? source.text.text.slice(word.end, nearer.start) : source.text.text.slice(nearer.end, word.start);
      if (separates(gap, word, step)) break;
      if (word.isNumber && Math.abs(index - at) > 1 && !isCalendarWord(nearer.norm)) break;
      if (word.isCapital && !isCalendarWord(word.norm)) names.add(word.key);
      else if (isPredicate(word)) about.add(word.root);
    }
  }
  return { number, about, names, at };
}

function isPredicate(word: Word): boolean {
  return !word.isCapital && !word.isNumber && !word.isNeutral && word.norm.length > 2;
}

/** Years with years, percentages with percentages, kilometres with kilometres, items with the same items. */
function isSameKind(context: Context, a: NumberMention, b: NumberMention): boolean {
  if (isYear(a) || isYear(b)) return isYear(a) && isYear(b);
  if (a.isPercent || b.isPercent) return a.isPercent && b.isPercent;
  if (a.currency || b.currency) return a.currency === b.currency;
  if (a.unit && b.unit) return a.unit.unit.dimension === b.unit.unit.dimension;
  if (a.unit || b.unit || context.question.kind !== "how-many" || a.isWord !== b.isWord) return false;
  const { text } = context.evidence.source.text;
  return counted(text, a) !== "" && counted(text, a) === counted(text, b);
}

/** The word after a number: what it counts. */
function counted(text: string, { end }: NumberMention): string {
  return /^\s(\p{L}{3,24})/u.exec(text.slice(end, end + 26))?.[1]?.toLowerCase() ?? "";
}
