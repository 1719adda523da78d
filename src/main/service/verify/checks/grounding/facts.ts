import { isCalendarWord, isDemonym, rootOf, stemWord, type Word } from "../../text/index.ts";

/**
 * Who or what stands to a deed as a sentence puts it: "directed by Ann Lee" and "Ann Lee directed" (the deed is "direct"),
 * "based in Rome" ("base in").
 */
export interface Agency {
  readonly deed: string;
  /** The words that name who or what it is: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Where the verb stands. */
  readonly at: number;
}

const mostAgents = 24;

/** Who is said to have done what, by sentences in the passive voice, and by a name right before its verb. */
export function readAgencies(words: readonly Word[]): readonly Agency[] {
  const found: Agency[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    const previous = words[at - 1];
    if (!word || !previous || word.sentence !== previous.sentence) continue;
    const isBy = word.isFunction && word.norm === "by";
    if (isBy && isDeed(previous)) {
      const to = endOfAgents(words, at + 1);
      if (to > at + 1) found.push({ deed: deedOf(previous), from: at + 1, to, at: at - 1 });
    } else if (isBy && /^(is|are|was|were)$/.test(previous.norm)) {
      const thing = words[at - 2];
      const to = endOfAgents(words, at + 1);
      if (thing && isDeed(thing) && to > at + 1) found.push({ deed: deedOf(thing), from: at + 1, to, at: at - 2 });
    } else if (isBy && previous.isNumber) {
      const verb = findVerbBefore(words, at);
      const to = endOfAgents(words, at + 1);
      const deed = verb === null ? undefined : words[verb];
      if (verb !== null && deed && to > at + 1) found.push({ deed: deedOf(deed), from: at + 1, to, at: verb });
    } else if (word.isCapital && (previous.norm === "starring" || previous.norm === "featuring")) {
      found.push({ deed: deedOf(previous), from: at, to: endOfAgents(words, at), at: at - 1 });
    } else if (word.isFunction && prepositions.has(word.norm) && isLinked(previous)) {
      const to = endOfAgents(words, at + 1);
      if (to > at + 1) found.push({ deed: linkOf(previous, word), from: at + 1, to, at: at - 1 });
    } else if (previous.isCapital && word.isFunction && isModal(word) && isNamed(previous) && follows(words, at)) {
      const verb = words[at + 1];
      if (verb && verb.sentence === word.sentence && isDeed(verb)) {
        found.push({ deed: deedOf(verb), from: startOfName(words, at), to: at, at: at + 1 });
      }
    } else if (
      previous.isCapital &&
      follows(words, at) &&
      (isPast(word) || isPresent(word, words[at + 1])) &&
      isNamed(previous) &&
      !isDemonym(previous.norm) &&
      words[at + 1]?.norm !== "by"
    ) {
      found.push({ deed: deedOf(word), from: startOfName(words, at), to: at, at });
    }
  }
  return found;
}

/** Where the name before a verb starts: who did it is Ann Lee in "Ann Lee of Corvel founded", not Corvel. */
function startOfName(words: readonly Word[], end: number): number {
  const from = startOfRun(words, end);
  const [link, name] = [words[from - 1], words[from - 2]];
  const isOf = link?.sentence === words[end]?.sentence && /^(of|from)$/.test(link?.norm ?? "");
  return isOf && name !== undefined && isNamed(name) ? startOfRun(words, from - 1) : from;
}

function startOfRun(words: readonly Word[], end: number): number {
  let from = end - 1;
  for (let before = words[from - 1]; before && isNamed(before); before = words[from - 1]) {
    if (before.sentence !== words[end]?.sentence || end - from >= mostAgents) break;
    from -= 1;
  }
  return from;
}

/** Whether a verb comes right after a name, or after one that is set off: "the agent, Ms Lee, signs". */
function follows(words: readonly Word[], verb: number): boolean {
  const gap = gapBefore(words, verb);
  return gap === 1 || (gap === 2 && gapBefore(words, startOfName(words, verb)) === 2);
}

function gapBefore(words: readonly Word[], at: number): number {
  return (words[at]?.start ?? 0) - (words[at - 1]?.end ?? 0);
}

/** Of "Ms Lee will sign", "the Tenant shall pay". */
export function isModal({ norm }: Word): boolean {
  return /^(will|shall|must|may|can|should)$/.test(norm);
}

/** "Ms Lee suggests a …": with an article or the like after it, no plural of a noun. */
export function isPresent(word: Word, next: Word | undefined): boolean {
  return (
    isDeed(word) &&
    /[^s]s$/.test(word.norm) &&
    next !== undefined &&
    objects.has(next.norm) &&
    next.start === word.end + 1
  );
}

const objects = new Set("the a an his her its their all any each every that for".split(" "));

/** What is so, rather than what somebody did. */
const states = new Set(
  "star starred starring stars nominated based born located situated called known named used needed wanted died retired aged related married lived worked joined followed inspired accompanied surrounded bordered caused affected preceded succeeded played portrayed voiced appeared performed".split(
    " ",
  ),
);

const farthestVerb = 6;

/** The verb of "was signed on 12 June 1887 by". */
function findVerbBefore(words: readonly Word[], by: number): number | null {
  for (let at = by - 1; at >= Math.max(0, by - farthestVerb); at -= 1) {
    const word = words[at];
    if (!word || word.sentence !== words[by]?.sentence) return null;
    if (isPast(word)) return at;
  }
  return null;
}

export const prepositions: ReadonlySet<string> = new Set("in at for to from after with on near as".split(" "));

/** What a verb and its preposition share with the same in other sentences. */
export function linkOf(verb: Word, preposition: Word): string {
  return `${deedOf(verb)} ${preposition.norm}`;
}

/** What a verb and the nouns made from it share; not its synonyms: who wrote the play is not who composed the music. */
export function deedOf({ norm }: Pick<Word, "norm">): string {
  return rootOf(stemWord(norm));
}

/** A word of a name: not "She", nor the day it was. */
function isNamed({ isCapital, isFunction, norm }: Word): boolean {
  return isCapital && !isFunction && !isCalendarWord(norm);
}

function isLinked(word: Word): boolean {
  return (
    !word.isCapital && !word.isFunction && /(ed|born|held|built|set|made|known|found|written|sold|won)$/.test(word.norm)
  );
}

function isDeed(word: Word): boolean {
  return !word.isCapital && !word.isNumber && !word.isFunction && word.norm.length > 3 && !states.has(word.norm);
}

export function isPast(word: Word): boolean {
  return (
    !word.isCapital && !word.isFunction && !states.has(word.norm) && (word.norm.endsWith("ed") || pasts.has(word.norm))
  );
}

const pasts = new Set(
  "wrote won sang led held made built sold bought took gave began became met sent taught drew drove flew chose broke brought founded beat lost written sung drawn driven flown chosen broken given taken spoken shown known grown thrown worn begun done gone seen shot cut put set rose fell grew shrank sank".split(
    " ",
  ),
);

const joiners = new Set("and the of de da di du del van von der den la le el al y".split(" "));
/** In words: "by the English novelist and playwright Ann Lee". */
const longestDescription = 6;
const longestSeries = 3;

/** "Ann Lee, Bo Chen and the actor Cy Dee of Paris": names, with the small words between them. */
function endOfAgents(words: readonly Word[], from: number): number {
  const sentence = words[from]?.sentence;
  let [to, people] = [from, from];
  for (let at = from; at < Math.min(words.length, from + mostAgents); at += 1) {
    const word = words[at];
    if (!word || word.sentence !== sentence) break;
    if (to === from && isDemonym(word.norm)) people = at + 1;
    else if (word.isCapital && !(word.isFunction && to > from && !joiners.has(word.norm))) to = at + 1;
    else if (isPast(word) || ends.has(word.norm)) break;
    else if (to === from && at - from >= longestDescription) break;
    else if (to > from && !joiners.has(word.norm) && !isInSeries(words, to, at)) break;
  }
  return to > from ? to : people;
}

const ends = new Set(
  "in on at for from since until who which that whom whose starring as with so but while".split(" "),
);

/** "Ann Lee and bassist Bo Chen", "Leeds University student Ann Lee": between two names, few words that say who it is. */
function isInSeries(words: readonly Word[], last: number, at: number): boolean {
  const [before, next] = [words[last - 1], words[last]];
  if (!before || !next || at - last > longestSeries) return false;
  const isTitle = at === last && !next.isFunction && words[at + 1]?.isCapital === true;
  return isTitle || next.norm === "and" || isAfterComma(before, next);
}

function isAfterComma(previous: Word, word: Word): boolean {
  return word.start > previous.end + 1;
}
