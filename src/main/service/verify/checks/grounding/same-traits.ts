import { kindsOf, monthOf, type Word } from "../../text/index.ts";
import type { Context } from "./context.ts";
import type { Evidence } from "./evidence.ts";
import { deedOf } from "./facts.ts";
import { isRole } from "./roles.ts";
import type { Section } from "./sections.ts";

/** In words. */
const longestChain = 12;
const farthestObject = 3;
const farthestYear = 8;
const noProfession = new Set(
  "member winner number center centre former other sister brother daughter father mother leader order character chapter border".split(
    " ",
  ),
);

/** "A Danish painter and film director, who …": what the first sentence of a section says somebody is. */
export function rolesOf({ evidence }: Context, { first }: Section): ReadonlySet<string> {
  const words = first === null ? [] : (evidence.sentences.get(first) ?? []);
  const copula = words.findIndex(({ norm }) => /^(is|was)$/.test(norm));
  const rest = copula === -1 ? [] : words.slice(copula + 1);
  const end = rest.findIndex(({ norm }) => /^(who|which|that|born|known|best|whose|for|from)$/.test(norm));
  const roles = rest
    .slice(0, end === -1 ? rest.length : end)
    .filter(
      (word) =>
        !word.isCapital && isRole({ ...word, norm: word.norm.replace(/s$/, "") }) && !noProfession.has(word.norm),
    );
  return new Set(roles.map(({ key }) => key));
}

/** Whether two have a role in common; null where it is a question of words: "poet" and "writer". */
export function shareRole(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean | null {
  if (a.size === 0 || b.size === 0) return null;
  if (!a.isDisjointFrom(b)) return true;
  const wider = (roles: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...roles].flatMap((role) => [role, ...kindsOf(role)]));
  return wider(a).isDisjointFrom(wider(b)) ? false : null;
}

/** "In Tarn, Ohio", "from Battle, East Velm": the places of the first sentence of a section, from the narrowest on, each by its keys. */
export function placesOf({ evidence }: Context, { first }: Section): readonly string[] {
  const words = first === null ? [] : (evidence.sentences.get(first) ?? []);
  const at = words.findIndex(
    ({ norm }, index) =>
      /^(in|from|at)$/.test(norm) && words[index + 1]?.isCapital === true && !isBeforeMonth(words, index),
  );
  if (at === -1) return [];
  const chain: string[][] = [];
  for (const [index, word] of words.slice(at + 1, at + 1 + longestChain).entries()) {
    const before = words[at + index];
    if (!word.isCapital || before === undefined) break;
    const gap = evidence.source.text.text.slice(before.end, word.start);
    if (index === 0 || /^,\s*$/.test(gap)) chain.push([word.key]);
    else if (gap === " " || gap === "-") chain.at(-1)?.push(word.key);
    else break;
  }
  return chain.map((keys) => keys.join(" "));
}

/** "In May" is no place. */
function isBeforeMonth(words: readonly Word[], at: number): boolean {
  return monthOf(words[at + 1]?.norm ?? "") > 0;
}

/** Those to whom or by whom a section has a deed: "orbits Jupiter", "directed by Ann Lee"; empty where it is not one alone. */
export function objectOf({ evidence }: Context, { sentences }: Section, deed: Word): ReadonlySet<string> {
  const found: ReadonlySet<string>[] = [];
  for (const index of sentences) {
    const words = evidence.sentences.get(index) ?? [];
    words.forEach((word, at) => {
      if (word.isCapital || deedOf(word) !== deedOf(deed)) return;
      const name = readName(evidence, words, at);
      if (name.size > 0) found.push(name);
    });
  }
  return found.length === 1 && found[0] ? found[0] : new Set();
}

function readName(evidence: Evidence, words: readonly Word[], verb: number): ReadonlySet<string> {
  const from = words.findIndex(({ isCapital }, at) => at > verb && at <= verb + farthestObject && isCapital);
  if (from === -1 || !words.slice(verb + 1, from).every(({ isFunction }) => isFunction)) return new Set();
  const keys = new Set<string>();
  for (let at = from; words[at]?.isCapital === true; at += 1) {
    const [word, before] = [words[at], words[at - 1]];
    if (!word || (at > from && evidence.source.text.text.slice(before?.end ?? 0, word.start) !== " ")) break;
    keys.add(word.key);
  }
  // "Directed by Ann Lee and Bo Chen" is by more than one.
  const [and, next] = words.slice(from + keys.size);
  const isMore = and?.norm === "and" && next?.isCapital === true;
  return isMore ? new Set() : keys;
}

/** The year that a section has after a deed. */
export function yearOf({ evidence }: Context, { sentences }: Section, deed: Word): ReadonlySet<string> {
  const years = new Set<string>();
  for (const at of evidence.words.keys()) {
    const word = evidence.words[at];
    if (!word || word.isCapital || !sentences.has(word.sentence) || deedOf(word) !== deedOf(deed)) continue;
    const year = evidence.words
      .slice(at + 1, at + 1 + farthestYear)
      .find(({ norm, sentence }) => sentence === word.sentence && /^[12]\d{3}$/.test(norm));
    if (year) years.add(year.norm);
  }
  return years.size === 1 ? years : new Set();
}
