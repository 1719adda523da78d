import { remember } from "../../remember.ts";
import { kindsOf, type Word } from "../../text/index.ts";
import type { Context } from "./context.ts";
import { fieldsOf, readFields } from "./fields.ts";
import type { Passage } from "./passage.ts";
import type { Statement } from "./response.ts";
import { isRole } from "./roles.ts";

/** "A former amateur rodeo clown": how many words may stand before the noun. */
const farthestArticle = 4;
const copula = /^(?:is|are|was|were|be|been|being|became|become)$/;
const between = /^(?:also|both|once|later|originally|now|actually|mainly|all|each|either|still|formerly|previously)$/;
/** "Worked as a teacher", "served as a nurse". */
const works = /^(?:work|works|worked|working|serve|serves|served|serving|trained)$/;

/** Words that end like a profession, and say of anything what it is like or where it belongs. */
const noTrade =
  /^(?:member|number|matter|center|centre|winner|founder|owner|character|quarter|chapter|order|river|tributary|border|letter|paper|answer|former|latter|other|another|father|mother|brother|sister|daughter|sibling|partner|leader|holder|participant|supporter|follower|newcomer|descendant|resident|inhabitant|factor|error|precursor|forerunner|successor|predecessor|opponent|rival|competitor|contender|bearer|maker|creator|user|starter|list|twist|assistant|variant|constituent|component)s?$/;

/**
 * Whether a word that the text doesn't have says what somebody is: "astronaut" of "was also an astronaut", "film" of "is a film
 * producer". Which trade somebody has can't be the same in other words, unless one is a kind of the other.
 */
export function isClaimedTrade({ answer, evidence }: Context, { at }: Statement): boolean {
  const { words, text } = answer;
  const isNext = (index: number): boolean => {
    const [before, next] = [words[index - 1], words[index]];
    return before !== undefined && next !== undefined && text.text.slice(before.end, next.start) === " ";
  };
  let head = at;
  while (isNext(head + 1) && isContent(words[head + 1])) head += 1;
  let from = at;
  while (from > at - farthestArticle && isNext(from) && isContent(words[from - 1])) from -= 1;
  const noun = words[head];
  if (!noun || !isTrade(noun) || !isPredicate(words, from, noun)) return false;
  const isSameField = fieldsOf(noun.norm).some((field) => readFields(evidence.passage).has(field));
  const isOfKind = kindsOf(noun.key).some((kind) => evidence.positions.has(kind));
  return !isSameField && !isOfKind && !readKinds(evidence.passage).has(noun.key);
}

/** All that something in a text is a kind of: "writer", where it has a poet. */
const readKinds = remember(
  ({ positions }: Passage): ReadonlySet<string> => new Set([...positions.keys()].flatMap(kindsOf)),
);

function isContent(word: Word | undefined): boolean {
  return (
    word !== undefined && !word.isFunction && !word.isNumber && !copula.test(word.norm) && !between.test(word.norm)
  );
}

/** Trades without an ending that tells them. */
const trades =
  /^(?:astronaut|cosmonaut|nurse|pilot|cook|chef|clown|monk|nun|priest|spy|thief|diplomat|athlete|coach|surgeon|smith|blacksmith|goldsmith|king|prince|knight|rabbi|imam|model|butcher|vet|detective)$/;

function isTrade(word: Word): boolean {
  const norm = word.norm.replace(/s$/, "");
  return !word.isCapital && !noTrade.test(norm) && (trades.test(norm) || isRole({ ...word, norm }));
}

/** Whether "is a", "was also an", "are both" or "worked as a" stands before; of one person, the article has to. */
function isPredicate(words: readonly Word[], from: number, noun: Word): boolean {
  let at = from - 1;
  const isOne = /^an?$/.test(words[at]?.norm ?? "");
  if (isOne) at -= 1;
  else if (!noun.norm.endsWith("s")) return false;
  while (between.test(words[at]?.norm ?? "")) at -= 1;
  const norm = words[at]?.norm ?? "";
  return copula.test(norm) || (norm === "as" && works.test(words[at - 1]?.norm ?? ""));
}

/** Whether a novel word is more than a detail beside the answer: a trade, or one of several new words of a clause that is added. */
export function isClaimOfItsOwn(context: Context, statement: Statement): boolean {
  return isClaimedTrade(context, statement) || isInAddedClause(context, statement);
}

const relative = /^(?:which|who|where)$/;
const fewestNew = 3;

/** ", which also happens to be the date of his first concert": a clause after a comma in which several words are new. */
function isInAddedClause({ answer }: Context, { word, at }: Statement): boolean {
  const { words, text } = answer;
  const isIn = (index: number): boolean => words[index]?.sentence === word.sentence;
  let from = at;
  while (isIn(from) && !relative.test(words[from]?.norm ?? "")) from -= 1;
  const [before, opening] = [words[from - 1], words[from]];
  if (!isIn(from) || !before || !opening || !/^,\s*$/.test(text.text.slice(before.end, opening.start))) return false;
  const added = answer.statements.filter((other) => other.at > from && isIn(other.at));
  const novel = added.filter(({ isInPassage, isAsked }) => !isInPassage && !isAsked);
  return novel.length >= fewestNew;
}
