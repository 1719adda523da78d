import { monthPattern, type Word } from "../../../../../text/index.ts";
import type { Passage } from "../../../passage.ts";
import type { Mention } from "../../read-candidates.ts";
import { isEvent } from "./events.ts";

/** What a year of the passage is the year of, as far as the words beside it tell. */
export interface YearPlace {
  /** "(1912 – 1999)", "born in 1934", "lived until 1994" */
  readonly life: "birth" | "death" | null;
  /** The nearest word that says what happened. */
  readonly event: Word | null;
  /** "a 1932 film", "Salaam Bombay (1988)": when a work came out. */
  readonly isOfWork: boolean;
}

/** To each side. In characters. */
const longestBracket = 90;
const farthestEvent = 14;
/** In years. Brackets with less, or more, are of no life. */
const [shortestLife, longestLife] = [20, 110];
const month = new RegExp(monthPattern, "i");
const year = /\b[12]\d{3}\b/g;

/** Reads what the year at a place is of. */
export function readYearPlace({ text: { text }, words }: Passage, mention: Mention): YearPlace {
  const { from } = mention;
  const [before, word] = [words[from - 1], words[from]];
  const start = word?.start ?? 0;
  const event = findEvent(text, words, mention);
  return {
    life: readLife(text, start) ?? bornOrDied(event, before),
    event,
    isOfWork: /^(a|an)$/.test(before?.norm ?? "") || /^["”]? \($/.test(text.slice(before?.end, start)),
  };
}

/** "(January 29, 1912 – 3 June 1999)", "(born 1952)": by which of a bracket's years it is. */
function readLife(text: string, at: number): YearPlace["life"] {
  const before = text.slice(Math.max(0, at - longestBracket), at);
  const open = before.lastIndexOf("(");
  if (open === -1 || before.includes(")", open)) return null;
  const rest = text.slice(at, at + longestBracket);
  const end = rest.indexOf(")");
  if (end === -1) return null;
  const inside = before.slice(open + 1) + rest.slice(0, end);
  const [first, second, third] = inside.matchAll(year);
  if (!first) return null;
  const isFirst = first.index === before.length - open - 1;
  if (isFirst && /^(born|b\.)/.test(inside)) return "birth";
  if (!second || third || !/[–—-]/.test(inside.slice(first.index, second.index))) return null;
  const span = Number(second[0]) - Number(first[0]);
  if (span < shortestLife || span > longestLife) return null;
  if (!month.test(inside) && !/^\d{4} ?[–-] ?\d{4}$/.test(inside)) return null;
  return isFirst ? "birth" : "death";
}

function bornOrDied(event: Word | null, before: Word | undefined): YearPlace["life"] {
  if (event?.norm === "born") return "birth";
  if (event?.norm === "lived" && before?.norm === "until") return "death";
  return event !== null && /^(died|dies|death)$/.test(event.norm) ? "death" : null;
}

/** The nearest word before the year in its part of the sentence that says what happened; else the first after it. */
function findEvent(text: string, words: readonly Word[], { from, to, sentence }: Mention): Word | null {
  const goesOn = (at: number, next: number): boolean =>
    words[at]?.sentence === sentence &&
    !/[;()]/.test(text.slice(words[Math.min(at, next)]?.end, words[Math.max(at, next)]?.start));
  for (let at = from - 1; at >= Math.max(0, from - farthestEvent) && goesOn(at, at + 1); at -= 1) {
    const word = words[at];
    if (word && isEvent(word)) return word;
  }
  for (let at = to; at < Math.min(words.length, to + farthestEvent) && goesOn(at, at - 1); at += 1) {
    const word = words[at];
    if (word && isEvent(word)) return word;
  }
  return null;
}
