import { isDemonym, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { readWanted, type WantedKind } from "./candidates/index.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, positionsOf } from "./evidence.ts";

/** "A famous musician of the time": in words. What is longer may say who it is in other ways. */
const longestAnswer = 7;
const namedKinds: ReadonlySet<WantedKind> = new Set<WantedKind>(["person", "place", "title", "body"]);
const indefinite = /^(?:a|an|some|one|two|three|several|many|somebody|someone|something|somewhere|various|certain)$/;

/** "A famous musician", where the text has the name that was asked for: one of a sort, and not which. */
export function checkVague(context: Context): readonly Finding[] {
  const { answer, question, evidence } = context;
  if (question.kind !== "who" && question.kind !== "what" && question.kind !== "where") return [];
  if (answer.isAbstaining || answer.words.length > longestAnswer || answer.words.length < 2) return [];
  if (asksWhatIs(context)) return [];
  const { kind, head } = readWanted(question);
  if (!namedKinds.has(kind) || (kind === "place" && head === null)) return [];
  const at = answer.words.findIndex(({ norm, isFunction }) => indefinite.test(norm) || !isFunction);
  const [first, last] = [answer.words[at], answer.words.at(-1)];
  if (!first || !last || !indefinite.test(first.norm)) return [];
  const rest = answer.words.slice(at + 1);
  if (rest.some((word) => isNamed(evidence, word)) || answer.numbers.some(({ mention }) => !mention.isWord)) return [];
  if (!hasFreshName(context) || rest.some((word) => standsAlone(evidence, word))) return [];
  const range = { start: first.start, end: last.end };
  const text = answer.text.text.slice(range.start, range.end);
  return [createFinding("contradicted", range, `${quote(text)} doesn't say which one, and the question asks for it.`)];
}

/** "Who is Tom Ek?" asks what he is. */
function asksWhatIs({ question }: Context): boolean {
  const [who, is, first] = question.words;
  const [name] = question.names;
  return (
    who?.norm === "who" &&
    /^(is|was|are|were)$/.test(is?.norm ?? "") &&
    name !== undefined &&
    question.all[name.from] === first
  );
}

/** A name, also in small letters as the text has it. */
function isNamed(evidence: Evidence, word: Word): boolean {
  if (isDemonym(word.norm) || word.key.startsWith("place:")) return false;
  return word.isCapital || word.isNumber || positionsOf(evidence, word).some((at) => isInName(evidence, at));
}

function isInName({ words }: Evidence, at: number): boolean {
  return words[at]?.isCapital === true && words[at]?.isFirst === false;
}

/** Whether the text has a name that the question lacks. */
function hasFreshName({ evidence }: Context): boolean {
  const { asked, nameStarts, words } = evidence;
  return words.some(({ start, key }) => nameStarts.get(start) === true && !asked.has(key));
}

/** How far before a noun its article may stand: "a very old local shepherd". */
const reach = 4;

/** Whether the text itself says no more: "it was found by a shepherd", not "Lund was a shepherd". */
function standsAlone(evidence: Evidence, word: Word): boolean {
  if (word.isFunction) return false;
  return positionsOf(evidence, word).some((at) => {
    for (let before = at - 1; before >= at - reach; before -= 1) {
      const norm = evidence.words[before]?.norm ?? "";
      if (indefinite.test(norm)) return !describes(evidence, before);
    }
    // "Found by monks".
    return evidence.words[at]?.norm.endsWith("s") === true;
  });
}

/** "Lund was a shepherd", "Lund, a shepherd": what comes before says who. */
function describes({ words, source }: Evidence, at: number): boolean {
  const [before, article] = [words[at - 1], words[at]];
  if (!before || !article) return false;
  const gap = source.text.text.slice(before.end, article.start);
  return /^(?:is|was|are|were|as|became|being)$/.test(before.norm) || (gap.startsWith(",") && before.isCapital);
}
