import type { Word } from "../../../../../text/index.ts";
import { isCalling } from "../../name-kinds.ts";

const participles = new Set(
  "born written sung won held led made built sold bought taken given known shown seen shot set begun done drawn driven flown chosen broken spoken grown thrown worn found lost beaten kept left brought taught caught sent put cut run wed fought hidden woven paid said told spent sunk rebuilt".split(
    " ",
  ),
);
const pasts = new Set(
  "wrote sang took gave began became met drew drove flew chose broke beat knew grew ran went came stood fell rose sank rang spoke wore threw rode hid bore swam".split(
    " ",
  ),
);
const prepositions =
  /^(in|at|by|for|from|with|to|on|under|after|before|of|near|into|against|during|through|over|between|among|opposite|until|since|about|toward|towards|around|behind|within|off)$/;
const adverbs =
  /^(also|first|later|then|now|never|not|again|still|once|actually|often|already|soon|ever|twice|originally)$/;
const doers =
  /^(predecessor|successor|coach|chief|author|head|heir|wife|husband|partner|president|king|queen|captain)$/;

export function isBe(norm: string): boolean {
  return /^(is|are|was|were|be|been|being)$/.test(norm);
}

/** "Ann Lee [has] written". */
export function isHelping(norm: string): boolean {
  return /^(has|have|had|will|would|can|could|did|does|must|may|might|shall|co)$/.test(norm);
}

/** "Who wrote it", "while Bo Chen led": what follows has a verb of its own. */
export function opensClause(norm: string): boolean {
  return /^(who|which|that|while|but|where|when|whose|because|although|if)$/.test(norm);
}

/** Whether a verb is one whose object does it: "the film stars Ann Lee". */
export function shows(norm: string): boolean {
  return /^(star|stars|starring|starred|feature|features|featuring|featured)$/.test(norm);
}

export function isDeterminer(norm: string): boolean {
  return /^(the|a|an|his|her|its|their|this|whose|first|best)$/.test(norm);
}

export function isPreposition({ norm }: Word): boolean {
  return prepositions.test(norm);
}

/** "Directed", "written": what is done to somebody, or what somebody did. */
export function isParticiple(word: Word): boolean {
  return !word.isCapital && hasParticipleForm(word);
}

/** The same, also where it opens a sentence: "Written by Ann Lee, it …". */
export function hasParticipleForm({ norm, isFunction }: Word): boolean {
  return participles.has(norm) || (!isFunction && /[^e]ed$/.test(norm));
}

/** "Directed", "wrote", "written". */
export function isPastForm(word: Word): boolean {
  return isParticiple(word) || (!word.isCapital && pasts.has(word.norm));
}

const things = new Set(
  "river border order number character chapter quarter letter paper newspaper tower winter summer water theater power headquarter helicopter computer flower weather butter copper silver timber rubber cylinder diameter meter matter disaster register sector motor factor floor door color error honor mirror centre center corner layer laser air interior exterior".split(
    " ",
  ),
);

/** Whether a noun says who does something: a founder, an author, an actress. */
export function isDoerNoun({ norm, isCapital, isFunction }: Word): boolean {
  if (isCapital || isFunction || norm.length < 4 || things.has(norm.replace(/s$/, ""))) return false;
  return isCalling(norm) || doers.test(norm) || /[^aeiou](er|or|ist|ress)s?$/.test(norm);
}

/** What stands between a verb and who does it: "who also", "have never". */
export function isAdverb({ norm, isCapital }: Word): boolean {
  return !isCapital && (/[a-z]{2}ly$/.test(norm) || adverbs.test(norm));
}
