import { type Name, readNames, type Word, wordsOf } from "../../text/index.ts";
import type { Reading } from "../../types.ts";
import type { Source } from "./find-source.ts";
import { asksForOne, findLooseOptions, findOptions, type Options } from "./question-options.ts";

/** What a question wants: one of two that it names, yes or no, a thing that the text tells, or more than a text can tell. */
export type QuestionKind = "choice" | "yes-no" | "who" | "when" | "where" | "how-many" | "what" | "open";

export interface Question {
  readonly kind: QuestionKind;
  /** The words of the whole prompt; `words` says which of them ask. */
  readonly all: readonly Word[];
  readonly words: readonly Word[];
  /** The names in it. */
  readonly names: readonly Name[];
  /** The two that a choice is between; null where they are not named. */
  readonly options: Options | null;
  /** "hip hop record executive" of "which hip hop record executive". */
  readonly types: readonly Word[];
  /** "What did she do?": for a deed, a cause or a meaning, which may be told in many words. */
  readonly isOfDeed: boolean;
}

const auxiliaries = new Set(
  "is are was were am do does did has have had can could will would should may might must shall isn aren wasn weren don doesn didn".split(
    " ",
  ),
);
/** Asking for a judgement, not for something that stands in the text. */
const judgements = new Set(
  "sentiment tone mood category topic opinion summary meaning style theme rating language problem advice recommendation difference similarity way reason purpose point idea message lesson conclusion feeling emotion attitude label class intent stance translation step title headline".split(
    " ",
  ),
);
/** Of a thing with a name, these are facts: "the title of the sequel to …", "which label released …". */
const factual = new Set("title label language point style class category step translation".split(" "));
const breaks = new Set("that who which whose".split(" "));

/** Reads the sentences of the prompt that ask. The last question counts where there are more. */
export function readQuestion(reading: Reading, source: Source): Question {
  const all = wordsOf(reading.prompt);
  const asking = new Set(source.question);
  const words = all.filter(({ sentence }) => asking.has(sentence));
  const focus = lastQuestion(reading, source, words);
  const inFocus = new Set(focus);
  const names = readNames(reading.prompt, all).filter(({ from }) => inFocus.has(all[from] as Word));
  const { text } = reading.prompt;
  const options = findOptions(text, all, names, focus) ?? findLooseOptions(text, all, focus);
  const types = findTypes(text, focus);
  return {
    kind: findKind(focus, options !== null || asksForOne(text, focus), types, names.length > 0),
    all,
    words: focus,
    names,
    options,
    types,
    isOfDeed: deeds.test(focus.map(({ norm }) => norm).join(" ")),
  };
}

function lastQuestion({ prompt }: Reading, source: Source, words: readonly Word[]): readonly Word[] {
  for (let at = source.question.length - 1; at >= 0; at -= 1) {
    const index = source.question[at] ?? 0;
    const range = prompt.sentences[index];
    if (range && prompt.text.slice(range.start, range.end).includes("?")) {
      return words.filter(({ sentence }) => sentence === index);
    }
  }
  return words;
}

const opens = /^((in|on|at|by|for|to|from|of)\s+)?(who|whom|whose|what|when|where|which|how)\b/i;

function findKind(words: readonly Word[], isChoice: boolean, types: readonly Word[], hasName: boolean): QuestionKind {
  const first = words.find(({ norm }) => norm !== "question" && norm !== "q");
  if (!first) return "open";
  if (isChoice) return "choice";
  const norms = words.map(({ norm }) => norm);
  if (auxiliaries.has(first.norm)) return "yes-no";
  if (types.some((type) => isJudgement(type, hasName))) return "open";
  const at = norms.findLastIndex((norm) => /^(who|whom|whose|what|whats|which|when|where|why|how)$/.test(norm));
  const wh =
    norms.find((norm, index) => /^(what|whats|which|why|when)$/.test(norm) || isHow(norms, index)) ?? norms[at];
  if (at === -1) return asksForThing(words) ? "what" : "open";
  if (wh === undefined || wh === "why" || norms.includes("why")) return "open";
  if (norms.some((_, index) => isHow(norms, index))) return findHow(norms);
  if (norms.includes("which") || norms.includes("what") || norms.includes("whats")) return findWhat(norms, types);
  return wh === "when" ? "when" : norms.includes("where") ? "where" : "who";
}

/** "How", but not in "Who found how to grow it?". */
function isHow(norms: readonly string[], at: number): boolean {
  return norms[at] === "how" && !(norms[at + 1] === "to" && opens.test(norms[0] ?? "") && at > 0);
}

function isJudgement({ key, norm }: Word, hasName: boolean): boolean {
  return (judgements.has(key) || judgements.has(norm)) && !(hasName && factual.has(norm));
}

/** "Name the singer of …", "The director of the film that …?": one thing, without a word that asks. */
function asksForThing(words: readonly Word[]): boolean {
  const from = words[0]?.norm === "name" ? 1 : 0;
  const end = words.findIndex(({ norm }, at) => at > from && /^(of|that|in|by|for|on|at|from)$/.test(norm));
  if (words[from]?.norm !== "the" || end === -1) return false;
  return (
    !words.some(({ norm }) => auxiliaries.has(norm)) && words.slice(from, end).every(({ norm }) => !/[^s]s$/.test(norm))
  );
}

function findHow(norms: readonly string[]): QuestionKind {
  const next = norms[norms.indexOf("how") + 1] ?? "";
  return /^(many|much|old|long|far|tall|high|large|big|often|deep|wide|heavy|fast)$/.test(next) ? "how-many" : "open";
}

const deeds = /\bwhat (?:do|does|did)\b/;
/** What somebody makes of a text, and what was done, may be said in any words. */
const views =
  /\b(?:you|we|i|author|writer|narrator|passage|text|poem|story|article|document|imply|suggest|convey|symboli[sz]e|represent|think|feel|say|learn|do)\b/;
/** "What did she pay for the car?", not "What did she pay with?". */
const amounts = /\b(?:pay|cost|weigh|earn)(?: (?:for|in|per|a|each|now|today|every|when|if|altogether)\b|$)/;

function findWhat(norms: readonly string[], types: readonly Word[]): QuestionKind {
  if (types.some(({ norm }) => norm === "year" || norm === "date")) return "when";
  if (types.some(({ norm }) => norm === "population" || norm === "percentage")) return "how-many";
  const asked = norms.join(" ");
  if (/\bwhat (?:can|could|should|would|will|happens|happened)\b/.test(asked)) return "open";
  if (deeds.test(asked) && views.test(asked.replace(deeds, ""))) return "open";
  return deeds.test(asked) && amounts.test(asked) ? "how-many" : "what";
}

/** The words after "which" or "what" up to its verb, and the noun of "what is the birth date of". */
function findTypes(text: string, words: readonly Word[]): readonly Word[] {
  const at = findAsking(text, words);
  if (at === -1) return [];
  let from = at + 1;
  const next = words[from];
  if (next && /^(is|are|was|were|s)$/.test(next.norm)) from += 1;
  while (/^(the|of|a|an|name|names|type|kind|sort)$/.test(words[from]?.norm ?? "")) from += 1;
  const types: Word[] = [];
  for (let index = from; index < Math.min(words.length, from + 7); index += 1) {
    const word = words[index];
    const previous = words[index - 1];
    if (!word || word.isFunction || breaks.has(word.norm) || isVerb(word)) break;
    if (index > from && previous && text.slice(previous.end, word.start).includes("?")) break;
    types.push(word);
  }
  return types;
}

/** Where "which" or "what" asks; one after a comma only relates ("stores, of which the owner is"). */
function findAsking(text: string, words: readonly Word[]): number {
  const isWh = (word: Word | undefined): boolean => /^(which|what|whats)$/.test(word?.norm ?? "");
  const opening = words.findIndex((word, at) => at < 3 && isWh(word));
  if (opening !== -1) return opening;
  const asking = words.findLastIndex((word, at) => {
    const before = text.slice(words[at - 2]?.end ?? 0, word.start);
    return isWh(word) && (word.norm !== "which" || !before.includes(","));
  });
  return asking !== -1 ? asking : words.findLastIndex(isWh);
}

const verbs = new Set(
  "starred stars won wrote written led sang made held plays gives contains includes serves written sung known born built sold led begun located shares share play belong belongs feature features featured star did do work works lives live".split(
    " ",
  ),
);

function isVerb({ norm, isCapital }: Word): boolean {
  return !isCapital && (norm.endsWith("ed") || norm.endsWith("ern") || verbs.has(norm));
}
