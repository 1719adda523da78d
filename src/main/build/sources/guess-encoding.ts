import { analyse } from "chardet";
import type { Encoding } from "#contract";
import { decodeText, findEncoding } from "./encodings.ts";

/**
 * Encodings that have one byte for each character, with the letters beyond ASCII that their languages use often. Where two
 * fit alike, the one that is used more comes first.
 */
const candidates: readonly (readonly [Encoding, string])[] = [
  ["windows-1252", "äöüßàâçèéêëîïôùûœæåøñáíóúãõìò"],
  ["windows-1251", "оеаинтсрвл"],
  ["windows-1250", "ąćęłńóśźżáčďéěíňřšťúůýžäőöűüăâîșț"],
  ["windows-1253", "αοιετσνηυρ"],
  ["windows-1254", "şğıçöüâî"],
  ["windows-1255", "יוהלאתמרבש"],
  ["windows-1256", "اليمونرتبة"],
  ["windows-1257", "āčēģīķļņšūžąęėįųõäöü"],
  ["windows-874", "านรกอเงมยล"],
  ["koi8-r", "оеаинтсрвл"],
  ["koi8-u", "оеаинтсрвліїє"],
  ["cp850", "äöüßàâçèéêëîïôùûæåøñáíóúãõìò"],
  ["macintosh", "äöüßàâçèéêëîïôùûœæåøñáíóúãõìò"],
  ["ibm866", "оеаинтсрвл"],
  ["cp852", "ąćęłńóśźżáčďéěíňřšťúůýžäőöűü"],
  ["iso-8859-2", "ąćęłńóśźżáčďéěíňřšťúůýžäőöűü"],
  ["iso-8859-15", "äöüßàâçèéêëîïôùûœæåøñáíóúãõìò"],
  ["cp857", "şğıçöüâî"],
  ["iso-8859-6", "اليمونرتبة"],
  ["x-mac-cyrillic", "оеаинтсрвл"],
];

/** Characters beyond ASCII that stand between words: quotation marks, dashes, signs of currencies and of measures. */
const usualSigns = /[€£§°©®™«»„“”‚‘’–—…·•\u00a0¿¡ºª²³µ½¼№]/u;
const isBad = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
const words = /[\p{L}\p{M}]+/gu;
const scripts = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai"].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const,
);

/** Lines of a text that have characters beyond ASCII decide; so many of them. */
const mostCharacters = 20_000;

/** How much a word looks like one of a language, from 0 to 1. */
function rateWord(word: string, frequent: string): number {
  const characters = [...word.replaceAll(/\p{M}/gu, "")];
  const found = new Set(characters.map((one) => scripts.find(([, is]) => is.test(one))?.[0] ?? "other"));
  if (found.size > 1) return 0;
  // A capital after a small letter: what small letters of one encoding are in another.
  if (/\p{Ll}\p{Lu}/u.test(word)) return 0.2;
  const beyond = characters.filter((one) => one > "\u007f");
  const often = beyond.filter((one) => frequent.includes(one.toLowerCase())).length / Math.max(1, beyond.length);
  if (!found.has("Latin")) return 0.6 + 0.4 * Math.min(1, 2 * often);
  return beyond.length * 5 > characters.length * 4 ? 0.1 : 0.4 + 0.6 * often;
}

/** How much a text looks like one that was decoded as it was encoded: at most 1; -3 for characters that no text has. */
function rateText(text: string, frequent: string): number {
  let sum = 0;
  let count = 0;
  const rest = text.replaceAll(words, (word) => {
    const beyond = [...word].filter((one) => one > "\u007f").length;
    if (beyond === 0) return " ";
    sum += beyond * rateWord(word, frequent);
    count += beyond;
    return "¶";
  });
  for (const [at, one] of [...rest].entries()) {
    if (one <= "\u007f" || one === "¶") continue;
    count += 1;
    const isInWord = rest[at - 1] === "¶" && rest[at + 1] === "¶";
    sum += isBad.test(one) ? -3 : usualSigns.test(one) && !isInWord ? 0.8 : 0;
  }
  return count === 0 ? 0 : sum / count;
}

export interface GuessedEncoding {
  readonly encoding: Encoding;
  /** Whether another one fits nearly as well. */
  readonly isDoubtful: boolean;
}

/** What an encoding loses against the one before it, which is used more. */
const rarer = 0.004;
/** A margin that leaves no doubt. */
const clearMargin = 0.15;
/** From so much on, chardet's guess of an encoding with several bytes for a character is right. */
const sureConfidence = 40;

/** The most likely encoding of bytes that are not UTF-8; windows-1252, which spreadsheets still write, where they say little. */
export function guessByteEncoding(bytes: Buffer): GuessedEncoding {
  const wide = analyse(bytes).find(
    ({ lang, confidence }) => /^(ja|zh|ko)$/.test(lang ?? "") && confidence >= sureConfidence,
  );
  const encoding = findEncoding(wide?.name ?? "");
  if (encoding !== undefined && isWideText(withoutSpaces(decodeText(bytes, encoding)))) {
    return { encoding, isDoubtful: (wide?.confidence ?? 0) < 90 };
  }
  const sample = takeLines(bytes);
  const rated = candidates
    .map(([encoding, frequent], rank) => {
      const text = withoutSpaces(decodeText(sample, encoding));
      return { encoding, text, score: rateText(text, frequent) - rank * rarer };
    })
    .toSorted((a, b) => b.score - a.score);
  const [best, ...others] = rated;
  const next = others.find(({ text }) => text !== best?.text);
  const margin = (best?.score ?? 0) - (next?.score ?? 0);
  return {
    encoding: best?.encoding ?? "windows-1252",
    isDoubtful: (best?.score ?? 0) < 0.8 || margin < clearMargin || sample.length < 400,
  };
}

/** Whether a text can be Chinese, Japanese or Korean: most characters of these are not inside of Latin words. */
function isWideText(text: string): boolean {
  const all = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  const inside = text.match(/(?<=[a-z])[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}](?=[a-z])/gu)?.length ?? 0;
  return !isBad.test(text) && inside * 4 <= all;
}

const withoutSpaces = (text: string) => text.replaceAll(/[\s\0]+/g, " ");

/** The lines with bytes beyond ASCII. */
function takeLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let taken = 0;
  for (let from = 0; from < bytes.length && taken < mostCharacters; ) {
    const found = bytes.indexOf(0x0a, from);
    const end = found === -1 ? bytes.length : found + 1;
    const line = bytes.subarray(from, Math.min(end, from + mostCharacters));
    from = end;
    if (!line.some((byte) => byte > 0x7f)) continue;
    lines.push(line);
    taken += line.length;
  }
  return Buffer.concat(lines);
}
