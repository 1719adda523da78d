import { monthOf, type Word } from "../../text/index.ts";
import type { Evidence } from "./evidence.ts";

/** A point in time that a text gives, as exactly as it gives it. */
export interface Moment {
  readonly year: number;
  /** Zero where it isn't given; so is the day. */
  readonly month: number;
  readonly day: number;
  readonly isCentury: boolean;
  /** Whose it is: the start or the end of a life ("(4 May 1904 – 2 June 1980)", "born in 1904", "died in 1980"), or of anything else. */
  readonly of: "birth" | "death" | "event";
  /** Whether it stands in brackets with another, without a month: "(1844–1846)", as lives and works have them. */
  readonly isSpan: boolean;
  /** Its index among the words. */
  readonly at: number;
}

const reach = 8;

/** The moments of some words of one sentence: `[from, to)`. Years before Christ are none: they count backwards. */
export function readMoments({ words, source }: Evidence, from: number, to: number): readonly Moment[] {
  const found: Moment[] = [];
  const { text } = source.text;
  for (let at = from; at < to; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (!word || /^(bc|bce)$/.test(next?.norm ?? "")) continue;
    const century = /^(\d{1,2})(st|nd|rd|th)$/.exec(word.norm);
    if (century && /^centur(y|ies)$/.test(next?.norm ?? "")) {
      const year = Number.parseInt(word.norm, 10) * 100 - 50;
      found.push({ year, month: 0, day: 0, isCentury: true, of: "event", isSpan: false, at });
    } else if (/^[12]\d{3}s?$/.test(word.norm)) {
      found.push({ ...readDay(words, at), ...readOwner(text, words, at), isCentury: false, at });
    }
  }
  return found;
}

/** Which of two moments comes first; 0 where they are the same as far as both are given. */
export function compareMoments(a: Moment, b: Moment): number {
  if (a.isCentury || b.isCentury) return Math.ceil(a.year / 100) - Math.ceil(b.year / 100);
  if (a.year !== b.year || a.month === 0 || b.month === 0) return a.year - b.year;
  return a.month !== b.month || a.day === 0 || b.day === 0 ? a.month - b.month : a.day - b.day;
}

function readDay(words: readonly Word[], at: number): Pick<Moment, "year" | "month" | "day"> {
  const near = words.slice(Math.max(0, at - 2), at).filter(({ sentence }) => sentence === words[at]?.sentence);
  const month = near.map(({ norm }) => monthOf(norm)).find((index) => index > 0) ?? 0;
  const days = near.map(({ norm }) => (/^\d{1,2}(st|nd|rd|th)?$/.test(norm) ? Number.parseInt(norm, 10) : 0));
  const day = month === 0 ? 0 : (days.find((value) => value > 0 && value < 32) ?? 0);
  return { year: Number.parseInt(words[at]?.norm ?? "", 10), month, day };
}

/** Whether a year is of a life: from the brackets that it stands in, or from "born" or "died" before it. */
function readOwner(text: string, words: readonly Word[], at: number): Pick<Moment, "of" | "isSpan"> {
  const word = words[at];
  if (!word) return { of: "event", isSpan: false };
  for (let back = at - 1; back >= Math.max(0, at - reach); back -= 1) {
    const before = words[back];
    if (!before || before.sentence !== word.sentence) break;
    // "The Austrian-born biologist, who won it in 1962."
    if (before.norm === "born" && text.charAt(before.start - 1) !== "-") return { of: "birth", isSpan: false };
    if (/^(died|dies|death|killed)$/.test(before.norm)) return { of: "death", isSpan: false };
    if (/^[12]\d{3}$/.test(before.norm)) break;
  }
  const inside = readBrackets(text, word.start);
  const ends =
    inside === null
      ? null
      : /[12]\d{3}[^\d–—-]{0,20}[–—-][^\d–—-]{0,20}(\d{1,2}[^\d–—-]{0,20})?[12]\d{3}/.exec(inside.text);
  const own = inside ? word.start - inside.start : 0;
  if (!ends || own < ends.index || own >= ends.index + ends[0].length) return { of: "event", isSpan: false };
  const isLife = words.slice(Math.max(0, at - 2), at).some(({ norm }) => monthOf(norm) > 0);
  return { of: isLife ? (own === ends.index ? "birth" : "death") : "event", isSpan: true };
}

const widestBrackets = 160;

/** What stands in the brackets around a place. */
function readBrackets(text: string, at: number): { readonly start: number; readonly text: string } | null {
  const before = text.slice(Math.max(0, at - widestBrackets), at);
  const open = before.lastIndexOf("(");
  if (open === -1 || before.indexOf(")", open) !== -1) return null;
  const start = at - before.length + open + 1;
  const end = text.slice(at, at + widestBrackets).indexOf(")");
  return end === -1 ? null : { start, text: text.slice(start, at + end) };
}
