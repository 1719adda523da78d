import { oppositesOf, rivalsOf, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, isInPassage, mostPositions, positionsOf, sentenceSpan } from "./evidence.ts";

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
  const known = readClauses(evidence.source.text.text, evidence.words);
  const clauseAt = indexClauses(evidence, known);
  return clauses.flatMap((clause) => checkClause(context, clause, known, clauseAt) ?? []);
}

/** Which clause each word of the evidence is in; -1 outside the passage. */
function indexClauses({ words, sentences }: Evidence, clauses: readonly Clause[]): Int32Array {
  const found = new Int32Array(words.length).fill(-1);
  clauses.forEach(({ from, to }, index) => {
    if (sentences.has(words[from]?.sentence ?? -1)) found.fill(index, from, to);
  });
  return found;
}

function checkClause(context: Context, said: Clause, known: readonly Clause[], clauseAt: Int32Array): Finding | null {
  const { answer, evidence, subject } = context;
  const start = answer.words[said.from]?.start ?? 0;
  const end = answer.words[said.to - 1]?.end ?? 0;
  if (isAboutText(context, said)) return null;
  const shared = countShared(evidence, said, known, clauseAt);
  const antonym = findAntonym(context, said, known, shared, clauseAt);
  if (antonym) {
    const { word, there } = antonym;
    const range = { start: word.start, end: word.end };
    const reason = `${subject} says ${quote(evidence.words[there]?.raw ?? "")}, not ${quote(word.raw)}.`;
    return createFinding("contradicted", range, reason, [sentenceSpan(evidence, there)]);
  }
  const best = [...shared].toSorted((a, b) => b[1] - a[1])[0];
  const other = best ? known[best[0]] : undefined;
  if (!best || !other || best[1] < fewestShared || best[1] < leastShared * said.keys.size) return null;
  const isTie = [...shared].some(([index, count]) => count === best[1] && known[index]?.isNegated === said.isNegated);
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

/** How many of a clause's keys each clause of the evidence has. */
function countShared(
  evidence: Evidence,
  said: Clause,
  known: readonly Clause[],
  clauseAt: Int32Array,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const key of said.keys) {
    const positions = evidence.positions.get(key) ?? [];
    if (positions.length >= mostPositions) continue;
    for (const index of new Set(positions.map((at) => clauseAt[at] ?? -1))) {
      if (index !== -1) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
  }
  for (const [index, count] of counts) {
    const inherited = known[index]?.inherited;
    if (inherited && said.keys.has(inherited) && known[index]?.keys.has(inherited) === false)
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

/** A word of the clause whose opposite stands in a clause about the same things, which lacks the word itself. */
function findAntonym(
  { answer, evidence }: Context,
  said: Clause,
  known: readonly Clause[],
  shared: ReadonlyMap<number, number>,
  clauseAt: Int32Array,
): Antonym | null {
  for (let at = said.from; at < said.to; at += 1) {
    const word = answer.words[at];
    // To end up in a place is no end.
    if (!word || answer.words[at + 1]?.norm === "up") continue;
    const isUnknown = !isInPassage(evidence, word) && !evidence.asked.has(word.key);
    for (const opposite of isUnknown ? [...oppositesOf(word.key), ...rivalsOf(word.key)] : oppositesOf(word.key)) {
      for (const there of evidence.positions.get(opposite) ?? []) {
        const index = clauseAt[there] ?? -1;
        const other = known[index];
        if (!other || other.keys.has(word.key) || other.isNegated !== said.isNegated) continue;
        if (!oppositesOf(word.key).has(opposite) && !isBeside(evidence, said, there)) continue;
        const own = [...said.keys].filter((key) => key !== word.key).length;
        const count = shared.get(index) ?? 0;
        const isElsewhere = [...shared].some(([at, most]) => most - 1 >= count && known[at]?.keys.has(word.key));
        if (count >= Math.min(fewestShared, own) && count >= leastShared * own && own > 0 && !isElsewhere)
          return { word, there };
      }
    }
  }
  return null;
}
