import { isNeutralWord, type Name, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { agenciesOf } from "./check-agents.ts";
import { splitClauses } from "./clauses.ts";
import { compareAsked } from "./compare-asked.ts";
import { tells } from "./compare-options.ts";
import { haveSame } from "./compare-same.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { sentenceSpan } from "./evidence.ts";
import { deedOf, isPast } from "./facts.ts";
import { judgeOne } from "./judge-one.ts";
import { plainNegations } from "./negations.ts";
import { distinctKeys } from "./question-options.ts";
import { findSection, type Section } from "./sections.ts";
import type { Truth } from "./truth.ts";

/** Yes or no has to be what the passage says of all that the question names. */
export function checkYesNo(context: Context): readonly Finding[] {
  const { question } = context;
  if (question.kind !== "yes-no") return [];
  const said = readPolarity(context);
  if (said === null) return [];
  const truth = compareAsked(context) ?? findTruth(context) ?? judgeOne(context);
  if (truth === null) return [];
  const range = { start: said.word.start, end: said.word.end };
  const isRight = said.isYes === truth.isYes;
  return [createFinding(isRight ? "supported" : "contradicted", range, truth.reason, truth.evidence)];
}

interface Polarity {
  readonly isYes: boolean;
  readonly word: Word;
}

const yes = new Set(["yes", "yeah", "yep", "true", "affirmative"]);
const no = new Set(["no", "nope", "false", "negative"]);
const negations: ReadonlySet<string> = new Set([...plainNegations, "only"]);

/** "It wasn't", "Neither is", not "It was: the mill came first, not the bridge". In words. */
const farthestNegation = 6;

/** What the response says to a yes-or-no question; null where it does neither. */
export function readPolarity({ answer }: Context): Polarity | null {
  const { words, text } = answer;
  for (const word of words.slice(0, 60)) {
    if (yes.has(word.norm)) return { isYes: true, word };
    if (no.has(word.norm) && endsThere(text.text, word)) return { isYes: false, word };
  }
  const first = words.filter(({ sentence }) => sentence === words[0]?.sentence);
  const asserted = first.find(({ norm }) => norm === "both");
  const negated = first.slice(0, farthestNegation).find(({ norm }) => negations.has(norm));
  if (negated) return { isYes: false, word: negated };
  return asserted ? { isYes: true, word: asserted } : null;
}

/** "No" as an answer, not as in "no member". */
function endsThere(text: string, { end }: Word): boolean {
  return (
    end >= text.length ||
    !/[\p{L}\p{N}]/u.test(
      text
        .slice(end, end + 2)
        .trimStart()
        .charAt(0),
    )
  );
}

function findTruth(context: Context): Truth | null {
  const { question, evidence } = context;
  const subjects = findSubjects(context);
  if (subjects.length === 0) return null;
  const own = new Set(subjects.flatMap(({ keys }) => [...keys]));
  if (question.words.some(({ norm }) => norm === "same")) return compareSame(context, subjects);
  const facts = question.words.filter((word, at) => at > 0 && !isNeutralWord(word.norm) && !own.has(word.key));
  if (facts.length === 0 || isDenied(context, facts, subjects)) return null;
  let isUntold = false;
  for (const fact of facts) {
    const told = subjects.map(({ section }) => tells(evidence, section, fact.key));
    const missing = told.indexOf(false);
    if (missing === -1) continue;
    const isTold = told.includes(true);
    if (!isTold && !fact.key.startsWith("place:")) {
      isUntold = true;
      continue;
    }
    const subject = subjects[missing];
    const at = subject?.section.first;
    return {
      isYes: false,
      reason: `${context.subject} doesn't say ${quoteFact(fact)} of ${subject?.text ?? ""}.`,
      evidence: at === null || at === undefined ? [] : [spanOfSentence(context, at)],
    };
  }
  const other = findOtherAgent(context, subjects, facts);
  if (other !== null) return other;
  if (isUntold || !subjects.every(({ section }) => standTogether(context, section, facts))) return null;
  return {
    isYes: true,
    reason: `${context.subject} says ${facts.slice(0, 3).map(quoteFact).join(", ")} of ${subjects.map(({ text }) => text).join(" and of ")}.`,
    evidence: subjects.flatMap(({ section }) =>
      section.first === null ? [] : [spanOfSentence(context, section.first)],
    ),
  };
}

/** "Founded in Paris" is not said by "founded in Rome, now based in Paris": a deed and its place stand in one clause. */
function standTogether({ evidence }: Context, { sentences }: Section, facts: readonly Word[]): boolean {
  const [deed, place] = [facts.find(isPast), facts.find(({ isCapital }) => isCapital)];
  if (!deed || !place) return true;
  return splitClauses(evidence.source.text.text, evidence.words).some(({ from, to }) => {
    const words = evidence.words.slice(from, to);
    const isHere = sentences.has(words[0]?.sentence ?? -1);
    return isHere && [deed, place].every(({ key }) => words.some((word) => word.key === key));
  });
}

/** "Were Salt and Sand directed by Ann Lee?", where the passage has somebody else as who directed one of them. */
function findOtherAgent(context: Context, subjects: readonly Subject[], facts: readonly Word[]): Truth | null {
  const { evidence } = context;
  const named = findAskedAgent(context.question.words);
  const deeds = new Set(facts.flatMap((fact) => (fact.isCapital ? [] : [deedOf(fact)])));
  if (named.size === 0 || subjects.some(({ keys }) => !keys.isDisjointFrom(named))) return null;
  for (const { section, text } of subjects) {
    const told = agenciesOf(evidence.passage).filter(
      ({ deed, at }) => deeds.has(deed) && section.sentences.has(evidence.words[at]?.sentence ?? -1),
    );
    const isNamed = told.some(({ from, to }) => evidence.words.slice(from, to).some(({ key }) => named.has(key)));
    const [first] = told;
    if (!first || isNamed) continue;
    const start = evidence.words[first.from]?.start ?? 0;
    const agent = evidence.source.text.text.slice(start, evidence.words[first.to - 1]?.end ?? 0);
    return {
      isYes: false,
      reason: `${context.subject} has ${quote(agent)} for ${text}.`,
      evidence: [sentenceSpan(evidence, first.at)],
    };
  }
  return null;
}

/** The words of the name in "Did Ann Lee direct …" and "… directed by Ann Lee". */
function findAskedAgent(words: readonly Word[]): ReadonlySet<string> {
  const by = words.findIndex(({ norm }, at) => norm === "by" && words[at + 1]?.isCapital === true);
  const from = by !== -1 ? by + 1 : /^(did|does|has)$/.test(words[0]?.norm ?? "") ? 1 : words.length;
  const end = words.findIndex(({ isCapital }, at) => at >= from && !isCapital);
  return new Set(words.slice(from, end === -1 ? words.length : end).map(({ key }) => key));
}

/** Whether a sentence about one of the subjects has a "not" beside what is asked: then its words alone don't tell. */
function isDenied({ evidence }: Context, facts: readonly Word[], subjects: readonly Subject[]): boolean {
  return subjects.some(({ section }) =>
    [...section.sentences].some((index) => {
      const words = evidence.sentences.get(index) ?? [];
      return (
        words.some(({ norm }) => negations.has(norm) && norm !== "only") &&
        facts.some(({ key }) => words.some((word) => word.key === key))
      );
    }),
  );
}

function quoteFact({ raw }: Word): string {
  return `“${raw}”`;
}

interface Subject {
  readonly keys: ReadonlySet<string>;
  readonly section: Section;
  readonly text: string;
}

/** The names that the question is about: the two around "and", or the first. */
function findSubjects({ question, evidence, reading }: Context): readonly Subject[] {
  const { all, names, words } = question;
  const and = findAnd(words);
  const before = and ? names.findLast(({ to }) => (all[to - 1]?.end ?? 0) <= and.start) : undefined;
  const after = and ? names.find(({ from }) => (all[from]?.start ?? 0) > and.end) : undefined;
  if (!before || !after) return [];
  const pairs: readonly (readonly [Name, Name])[] = [
    [before, after],
    [after, before],
  ];
  const subjects = pairs.map(([name, other]) => {
    const keys = distinctKeys(all, name, other);
    const text = reading.prompt.text.slice(all[name.from]?.start ?? 0, all[name.to - 1]?.end ?? 0);
    return { keys, section: findSection(evidence, keys, distinctKeys(all, other, name)), text };
  });
  return complement(evidence.source.passage, subjects);
}

/** The "and" between two names: of more than one, that with a name right after it. */
function findAnd(words: readonly Word[]): Word | undefined {
  const isSame = words.some(({ norm }) => norm === "same");
  const isAnd = ({ norm }: Word, at: number): boolean => at > 0 && (norm === "and" || (isSame && norm === "as"));
  const next = (at: number): Word | undefined =>
    words[/^(the|a|an)$/.test(words[at + 1]?.norm ?? "") ? at + 2 : at + 1];
  return words.find((word, at) => isAnd(word, at) && next(at)?.isCapital === true) ?? words.find(isAnd);
}

/** A subject that the passage never names is what the rest of the passage is about. */
function complement(passage: readonly number[], subjects: readonly Subject[]): readonly Subject[] {
  return subjects.map((subject, index) => {
    if (subject.section.sentences.size > 0) return subject;
    const others = subjects[1 - index]?.section.sentences;
    const sentences = new Set(passage.filter((sentence) => others?.has(sentence) !== true));
    return { ...subject, section: { sentences, first: [...sentences][0] ?? null } };
  });
}

/** "The same nationality", "the same length": whether both sections have it. */
function compareSame(context: Context, subjects: readonly Subject[]): Truth | null {
  const [a, b] = subjects;
  const isYes = a && b ? haveSame(context, a.section, b.section) : null;
  if (isYes === null) return null;
  const evidence = subjects.flatMap(({ section }) =>
    section.first === null ? [] : [spanOfSentence(context, section.first)],
  );
  const names = subjects.map(({ text }) => text).join(" and ");
  return { isYes, reason: `${context.subject} has ${isYes ? "the same" : "different ones"} for ${names}.`, evidence };
}

function spanOfSentence({ evidence }: Context, sentence: number): ReturnType<typeof sentenceSpan> {
  const first = evidence.sentences.get(sentence)?.[0];
  return sentenceSpan(evidence, first ? evidence.words.indexOf(first) : 0);
}
