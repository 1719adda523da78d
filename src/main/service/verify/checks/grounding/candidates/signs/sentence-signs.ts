import type { Context } from "../../context.ts";
import { hasWord, type Sentence } from "../index-passage.ts";
import { type Asked, type AskedWord, shareOf } from "../read-asked.ts";
import type { Candidate } from "../read-candidates.ts";
import { type Signs, strengthen } from "./sign-names.ts";

/** What is known of the passage as a whole, once for all candidates. */
export interface Overview {
  readonly sentences: ReadonlyMap<number, Sentence>;
  /** The asked words that one sentence alone has. */
  readonly rare: readonly AskedWord[];
  /** How much of the question the best sentence has. */
  readonly best: number;
}

export function readOverview(asked: Asked, sentences: ReadonlyMap<number, Sentence>): Overview {
  const all = [...sentences.values()];
  return {
    sentences,
    rare: asked.words.filter((word) => all.filter(({ keys }) => hasWord(keys, word)).length === 1),
    best: Math.max(0, ...all.map(({ keys }) => shareOf(asked.words, (word) => hasWord(keys, word)))),
  };
}

/** What the sentences of a candidate say, and whom they are about. */
export function readSentenceSigns(
  { evidence }: Context,
  asked: Asked,
  { sentences, rare, best }: Overview,
  candidates: readonly Candidate[],
  index: number,
): Signs {
  const signs: Signs = {};
  const candidate = candidates[index];
  if (!candidate) return signs;
  const own = new Set(candidate.forms.flatMap((form) => [...form]));
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
    const here = shareOf(asked.words, (word) => hasWord(sentence.keys, word));
    if (best > 0 && here >= best - 1e-9) signs.sentenceBest = 1;
    readTopic(sentence, mention.sentence);
  }
  if (candidate.mentions.every(({ sentence }) => sentence === firstSentence)) signs.sentenceFirst = 1;
  const about = [...sentences].filter(
    ([at, { topic }]) => topic === index || candidate.mentions.some(({ sentence }) => sentence === at),
  );
  const covers = (word: AskedWord): boolean => isOther(word) && about.some(([, { keys }]) => hasWord(keys, word));
  const isAbout = (word: AskedWord): boolean =>
    isOther(word) && about.some(([, { topic, keys }]) => topic === index && hasWord(keys, word));
  strengthen(signs, "about", shareOf(asked.words, isAbout));
  strengthen(signs, "aboutRare", rare.filter(isAbout).length / Math.max(1, rare.length));
  strengthen(signs, "profile", shareOf(asked.words, covers));
  strengthen(signs, "profileNames", names.filter(covers).length / Math.max(1, names.length));
  return signs;

  function readTopic({ topic, keys }: Sentence, at: number): void {
    const held = topic === null ? undefined : candidates[topic];
    if (!held) return;
    if (topic === index) {
      signs.topicItself = 1;
      return;
    }
    const isAsked = held.forms.some((form) => [...form].every((key) => evidence.asked.has(key)));
    signs[isAsked ? "topicAsked" : "topicOther"] = 1;
    const elsewhere = held.mentions.flatMap(({ sentence }) => (sentence === at ? [] : (sentences.get(sentence) ?? [])));
    const ties = (word: AskedWord): boolean =>
      isOther(word) && !hasWord(keys, word) && elsewhere.some((other) => hasWord(other.keys, word));
    const share = shareOf(asked.words, ties);
    strengthen(signs, "topicProfile", share);
    // What is asked is told of somebody whom another sentence ties to the rest of the question.
    if (!isAsked) strengthen(signs, "topicHop", share * (0.3 + shareOf(asked.words, (word) => hasWord(keys, word))));
  }
}

function shareRelations({ relations }: Asked, sentence: Sentence): number {
  let [found, total] = [0, 0];
  for (const { of, nearness } of relations) {
    total += nearness;
    if (!sentence.relations.isDisjointFrom(of)) found += nearness;
  }
  return total === 0 ? 0 : found / total;
}
