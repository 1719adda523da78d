import type { Context } from "../../../context.ts";
import { hasWord, type Sentence } from "../../index-sentences.ts";
import { type Asked, type AskedWord, shareOf } from "../../read-asked.ts";
import { type Candidate, type Mention, ownKeys } from "../../read-candidates.ts";
import { relationsOf } from "../../relations.ts";
import { keysOf, measureDistance } from "../measure-distance.ts";
import { readClause } from "../read-clause.ts";
import { type Signs, strengthen } from "../sign-names.ts";
import { type Bridges, readBridges } from "./read-bridges.ts";
import { readTopics } from "./read-topics.ts";
import { type Split, splitQuestion } from "./split-question.ts";

/** So far to each side of a name something stands beside it. In words. */
const reach = 10;
/** After so many words, nearness falls to a third. */
const fall = 4;
/** So far to each side of a name something speaks of its relation. In words. */
const relationReach = 6;
/** A word that speaks of the same relation says less than the word itself. */
const relationShare = 0.6;
/** Whom a sentence only mentions has less to do with the rest of it than whom it is about. */
const mentionShare = 0.7;

interface Steps {
  /** What the words of both parts are compared by. */
  readonly keys: ReadonlySet<string>;
  readonly asked: readonly AskedWord[];
  readonly described: readonly AskedWord[];
  /** What the asked part speaks of. */
  readonly relations: readonly ReadonlySet<number>[];
}

/**
 * What speaks for and against each candidate where the question describes somebody and asks for something of them. Where it has
 * one step only, nothing does. The described is found first ("bridge"); what is asked stands beside them or in a sentence about them,
 * with the words of the asked part, while the words of the description stand beside the described.
 */
export function readHopSigns(
  context: Context,
  asked: Asked,
  candidates: readonly Candidate[],
  sentences: ReadonlyMap<number, Sentence>,
): readonly Signs[] {
  const { split } = splitQuestion(context.question);
  if (split === null) return candidates.map(() => ({}));
  const steps = readSteps(split, asked);
  const topics = readTopics(sentences);
  const bridges = readBridges(context, steps.described, split.head, candidates, sentences, topics);
  return candidates.map((candidate, index) => {
    const signs: Signs = {};
    const own = ownKeys(candidate);
    for (const mention of candidate.mentions) {
      const beside = readBeside(context, steps, own, mention);
      const link = linkTo(bridges, candidates, index, mention, topics.get(mention.sentence));
      strengthen(signs, "hopAsked", beside.asked);
      strengthen(signs, "hopDescribed", beside.described);
      strengthen(signs, "hopDescribedNear", beside.describedNear);
      strengthen(signs, "hopChain", Math.max(link.about, link.mentioned * mentionShare) * beside.chained);
      strengthen(signs, "hopAbout", link.about);
    }
    return signs;
  });
}

/** A word that both parts have belongs to what is asked. */
function readSteps({ asked, described }: Split, { words }: Asked): Steps {
  const [first, second] = [new Set(asked.map(({ key }) => key)), new Set(described.map(({ key }) => key))];
  const both = words.filter(({ key }) => first.has(key) || second.has(key));
  return {
    keys: keysOf(both),
    asked: both.filter(({ key }) => first.has(key)),
    described: both.filter(({ key }) => !first.has(key)),
    relations: asked
      .filter(({ isCapital }) => !isCapital)
      .map(({ root }) => relationsOf(root))
      .filter(({ size }) => size > 0),
  };
}

/** How much of both parts stands beside a mention, in its clause and in the words around it. */
function readBeside(
  context: Context,
  steps: Steps,
  own: ReadonlySet<string>,
  mention: Mention,
): { readonly asked: number; readonly described: number; readonly describedNear: number; readonly chained: number } {
  const clause = readClause(context, mention);
  const keys = new Set<string>();
  for (const { key, root } of [...clause.before, ...clause.after]) keys.add(key).add(root);
  const distance = measureDistance(context.evidence.words, mention, reach, steps.keys);
  const isOther = ({ key }: AskedWord): boolean => !own.has(key);
  const share = (words: readonly AskedWord[]): number => shareOf(words, (word) => isOther(word) && hasWord(keys, word));
  const shareNear = (words: readonly AskedWord[]): number =>
    shareOf(words, (word) => isOther(word) && Math.exp(-distance(word) / fall));
  const asked = share(steps.asked);
  const askedNear = Math.max(shareNear(steps.asked), relationShare * shareRelations(context, steps, mention));
  return {
    asked,
    described: share(steps.described),
    describedNear: shareNear(steps.described),
    chained: (asked + askedNear) / 2,
  };
}

function shareRelations({ evidence: { words } }: Context, { relations }: Steps, mention: Mention): number {
  if (relations.length === 0) return 0;
  const { from, to, sentence } = mention;
  const beside = [...words.slice(Math.max(0, from - relationReach), from), ...words.slice(to, to + relationReach)];
  const here = beside.filter((word) => word.sentence === sentence && !word.isCapital);
  const isHere = (relation: ReadonlySet<number>): boolean =>
    here.some(({ root }) => !relation.isDisjointFrom(relationsOf(root)));
  return relations.filter(isHere).length / relations.length;
}

/** How well those fit whom a sentence is about, and whom it mentions, other than the candidate itself. */
function linkTo(
  bridges: Bridges,
  candidates: readonly Candidate[],
  index: number,
  mention: Mention,
  topic: number | undefined,
): { readonly about: number; readonly mentioned: number } {
  let [about, mentioned] = [0, 0];
  for (const at of bridges.best) {
    if (at === index) continue;
    if (at === topic) about = bridges.fit(at);
    const isHere = candidates[at]?.mentions.some(({ sentence }) => sentence === mention.sentence) ?? false;
    if (isHere) mentioned = Math.max(mentioned, bridges.fit(at));
  }
  return { about, mentioned };
}
