import { isGrammar, isNegationWord, type Language } from "../text/language.ts";
import { stemWord } from "../text/stem.ts";
import type { Word } from "../text/words.ts";
import type { Finding } from "../types.ts";
import type { BestPassage } from "./find-passage.ts";
import { type Lookup, spanOf, toFinding } from "./lookup.ts";
import type { Statement } from "./read-statements.ts";

/** Words that can't both be said of the same. */
export const opposites = gather(
  "increase decrease, rise fall, grow shrink, expand shrink, improve worsen, strengthen weaken, open close, win lose, accept reject, " +
    "accept refuse, approve reject, support oppose, allow forbid, allow prohibit, permit prohibit, include exclude, pass fail, " +
    "succeed fail, arrive depart, import export, profit loss, public private, legal illegal, possible impossible, " +
    "available unavailable, active inactive, mandatory optional, required optional, permanent temporary, fixed variable, gross net, " +
    "maximum minimum, positive negative, indoor outdoor, married unmarried, refundable nonrefundable, northern southern, " +
    "eastern western, empty full, higher lower, male female, domestic foreign",
);
/** Those that say the same where the roles are exchanged, too: what one sold, the other bought. */
const converses = gather("buy sell, lend borrow, win lose");

/** Words that deny without a "not", or say when something doesn't hold: what both say in all is then unclear. */
const limits: ReadonlySet<string> = new Set(
  "without except unless until only if before missing absent lack lacks refuse refused fail failed deny denied exempt unable waived than once limited".split(
    " ",
  ),
);
const breaks: ReadonlySet<string> = new Set("but while whereas although though however because which who".split(" "));
const fewestShared = 2;
const leastShared = 0.6;
const farthestDenied = 4;
/** In words: what is longer is no sentence. */
const longestCompared = 300;

interface Clause {
  readonly words: readonly Word[];
  readonly keys: ReadonlySet<string>;
  readonly negations: number;
  /** The first word of content after a "not". */
  readonly denied: ReadonlySet<string>;
}

/**
 * A part of a statement that says of the same things the opposite of what the best passage says: by an antonym, or by a
 * "not" that one of them has.
 */
export function checkOpposite(lookup: Lookup, statement: Statement, best: BestPassage | null): readonly Finding[] {
  const passage = best === null ? undefined : lookup.passages.all[best.index];
  const { language } = statement;
  if (best === null || passage === undefined || language === null || best.shared < fewestShared) return [];
  if (statement.words.length > longestCompared || passage.words.length > longestCompared) return [];
  const { text } = lookup.passages;
  const evidence = [spanOf(text, passage)];
  const known = readClauses(text.text, passage.words, language);
  const there = new Set(passage.words.map(({ key }) => key));
  for (const said of readClauses(lookup.response.text, statement.words, language)) {
    if (!hasNames(said, there)) continue;
    const antonym = findAntonym(said, known, there);
    if (antonym !== null) {
      const reason = `${lookup.source} says “${antonym.there.raw}”, not “${antonym.word.raw}”.`;
      return [toFinding("opposite", "contradicted", antonym.word, reason, evidence)];
    }
    const denial = known.find((clause) => isDenial(said, clause));
    const [first, last] = [said.words[0], said.words.at(-1)];
    if (denial === undefined || !first || !last) continue;
    const quoted = text.text.slice(denial.words[0]?.start, denial.words.at(-1)?.end);
    const range = { start: first.start, end: last.end };
    return [toFinding("opposite", "contradicted", range, `${lookup.source} says the opposite: “${quoted}”.`, evidence)];
  }
  return [];
}

/** Whether the passage has every name of a clause. */
function hasNames({ words }: Clause, there: ReadonlySet<string>): boolean {
  return words.every(
    ({ isCapital, isFirst, isFunction, key }) => !isCapital || isFirst || isFunction || there.has(key),
  );
}

function findAntonym(said: Clause, known: readonly Clause[], there: ReadonlySet<string>) {
  for (const [at, word] of said.words.entries()) {
    if (there.has(word.key)) continue;
    const rest = [...said.keys].filter((key) => key !== word.key);
    if (rest.filter((key) => there.has(key)).length < Math.max(1, leastShared * rest.length)) continue;
    for (const clause of known) {
      if (clause.negations !== said.negations) continue;
      const other = clause.words.findIndex(({ key }) => opposites.get(word.key)?.has(key) === true);
      const found = clause.words[other];
      if (found !== undefined && rest.some((key) => clause.keys.has(key))) return { word, there: found };
      const converse = clause.words.findIndex(({ key }) => converses.get(word.key)?.has(key) === true);
      const turned = clause.words[converse];
      if (turned !== undefined && hasSameSubject(said.words.slice(0, at), clause.words.slice(0, converse))) {
        return { word, there: turned };
      }
    }
  }
  return null;
}

/** Whether what is before both verbs has a word in common. */
function hasSameSubject(said: readonly Word[], there: readonly Word[]): boolean {
  const keys = new Set(there.filter(({ isFunction }) => !isFunction).map(({ key }) => key));
  return said.some(({ isFunction, key }) => !isFunction && keys.has(key));
}

/** Whether one of two clauses denies the very thing that the other says. */
function isDenial(said: Clause, known: Clause): boolean {
  if (said.negations + known.negations !== 1) return false;
  const shared = [...said.keys].filter((key) => known.keys.has(key));
  if (shared.length < fewestShared || shared.length < leastShared * said.keys.size) return false;
  if (limitsOf(said) !== limitsOf(known)) return false;
  const [denying, other] = said.negations === 1 ? [said, known] : [known, said];
  return [...denying.denied].some((key) => other.keys.has(key));
}

function limitsOf({ words }: Clause): string {
  return words
    .filter(({ norm }) => limits.has(norm))
    .map(({ norm }) => norm)
    .toSorted()
    .join(" ");
}

function readClauses(text: string, words: readonly Word[], language: Language): readonly Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    const [previous, word] = [words[at - 1], words[at]];
    if (word !== undefined && previous !== undefined && !parts(text, words, at)) continue;
    clauses.push(readClause(words.slice(from, at), language));
    from = at;
  }
  return clauses;
}

/** Whether a clause ends before a word. What "or" continues to list stays with what is denied of it. */
function parts(text: string, words: readonly Word[], at: number): boolean {
  const [previous, word] = [words[at - 1], words[at]];
  if (!previous || !word) return true;
  if (breaks.has(word.norm)) return true;
  const gap = text.slice(previous.end, word.start);
  if (/[;()]|\s[–—-]\s/.test(gap)) return true;
  return gap.includes(",") && !word.isNumber && !words.slice(at).some(({ norm }) => norm === "or");
}

function readClause(words: readonly Word[], language: Language): Clause {
  const denied = new Set<string>();
  let count = 0;
  words.forEach((_, at) => {
    if (!isNegation(words, at, language)) return;
    count += 1;
    const head = words.slice(at + 1, at + 1 + farthestDenied).find((word) => !isGrammar(word, language));
    if (head !== undefined) denied.add(head.key);
  });
  const content = words.filter((word) => !isGrammar(word, language) && !isNegationWord(word, language));
  return { words, keys: new Set(content.map(({ key }) => key)), negations: count, denied };
}

/** "Not only", "no. 5" and "No, it opened in May" deny nothing of what follows. */
function isNegation(words: readonly Word[], at: number, language: Language): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (!word || !isNegationWord(word, language) || (word.isCapital && !word.isFirst)) return false;
  if (word.norm === "no" && (next === undefined || next.isNumber || next.start > word.end + 1)) return false;
  return next?.norm !== "only";
}

function gather(pairs: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const pair of pairs.split(", ")) {
    const [a = "", b = ""] = pair.split(" ").map(stemWord);
    found.set(a, (found.get(a) ?? new Set()).add(b));
    found.set(b, (found.get(b) ?? new Set()).add(a));
  }
  return found;
}
