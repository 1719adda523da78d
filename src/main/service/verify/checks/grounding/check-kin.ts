import { remember } from "../../remember.ts";
import type { Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import type { Passage } from "./passage.ts";
import type { Answer } from "./response.ts";

const claims: ReadonlySet<string> = new Set(
  `wife husband spouse widow widower brother sister sibling twin son daughter father mother stepfather stepmother stepson stepdaughter
  grandfather grandmother grandson granddaughter uncle aunt nephew niece cousin fiance fiancee`.split(/\s+/),
);

/** Words from which some kinship may follow: of somebody's mother, that somebody is her child. */
const grounds: ReadonlySet<string> = new Set(
  `${[...claims].join(" ")} wives husbands spouses widows brothers sisters siblings twins sons daughters fathers mothers grandsons
  granddaughters grandparents grandparent grandchildren grandchild uncles aunts nephews nieces cousins child children parent parents
  family families kin relative relatives married marriage marry marries marrying wed weds wedded wedding bride groom couple nee divorced
  divorce heir heiress descendant descendants ancestor ancestors dynasty elder younger junior senior jr sr bros born baby orphan
  stepbrother stepsister maiden`.split(/\s+/),
);

/**
 * That one is another's wife, brother or son, where neither the text nor the question speaks of any kinship. Such a bond can't be
 * the same in other words, however right the rest of the answer is.
 */
export function checkKin(context: Context): readonly Finding[] {
  const { answer, question, evidence } = context;
  const said = answer.statements.filter(({ at, isInPassage, isAsked }) => {
    return !isInPassage && !isAsked && claimsKin(answer, at);
  });
  if (said.length === 0 || answer.isAbstaining) return [];
  if (readGrounds(evidence.passage).isThere || question.words.some(isGround)) return [];
  return said.map(({ word }) => {
    const { start, end } = word;
    return createFinding("contradicted", { start, end }, `${context.subject} says nothing of a ${quote(word.raw)}.`);
  });
}

/** Whether the text speaks of any kinship. */
const readGrounds = remember(({ sentences }: Passage): { readonly isThere: boolean } => {
  return { isThere: [...sentences.values()].some((words) => words.some(isGround)) };
});

function isGround({ norm }: Word): boolean {
  return grounds.has(norm);
}

const owned = /^(?:his|her|their|whose)$/;

/** Somebody's kin, perhaps an elder one: not a sister ship, a mother tongue, the father of a science, or a name. */
function claimsKin({ text, words }: Answer, at: number): boolean {
  const word = words[at];
  if (!word || !claims.has(word.norm) || (word.isCapital && !word.isFirst)) return false;
  if (text.text.slice(word.end, word.end + 4) === " of ") return words[at + 2]?.isCapital === true;
  return [at - 1, at - 2].some((index) => {
    const before = words[index];
    if (!before || before.sentence !== word.sentence) return false;
    return (
      owned.test(before.norm) || (before.isCapital && /^['’]s? /.test(text.text.slice(before.end, before.end + 3)))
    );
  });
}
