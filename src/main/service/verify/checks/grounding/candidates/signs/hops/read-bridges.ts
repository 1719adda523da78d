import type { Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import { hasWord, type Sentence } from "../../index-sentences.ts";
import type { AskedWord } from "../../read-asked.ts";
import { type Candidate, type Mention, ownKeys } from "../../read-candidates.ts";
import { readHead, type WantedKind } from "../../wanted-kinds.ts";
import { keysOf, measureDistance } from "../measure-distance.ts";
import { type Nature, readNature } from "../read-nature.ts";
import { measureCalling, readCalling } from "./measure-calling.ts";

/** Who may be meant by what a question describes without naming it: "the director of the 1973 film". */
export interface Bridges {
  /** The few candidates that fit best, by their indexes, the best first. */
  readonly best: readonly number[];
  /** How well a candidate fits: from 0 to 1, and 1 only where nobody fits better and much of the description is found. */
  readonly fit: (index: number) => number;
}

const mostBridges = 5;
const leastFit = 0.1;
/** From this fit on, the best surely is meant. */
const sureFit = 0.5;
const reach = 14;
/** After so many words, nearness falls to a third. */
const fall = 5;
/** What a word of the description counts elsewhere in a sentence about a candidate, and in one that only has it. */
const [inOwnSentence, inSentence] = [0.8, 0.4];
/** Of those about one candidate, so many sentences are looked at. */
const mostSentences = 24;
/** What is left of a fit where nothing calls the candidate what the question calls it. */
const uncalled = 0.4;

/** Who fits a description best, by its words beside each name and in the sentences about it. */
export function readBridges(
  context: Context,
  description: readonly AskedWord[],
  head: Word,
  candidates: readonly Candidate[],
  sentences: ReadonlyMap<number, Sentence>,
  topics: ReadonlyMap<number, number>,
): Bridges {
  const { evidence } = context;
  const telling = description.filter(({ key }) => key !== head.key);
  const kind = readHead([head])?.kind ?? "other";
  const isCalled = readCalling(head);
  const owns = candidates.map(ownKeys);
  const aboutEach = groupByTopic(topics);
  // A sentence about somebody has their name, even where it says "she".
  const isIn = (places: readonly number[], word: AskedWord): boolean =>
    places.some((at) => {
      const keys = sentences.get(at)?.keys;
      return (keys !== undefined && hasWord(keys, word)) || owns[topics.get(at) ?? -1]?.has(word.key) === true;
    });
  const fits = candidates.map((candidate, index) => {
    if (candidate.kind !== "name") return 0;
    const about = aboutEach.get(index) ?? [];
    const others = candidate.mentions.map(({ sentence }) => sentence);
    const found = shareFound(evidence.words, candidate.mentions, telling, (word) => {
      if (owns[index]?.has(word.key)) return 0;
      return isIn(about, word) ? inOwnSentence : isIn(others, word) ? inSentence : 0;
    });
    if (found === 0) return 0;
    const own = about.flatMap((at) => sentences.get(at) ?? []);
    const called = measureCalling(evidence.words, candidate.mentions, own, isCalled);
    const tie = measureTie(candidate.mentions, index, topics, about.length > 0);
    const fit = found * (uncalled + (1 - uncalled) * called) * tie;
    // What somebody is takes longest to tell, and is told of those alone who may be meant.
    return fit > leastFit ? fit * measureKind(kind, readNature(context, candidate, own)) : fit;
  });
  const best = [...fits.keys()]
    .filter((index) => (fits[index] ?? 0) > leastFit && !isNamed(evidence.asked, candidates[index]))
    .toSorted((a, b) => (fits[b] ?? 0) - (fits[a] ?? 0))
    .slice(0, mostBridges);
  const most = fits[best[0] ?? -1] ?? 0;
  const trust = Math.min(1, most / sureFit);
  return { best, fit: (index) => (most === 0 ? 0 : Math.min(1, (fits[index] ?? 0) / most) * trust) };
}

/** How much of a description is found: the more of a word, the nearer to a name it stands; `isIn` says what it counts farther away. */
function shareFound(
  words: readonly Word[],
  mentions: readonly Mention[],
  description: readonly AskedWord[],
  isIn: (word: AskedWord) => number,
): number {
  const far = description.map(isIn);
  // Most have nothing of the description: that is told first.
  if (far.every((value) => value === 0)) return 0;
  const keys = keysOf(description);
  const distances = mentions.map((mention) => measureDistance(words, mention, reach, keys));
  let [found, total] = [0, 0];
  for (const [at, word] of description.entries()) {
    const least = far[at] ?? 0;
    total += word.weight;
    if (least > 0)
      found += word.weight * Math.max(least, ...distances.map((measure) => Math.exp(-measure(word) / fall)));
  }
  return found / total;
}

function groupByTopic(topics: ReadonlyMap<number, number>): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [sentence, topic] of topics) {
    const group = groups.get(topic);
    if (group === undefined) groups.set(topic, [sentence]);
    else if (group.length < mostSentences) group.push(sentence);
  }
  return groups;
}

/** Whom the question names it does not describe. */
function isNamed(asked: ReadonlySet<string>, candidate: Candidate | undefined): boolean {
  return candidate?.forms.some((form) => asked.isSupersetOf(form)) ?? true;
}

/** Two steps mostly go by one whom a sentence about another mentions, and whom other sentences are about. */
function measureTie(
  mentions: readonly Mention[],
  index: number,
  topics: ReadonlyMap<number, number>,
  isSubject: boolean,
): number {
  if (!isSubject) return 1;
  return mentions.some(({ sentence }) => topics.get(sentence) !== index) ? 2 : 1.3;
}

/** A director is somebody, a film is nobody. */
function measureKind(kind: WantedKind, { person, isPlace, isQuoted, isDated, isDemonym }: Nature): number {
  if (isDemonym) return 0.3;
  if (kind === "person") return isQuoted || (isPlace && person < 1) ? 0.3 : 0.5 + person / 2;
  if (kind === "title") return isQuoted || isDated ? 1 : person > 0.5 ? 0.3 : 0.7;
  return kind !== "other" && person > 0.5 ? 0.4 : 1;
}
