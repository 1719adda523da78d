import { isNeutralWord, type Word } from "../../text/index.ts";
import type { Compared, Decision } from "./compare-options.ts";
import type { Context } from "./context.ts";
import { type Direction, directionOf } from "./directions.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import { compareMoments, type Moment, readMoments } from "./moments.ts";

/** What of the two is compared: their lives' beginnings or ends, how old things are, or when some deed was done. */
type Occasion = "birth" | "death" | "life" | "age" | "beginning" | "deed";

const beginnings = new Set(
  "founded established started launched created made built opened released published premiered formed introduced written completed finished constructed began begun come came comes appear appeared issued invented set".split(
    " ",
  ),
);
/** In sentences, for each of the two. */
const farthest = 40;
/** In words, from the deed to its date. */
const reach = 8;
/** In words, from the date to the deed. */
const reachAfter = 2;

/** Which of two came first or last. */
export function compareDates(
  context: Context,
  pair: readonly [Compared, Compared],
  words: readonly Word[],
  direction: Direction,
): Decision | null {
  const occasion = resolveAge(context, pair, readOccasion(words));
  const deeds = occasion === "deed" || occasion === "beginning" ? findDeeds(context, words, pair) : [];
  const moments = pair.map((one) => findMoment(context.evidence, one, occasion, deeds)) as [
    Moment | null,
    Moment | null,
  ];
  const [a, b] = moments;
  if (!a || !b) return occasion === "beginning" ? compareTenses(context, pair, moments, direction) : null;
  const order = compareMoments(a, b);
  const isFirst = order < 0 === (direction === "earliest");
  return {
    winner: order === 0 ? null : isFirst ? 0 : 1,
    reason: `${context.subject} gives ${quoteMoment(a)} for ${pair[0].text} and ${quoteMoment(b)} for ${pair[1].text}.`,
    evidence: [sentenceSpan(context.evidence, a.at), sentenceSpan(context.evidence, b.at)],
    years: a.isCentury || b.isCentury ? null : Math.abs(a.year - b.year),
  };
}

function quoteMoment({ year, isCentury }: Moment): string {
  return isCentury ? `century ${Math.ceil(year / 100)}` : `${year}`;
}

/** "Which is older" may be asked of people and of things: of people where both have a date of birth. */
function resolveAge(
  { evidence }: Context,
  pair: readonly [Compared, Compared],
  occasion: Occasion,
): Exclude<Occasion, "age"> {
  if (occasion !== "age") return occasion;
  return pair.every((one) => findMoment(evidence, one, "birth", [])) ? "birth" : "beginning";
}

function readOccasion(words: readonly Word[]): Occasion {
  const norms = words.map(({ norm }) => norm);
  const has = (pattern: RegExp): boolean => norms.some((norm) => pattern.test(norm));
  if (has(/^(die|dies|died|death|killed)$/)) return "death";
  if (has(/^(born|birth|birthday|birthdate)$/)) return "birth";
  const isPerson = has(/^(who|whom|whose)$/);
  if (has(/^(live|lived|lives)$/)) return "life";
  if (has(/^(older|oldest|elder|eldest|younger|youngest)$/)) return isPerson ? "birth" : "age";
  return !isPerson && norms.some((norm) => beginnings.has(norm)) ? "beginning" : "deed";
}

/** The roots of the words that say what was done, or got ("Nobel"): not those of the two, nor what they are, nor those that compare. */
function findDeeds(
  { question }: Context,
  words: readonly Word[],
  pair: readonly [Compared, Compared],
): readonly string[] {
  const types = new Set(question.types);
  return words
    .filter((word) => !types.has(word))
    .filter(
      ({ key, norm, isNumber }) =>
        !isNumber &&
        directionOf(norm) === undefined &&
        !(isNeutralWord(norm) && !beginnings.has(norm)) &&
        !pair.some(({ keys }) => keys.has(key)),
    )
    .map(({ root }) => root);
}

function findMoment(
  evidence: Evidence,
  one: Compared,
  occasion: Exclude<Occasion, "age">,
  deeds: readonly string[],
): Moment | null {
  const all = readSection(evidence, one);
  if (occasion === "birth" || occasion === "death") {
    return (
      all.find(({ of }) => of === occasion) ??
      (occasion === "birth"
        ? (all.find(({ isSpan }) => isSpan) ?? null)
        : (all.filter(({ isSpan }) => isSpan)[1] ?? null))
    );
  }
  if (occasion === "life") return all.find(({ of }) => of !== "death") ?? null;
  const events = all.filter(({ of }) => of === "event");
  const done = events.find(({ at }) => isBesideDeed(evidence, at, deeds));
  if (done) return done;
  if (occasion === "beginning") return events.find(({ at }) => !isAfterOther(evidence, at)) ?? null;
  const [only] = events;
  return only && !only.isSpan && events.every((moment) => compareMoments(moment, only) === 0) ? only : null;
}

const others = new Set(
  "closed demolished destroyed renamed sold dissolved ended disbanded merged acquired renovated restored rebuilt reopened moved won awarded nominated retired burned visited bought".split(
    " ",
  ),
);
const otherReach = 4;

/** Whether a date is of something later in the life of a thing: "closed in 1950". */
function isAfterOther({ words }: Evidence, at: number): boolean {
  return words
    .slice(Math.max(0, at - otherReach), at)
    .some(({ norm, sentence }) => sentence === words[at]?.sentence && others.has(norm));
}

/** "Received the prize in 1964", "shared the 1962 prize". */
function isBesideDeed({ words }: Evidence, at: number, deeds: readonly string[]): boolean {
  const sentence = words[at]?.sentence;
  return words
    .slice(Math.max(0, at - reach), at + 1 + reachAfter)
    .some((word) => word.sentence === sentence && deeds.includes(word.root));
}

/** The moments of all that a passage says of one, from where it has the whole name on. */
export function readSection(evidence: Evidence, { whole, section }: Compared): readonly Moment[] {
  const named = whole.flatMap(({ sentence, to }) => readMoments(evidence, to, endOf(evidence, sentence)));
  const rest = [...(section.first === null ? [] : [section.first]), ...section.sentences]
    .slice(0, farthest)
    .flatMap((sentence) => readMoments(evidence, startOf(evidence, sentence), endOf(evidence, sentence)));
  return [...named, ...rest];
}

function startOf(evidence: Evidence, sentence: number): number {
  const first = evidence.sentences.get(sentence)?.[0];
  return first
    ? (evidence.positions.get(first.key)?.find((at) => evidence.words[at] === first) ?? evidence.words.indexOf(first))
    : 0;
}

function endOf(evidence: Evidence, sentence: number): number {
  return startOf(evidence, sentence) + (evidence.sentences.get(sentence)?.length ?? 0);
}

/** Where only one has a date, the one that is told as past came before the one that still is. */
function compareTenses(
  context: Context,
  pair: readonly [Compared, Compared],
  moments: readonly [Moment | null, Moment | null],
  direction: Direction,
): Decision | null {
  const dated = moments[0] ? 0 : moments[1] ? 1 : null;
  const moment = moments[0] ?? moments[1];
  if (dated === null || !moment) return null;
  const other = dated === 0 ? 1 : 0;
  const isPast = firstVerb(context.evidence, pair[dated]) === "was";
  const isPresent = firstVerb(context.evidence, pair[other]) === "is";
  if (!isPast || !isPresent || readSection(context.evidence, pair[other]).length > 0) return null;
  return {
    winner: direction === "earliest" ? dated : other,
    reason: `${context.subject} has ${pair[dated].text} in ${quoteMoment(moment)}, and ${pair[other].text} as still there.`,
    evidence: [sentenceSpan(context.evidence, moment.at)],
    years: null,
  };
}

function firstVerb({ sentences }: Evidence, { section }: Compared): string | undefined {
  const words = section.first === null ? [] : (sentences.get(section.first) ?? []);
  return words.find(({ norm }) => norm === "is" || norm === "was" || norm === "are" || norm === "were")?.norm;
}
