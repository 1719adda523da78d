import { isCalendarWord, type Word } from "../../../text/index.ts";
import type { Evidence } from "../evidence.ts";
import { nameKindOf } from "./name-kinds.ts";
import type { Candidate, Mention } from "./read-candidates.ts";

/** Whom or what a sentence is about, as indexes of candidates. */
export interface Topic {
  /** Its subject, or that of the sentences before where it names none of its own. */
  readonly subject: number | null;
  /** What its paragraph opens with, as an article of an encyclopedia opens with its title. */
  readonly title: number | null;
}

interface Named extends Mention {
  readonly candidate: number;
}

const pronouns = /^(he|she|it|they|his|her|its|their|this|these|both)$/;
const ofPerson = /^(he|she|his|her)$/;
const ofThing = /^(it|its)$/;
/** What opens a phrase before the subject: "In 1905, Smith", "Together with Lee, he". */
const openings =
  /^(in|on|at|by|from|after|before|during|since|until|as|with|together|for|under|when|while|following|despite|although|though|born|released|originally|later|between|according|based|among|along|through|throughout|over|because|to|once|unlike|like|of|set|built|named|starring|directed)$/;
/** So near to where a sentence or its main part begins stands its subject. In words. */
const farthestSubject = 2;
const longestOpening = 16;

/** What each sentence of the evidence is about, by the index of the sentence. */
export function trackTopics(
  { sentences, words, source }: Evidence,
  candidates: readonly Candidate[],
): ReadonlyMap<number, Topic> {
  const { text } = source.text;
  const named = groupBySentence(candidates);
  const people = candidates.map((candidate) => isPerson(words, candidate));
  const topics = new Map<number, Topic>();
  let subject: number | null = null;
  let title: number | null = null;
  let from = 0;
  for (const [index, own] of sentences) {
    while (from < words.length && words[from] !== own[0]) from += 1;
    const opened = findSubject(text, own, from, named.get(index) ?? []);
    if (topics.size === 0 || (opensParagraph(text, own) && !pronouns.test(own[0]?.norm ?? ""))) {
      subject = opened;
      title = opened;
    } else subject = opened ?? goOn(own[0], people, subject, title);
    topics.set(index, { subject, title });
  }
  return topics;
}

function groupBySentence(candidates: readonly Candidate[]): ReadonlyMap<number, readonly Named[]> {
  const all = candidates.flatMap(({ kind, mentions }, candidate) =>
    kind === "name" ? mentions.map((mention) => ({ ...mention, candidate })) : [],
  );
  return Map.groupBy(
    all.toSorted((a, b) => a.from - b.from || b.to - a.to),
    ({ sentence }) => sentence,
  );
}

function isPerson(words: readonly Word[], { kind, mentions }: Candidate): boolean {
  return (
    kind === "name" &&
    mentions.some(({ from, to }) => {
      const known = nameKindOf(words[from]?.norm ?? "");
      return to - from > 1 && (known === "male" || known === "female" || known === "person");
    })
  );
}

/** "He" goes on about somebody, "it" about something; what fits neither way goes on as before. */
function goOn(
  opening: Word | undefined,
  people: readonly boolean[],
  subject: number | null,
  title: number | null,
): number | null {
  if (subject === null || title === null) return subject ?? title;
  const norm = opening?.norm ?? "";
  const isMisled = ofPerson.test(norm) ? !people[subject] && people[title] : people[subject] && !people[title];
  return isMisled && (ofPerson.test(norm) || ofThing.test(norm)) ? title : subject;
}

/** Paragraphs may be glued together, without a space between them. */
function opensParagraph(text: string, [first]: readonly Word[]): boolean {
  if (!first) return false;
  let at = first.start - 1;
  while (at >= 0 && "\"“('".includes(text.charAt(at))) at -= 1;
  return at < 0 || !" \t".includes(text.charAt(at));
}

/** The candidate that a sentence opens with, at once or after a phrase; null where it goes on about the same. */
function findSubject(text: string, own: readonly Word[], from: number, named: readonly Named[]): number | null {
  const start = openings.test(own[0]?.norm ?? "") ? endOfOpening(text, own) : 0;
  if (start === null) return null;
  const [first, second] = [own[start], own[start + 1]];
  if (pronouns.test(first?.norm ?? "") || (first?.norm === "the" && second?.isCapital === false)) return null;
  const next = named.find((mention) => mention.from >= from + start);
  return next !== undefined && next.from - from - start <= farthestSubject ? next.candidate : null;
}

/** Where the subject follows a phrase: after its comma, at "he", or at a name right after a year. */
function endOfOpening(text: string, own: readonly Word[]): number | null {
  for (let at = 0; at < Math.min(own.length - 1, longestOpening); at += 1) {
    const [word, next] = [own[at], own[at + 1]];
    if (!word || !next) break;
    if (text.slice(word.end, next.start).includes(",")) return at + 1;
    if (at > 0 && pronouns.test(word.norm)) return at;
    if (word.isNumber && next.isCapital && !isCalendarWord(next.norm)) return at + 1;
  }
  return null;
}
