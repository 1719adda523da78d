import type { Context } from "../../context.ts";
import { hasWord, type Sentence } from "../index-sentences.ts";
import { mostOf } from "../most-of.ts";
import { type Asked, type AskedWord, shareOf } from "../read-asked.ts";
import { type Candidate, ownKeys } from "../read-candidates.ts";
import { type Signs, strengthen, strengthenAll } from "./sign-names.ts";

/** What is known of the passage as a whole, once for all candidates. */
export interface Overview {
  readonly sentences: ReadonlyMap<number, Sentence>;
  /** The asked words that one sentence alone has. */
  readonly rare: readonly AskedWord[];
  /** The sentences that have most of the question. */
  readonly best: ReadonlySet<number>;
  /** Whether it has what the question calls what it asks for, anywhere. */
  readonly hasHead: boolean;
}

/** Reads what all candidates of a passage go by. */
export function readOverview(asked: Asked, sentences: ReadonlyMap<number, Sentence>): Overview {
  const all = [...sentences.values()];
  return {
    sentences,
    rare: asked.words.filter((word) => all.filter(({ keys }) => hasWord(keys, word)).length === 1),
    best: findBest(asked, sentences),
    hasHead: all.some(({ words }) => words.some(asked.isHead)),
  };
}

/** The sentences that have most of what is asked. */
function findBest({ words }: Asked, sentences: ReadonlyMap<number, Sentence>): ReadonlySet<number> {
  const shares = [...sentences].map(([at, { keys }]) => [at, shareOf(words, (word) => hasWord(keys, word))] as const);
  const most = mostOf(shares, ([, share]) => share);
  return new Set(shares.flatMap(([at, share]) => (most > 0 && share >= most - 1e-9 ? [at] : [])));
}

/** What the sentences of a candidate say, and whom they are about. */
export function readSentenceSigns(
  context: Context,
  asked: Asked,
  { sentences, rare, best }: Overview,
  candidates: readonly Candidate[],
  index: number,
): Signs {
  const signs: Signs = {};
  const candidate = candidates[index];
  if (!candidate) return signs;
  const own = ownKeys(candidate);
  const isOther = ({ key }: AskedWord): boolean => !own.has(key);
  const names = asked.words.filter(({ isName }) => isName);
  const [firstSentence] = sentences.keys();
  for (const mention of candidate.mentions) {
    const sentence = sentences.get(mention.sentence);
    if (!sentence) continue;
    const has = (word: AskedWord): boolean => isOther(word) && hasWord(sentence.keys, word);
    strengthen(signs, "sentence", shareOf(asked.words, has));
    strengthen(signs, "sentenceRare", rare.filter(has).length / Math.max(1, rare.length));
    strengthen(signs, "sentenceRelation", shareRelations(asked, sentence));
    strengthen(signs, "sentenceNames", names.filter(has).length / Math.max(1, names.length));
    if (best.has(mention.sentence)) signs.sentenceBest = 1;
    strengthenAll(signs, readTopicSigns(context, asked, sentences, candidates, candidate, mention.sentence));
  }
  if (candidate.mentions.every(({ sentence }) => sentence === firstSentence)) signs.sentenceFirst = 1;
  const about = [...sentences].filter(
    ([at, { topic }]) => topic === index || candidate.mentions.some(({ sentence }) => sentence === at),
  );
  const covers = (word: AskedWord): boolean => isOther(word) && about.some(([, { keys }]) => hasWord(keys, word));
  strengthen(signs, "profile", shareOf(asked.words, covers));
  strengthen(signs, "profileNames", names.filter(covers).length / Math.max(1, names.length));
  return signs;
}

/** Whether a sentence is about somebody whom other sentences tie to the question. */
function readTopicSigns(
  { evidence }: Context,
  asked: Asked,
  sentences: Overview["sentences"],
  candidates: readonly Candidate[],
  candidate: Candidate,
  at: number,
): Signs {
  const sentence = sentences.get(at);
  const topic = sentence?.topic ?? null;
  const held = topic === null ? undefined : candidates[topic];
  if (!sentence || !held || held === candidate) return {};
  const own = ownKeys(candidate);
  const isAsked = held.forms.some((form) => [...form].every((key) => evidence.asked.has(key)));
  const elsewhere = held.mentions.flatMap((other) =>
    other.sentence === at ? [] : (sentences.get(other.sentence) ?? []),
  );
  const topicProfile = shareOf(
    asked.words,
    (word) => !own.has(word.key) && !hasWord(sentence.keys, word) && elsewhere.some(({ keys }) => hasWord(keys, word)),
  );
  if (isAsked) return { topicProfile };
  const here = shareOf(asked.words, (word) => hasWord(sentence.keys, word));
  return { topicProfile, topicHop: topicProfile * (0.3 + here) };
}

function shareRelations({ relations }: Asked, sentence: Sentence): number {
  let [found, total] = [0, 0];
  for (const { of, nearness } of relations) {
    total += nearness;
    if (!sentence.relations.isDisjointFrom(of)) found += nearness;
  }
  return total === 0 ? 0 : found / total;
}
