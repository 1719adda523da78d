import { remember } from "../../remember.ts";
import { oppositesOf, rivalsOf, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Clause, readClause, readClauses, splitClauses } from "./clauses.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, isInPassage, positionsOf, sentenceSpan } from "./evidence.ts";
import { mostPositions, type Passage } from "./passage.ts";

const fewestShared = 2;
const nearest = 3;
const leastShared = 0.6;
const talksAboutText = /^(passage|text|document|context|article|answer|question|mention|state|information)/;

/** A part of a sentence that says of the same things the opposite of what the evidence says: by a "not", or by an antonym. */
export function checkOpposites(context: Context): readonly Finding[] {
  const { answer, evidence, question } = context;
  // What is not so of both may be so of one.
  if (question.kind === "yes-no" && question.words.some(({ norm }) => norm === "both")) return [];
  const clauses = readClauses(answer.text.text, answer.words).filter(({ from, keys }) => {
    return keys.size >= fewestShared && !answer.ignored.has(from);
  });
  if (clauses.length === 0) return [];
  const known = clausesOf(evidence.passage);
  return clauses.flatMap((clause) => checkClause(context, clause, known) ?? []);
}

/** The clauses of the evidence. Most have nothing to do with the response: what one says is read when it is asked for. */
interface KnownClauses {
  /** Which clause each word of the evidence is in; -1 outside the passage. */
  readonly clauseAt: Int32Array;
  readonly get: (index: number) => Clause | undefined;
}

const clausesOf = remember(indexClauses);

function indexClauses({ text, words, sentences }: Passage): KnownClauses {
  const ranges = splitClauses(text.text, words);
  const clauseAt = new Int32Array(words.length).fill(-1);
  ranges.forEach(({ from, to }, index) => {
    if (sentences.has(words[from]?.sentence ?? -1)) clauseAt.fill(index, from, to);
  });
  const read = new Map<number, Clause>();
  const get = (index: number): Clause | undefined => {
    const clause = read.get(index) ?? (index in ranges ? readClause(words, ranges, index) : undefined);
    if (clause) read.set(index, clause);
    return clause;
  };
  return { clauseAt, get };
}

function checkClause(context: Context, said: Clause, known: KnownClauses): Finding | null {
  const { answer, evidence, subject } = context;
  const start = answer.words[said.from]?.start ?? 0;
  const end = answer.words[said.to - 1]?.end ?? 0;
  if (isAboutText(context, said) || isVerbatim(context, said)) return null;
  const shared = countShared(evidence, said, known);
  const antonym = findAntonym(context, said, known, shared);
  if (antonym) {
    const { word, there } = antonym;
    const range = { start: word.start, end: word.end };
    const reason = `${subject} says ${quote(evidence.words[there]?.raw ?? "")}, not ${quote(word.raw)}.`;
    return createFinding("contradicted", range, reason, [sentenceSpan(evidence, there)]);
  }
  const best = findMost(shared);
  const other = best ? known.get(best[0]) : undefined;
  if (!best || !other || best[1] < fewestShared || best[1] < leastShared * said.keys.size) return null;
  const isTie = [...shared].some(
    ([index, count]) => count === best[1] && known.get(index)?.isNegated === said.isNegated,
  );
  if (other.isNegated === said.isNegated || isTie || !deniesDeed(context, said, other)) return null;
  const there = evidence.source.text.text.slice(
    evidence.words[other.from]?.start ?? 0,
    evidence.words[other.to - 1]?.end ?? 0,
  );
  return createFinding("contradicted", { start, end }, `${subject} says the opposite: ${quote(there)}.`, [
    sentenceSpan(evidence, other.from),
  ]);
}

/** Words that deny without a "not", and that set the limit up to which it doesn't. */
const absences = new Set(
  "missing absent lack lacks lacked lacking without free against refuse refused fail failed fails deny denied decline declined except exempt forbidden prohibited unable waive waived than until".split(
    " ",
  ),
);

/**
 * Whether one of two clauses denies the very thing that the other says: that he never left Rome does not deny that he spent his
 * life in Rome, and "no sign was put up" says what "the sign was missing" says.
 */
function deniesDeed({ answer, evidence }: Context, said: Clause, known: Clause): boolean {
  if (said.isTwiceNegated || known.isTwiceNegated) return false;
  // "Not in winter" leaves out what it denies.
  if (answer.words[said.from]?.norm === "not") return false;
  const own = answer.words.slice(said.from, said.to);
  const there = evidence.words.slice(known.from, known.to);
  const [denying, other] = said.isNegated ? [said, there] : [known, own];
  return other.some(({ key }) => denying.denied.has(key)) && ![...own, ...there].some(({ norm }) => absences.has(norm));
}

/** Whether a clause speaks of the text itself, by a word that the text doesn't have. */
function isAboutText({ answer, evidence }: Context, { from, to }: Clause): boolean {
  return answer.words
    .slice(from, to)
    .some((word) => talksAboutText.test(word.norm) && positionsOf(evidence, word).length === 0);
}

/** The first of those with the highest count. */
function findMost(counts: ReadonlyMap<number, number>): readonly [number, number] | null {
  let best: readonly [number, number] | null = null;
  for (const entry of counts) if (best === null || entry[1] > best[1]) best = entry;
  return best;
}

/** What stands there word for word is not the opposite of it. */
function isVerbatim({ answer, evidence }: Context, { from, to }: Clause): boolean {
  const [first] = answer.words.slice(from, to);
  const starts = first ? (evidence.positions.get(first.key) ?? []) : [];
  return starts.some((start) => {
    for (let at = from; at < to; at += 1)
      if (answer.words[at]?.norm !== evidence.words[start + at - from]?.norm) return false;
    return true;
  });
}

/** How many of a clause's keys each clause of the evidence has. */
function countShared(evidence: Evidence, said: Clause, { clauseAt, get }: KnownClauses): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const key of said.keys) {
    const positions = evidence.positions.get(key) ?? [];
    if (positions.length >= mostPositions) continue;
    let last = -1;
    // Places and clauses are both in the order of the text.
    for (const at of positions) {
      const index = clauseAt[at] ?? -1;
      if (index !== -1 && index !== last) counts.set(index, (counts.get(index) ?? 0) + 1);
      last = index;
    }
  }
  for (const [index, count] of counts) {
    const other = get(index);
    if (other?.inherited && said.keys.has(other.inherited) && !other.keys.has(other.inherited))
      counts.set(index, count + 1);
  }
  return counts;
}

interface Antonym {
  readonly word: Word;
  readonly there: number;
}

/** Whether a word of the clause stands right by a place: one house is of stone, and another part of it of brick. */
function isBeside({ words }: Evidence, { keys }: Clause, there: number): boolean {
  return words.slice(Math.max(0, there - nearest), there + nearest + 1).some(({ key }) => keys.has(key));
}

/** The keys that say the opposite of a word, and of one that neither the passage nor the question has, its rivals. */
function opposedTo(evidence: Evidence, word: Word): Iterable<string> {
  const [opposites, rivals] = [oppositesOf(word.key), rivalsOf(word.key)];
  if (rivals.size === 0 || isInPassage(evidence, word) || evidence.asked.has(word.key)) return opposites;
  return [...opposites, ...rivals];
}

/** A word of the clause whose opposite stands in a clause about the same things, which lacks the word itself. */
function findAntonym(
  { answer, evidence }: Context,
  said: Clause,
  { clauseAt, get }: KnownClauses,
  shared: ReadonlyMap<number, number>,
): Antonym | null {
  for (let at = said.from; at < said.to; at += 1) {
    const word = answer.words[at];
    // To end up in a place is no end.
    if (!word || answer.words[at + 1]?.norm === "up") continue;
    for (const opposite of opposedTo(evidence, word)) {
      for (const there of evidence.positions.get(opposite) ?? []) {
        const index = clauseAt[there] ?? -1;
        const other = get(index);
        if (!other || other.keys.has(word.key) || other.isNegated !== said.isNegated) continue;
        if (!oppositesOf(word.key).has(opposite) && !isBeside(evidence, said, there)) continue;
        const own = [...said.keys].filter((key) => key !== word.key).length;
        const count = shared.get(index) ?? 0;
        const isElsewhere = [...shared].some(([at, most]) => most - 1 >= count && get(at)?.keys.has(word.key));
        if (count >= Math.min(fewestShared, own) && count >= leastShared * own && own > 0 && !isElsewhere)
          return { word, there };
      }
    }
  }
  return null;
}
