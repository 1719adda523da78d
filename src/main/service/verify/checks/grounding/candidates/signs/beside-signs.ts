import type { Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import { hasWord } from "../index-sentences.ts";
import { type Asked, type AskedWord, shareOf } from "../read-asked.ts";
import type { Mention } from "../read-candidates.ts";
import { keysOf, measureDistance } from "./measure-distance.ts";
import { readClause } from "./read-clause.ts";
import { type Signs, strengthen } from "./sign-names.ts";

/** So far to each side something stands beside a name. In words. */
const reach = 10;
/** After so many words, nearness falls to a third. */
const fall = 4;
const prepositions = /^(in|at|by|for|from|with|to|on|as|of|opposite|alongside|against)$/;

/** What stands right beside a mention, held against the question. */
export function readBesideSigns(
  context: Context,
  asked: Asked,
  rare: readonly AskedWord[],
  own: ReadonlySet<string>,
  mention: Mention,
): Signs {
  const { words } = context.evidence;
  const signs: Signs = {};
  const clause = readClause(context, mention);
  const keys = new Set([...clause.before, ...clause.after].flatMap(({ key, root }) => [key, root]));
  const distance = measureDistance(words, mention, reach, keysOf(asked.words));
  const near = (word: AskedWord): number => (own.has(word.key) ? 0 : Math.exp(-(distance(word) + 1) / fall));
  signs.window = shareOf(asked.words, near);
  signs.windowNear = shareOf(asked.words, near, "nearness");
  signs.clauseNear = shareOf(asked.words, (word) => !own.has(word.key) && hasWord(keys, word), "nearness");
  const total = asked.words.reduce((sum, { nearness }) => sum + nearness, 0);
  const found = rare.filter((word) => !own.has(word.key) && hasWord(keys, word));
  signs.clauseRare = total === 0 ? 0 : found.reduce((sum, { nearness }) => sum + nearness, 0) / total;
  readSlot(context, asked, mention, signs);
  const isAsked = (word: Word): boolean => asked.words.some(({ key, root }) => key === word.key || root === word.root);
  const [before, after] = [
    clause.before.findLast((word) => isPlain(word, asked)),
    clause.after.find((word) => isPlain(word, asked)),
  ];
  if (before && isAsked(before)) signs.verbBefore = 1;
  if (after) signs[isAsked(after) ? "verbAfter" : "otherVerbAfter"] = 1;
  return signs;
}

function isPlain(word: Word, { isHead }: Asked): boolean {
  return !word.isFunction && !word.isCapital && !word.isNumber && !isHead(word);
}

/** So far before a name stands what is right before "what". In words. */
const leftReach = 4;

/** The words right before "what", and those after its noun, beside the mention. */
function readSlot({ evidence: { words }, question }: Context, asked: Asked, mention: Mention, signs: Signs): void {
  const { at, head } = asked.wanted;
  if (at === -1) return;
  const all = question.words;
  const here = (from: number, to: number): readonly Word[] =>
    words.slice(Math.max(0, from), to).filter(({ sentence }) => sentence === mention.sentence);
  const left = all
    .slice(Math.max(0, at - 3), at)
    .filter(({ isFunction, norm }) => !isFunction || prepositions.test(norm));
  const from = asked.wanted.kind === "place" ? startOfPlaces(words, mention) : mention.from;
  const beforeName = here(mention.from - leftReach, mention.from);
  strengthen(signs, "slotLeft", Math.max(shareFound(left, beforeName), shareFound(left, here(from - leftReach, from))));
  const start = head === null ? at + 1 : all.indexOf(head) + 1;
  const right = all.slice(start, start + 4).filter(({ isFunction }) => !isFunction);
  strengthen(signs, "slotRight", shareFound(right, [...beforeName, ...here(mention.to, mention.to + 5)]));
  const wanted = [all[at - 1], all.at(-1)].map((word) => word?.norm ?? "").find((norm) => prepositions.test(norm));
  const [before, earlier] = [words[from - 1], words[from - 2]];
  const stands = (before?.norm === "the" ? earlier : before)?.norm ?? "";
  if (wanted !== undefined && prepositions.test(stands))
    signs[wanted === stands ? "prepositionSame" : "prepositionOther"] = 1;
}

const longestPlaces = 8;

/** Where "Lyon, France" starts: what stands before the first place holds the second, too. */
function startOfPlaces(words: readonly Word[], { from, sentence }: Mention): number {
  let start = from;
  while (from - start < longestPlaces) {
    const [before, first] = [words[start - 1], words[start]];
    const isName = before?.isCapital === true && !before.isFunction && before.sentence === sentence;
    if (!isName || first === undefined || first.start - before.end > 2) break;
    start -= 1;
  }
  return start;
}

function shareFound(asked: readonly Word[], here: readonly Word[]): number {
  if (asked.length === 0) return 0;
  const found = asked.filter(({ key, root }) => here.some((word) => word.key === key || word.root === root));
  return found.length / asked.length;
}
