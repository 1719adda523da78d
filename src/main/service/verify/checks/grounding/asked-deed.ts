import type { Word } from "../../text/index.ts";
import { deedOf, isModal, isPast, isPresent, linkOf, prepositions } from "./facts.ts";
import type { Question } from "./question.ts";

/** "Who directed …", "… directed by whom", "Who is the director of …", "… based in which city": the deed that is asked for. */
export function findAskedDeed({ words, types }: Question): string | null {
  const last = types.at(-1);
  for (let at = 0; at < words.length; at += 1) {
    const [word, next, third] = [words[at], words[at + 1], words[at + 2]];
    if (!word || !next) continue;
    const isAsked = /^(who|whom|which|what)$/.test(third?.norm ?? "");
    if (next.norm === "by" && isAsked) return deedOf(word);
    if (prepositions.has(next.norm) && isAsked && !word.isFunction) return linkOf(word, next);
    const asksWho =
      (word.norm === "who" && !isRelative(words[at - 1])) ||
      (word === last && next.norm === "starred" && /^act(or|ress)$/.test(word.norm));
    if (word.norm === "who" && asksWho && (isModal(next) || isPresent(next, third))) {
      return deedOf(isModal(next) ? (third ?? next) : next);
    }
    if (
      (asksWho || word === last) &&
      (isPast(next) || (asksWho && next.norm === "starred")) &&
      words[at + 2]?.norm !== "by"
    )
      return deedOf(next);
    if (asksWho && word.norm === "who" && /^(is|was|are|were)$/.test(next.norm) && third?.norm === "the") {
      const noun = words[at + 3];
      return noun && words[at + 4]?.norm === "of" ? deedOf(noun) : null;
    }
  }
  return null;
}

/** The thing of "Who wrote the script of …?". */
export function findAskedThing({ words }: Question): string | null {
  const at = words.findIndex(({ norm }, index) => norm === "who" && !isRelative(words[index - 1]));
  const [verb, article, thing, next] = words.slice(at + 1, at + 5);
  if (at === -1 || !verb || !isPast(verb) || article?.norm !== "the" || !thing || thing.isCapital) return null;
  return next === undefined || next.isFunction ? deedOf(thing) : null;
}

/** "The man who directed …": what comes after is known of him and not asked. */
function isRelative(before: Word | undefined): boolean {
  return before !== undefined && !before.isFunction && !/^(question|q)$/.test(before.norm);
}
