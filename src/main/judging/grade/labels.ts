import { withoutThoughts } from "../verify/model/ask-model.ts";
import { spacedLetter } from "../verify/text/scripts.ts";
import { foldCase } from "./texts.ts";
import type { AnswerGrader } from "./types.ts";

/** What a label is recognised by: case and the spaces around it don't count. */
export const labelKeyOf = (label: string) => foldCase(label.trim());

/** @param labels all that an answer may name */
export function createLabelGrader(labels: readonly string[]): AnswerGrader {
  const known = new Map(labels.map((label) => [labelKeyOf(label), label]));
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);

  const readWhole = (text: string) =>
    known.get(labelKeyOf(text.replace(/^[\s"'*`_([]+|[\s"'*`_)\].!]+$/g, ""))) ?? null;

  /** The only label that a text affirms; null where it affirms none, or more than one. */
  function findOnly(text: string): string | null {
    let exact = text;
    let lower = lowerCase(text);
    const affirmed = new Set<string>();
    for (const label of longestFirst) {
      // "A" is a label where "a" is an article.
      const isLetter = /^\p{Lu}$/u.test(label);
      const mentions = [...findMentions(isLetter ? exact : lower, isLetter ? label : lowerCase(label))];
      if (mentions.some((mention) => isAffirmed(text, { ...mention, label }))) affirmed.add(label);
      exact = blankOut(exact, mentions);
      lower = blankOut(lower, mentions);
    }
    const [only = null, ...others] = affirmed;
    return others.length === 0 ? only : null;
  }

  const readLabel = (text: string) => readWhole(text) ?? findOnly(text);

  /** The label at the first words of a conclusion, or the only one of its first sentence, or of all that follows. */
  function readConclusion(text: string): string | null {
    const [first = ""] = text.split(/(?<=[.!?])\s|\n/, 1);
    const [head = ""] = first.split(/[,;:.(–—]| - | because | since | as /, 1);
    return readWhole(head) ?? readLabel(first) ?? readLabel(text);
  }

  /** What an answer comes to: what it marks as its conclusion, else its only label, else that of its last or first line. */
  function readAnswer(text: string): string | null {
    const whole = readWhole(text);
    if (whole !== null) return whole;
    for (const mark of conclusions) {
      for (const { index, 0: found } of [...text.matchAll(mark)].slice(-mostConclusions).reverse()) {
        const start = index + found.length;
        const label = readConclusion(text.slice(start, start + longestConclusion).replace(/^[\s*_`"'([]+/, ""));
        if (label !== null) return label;
      }
    }
    const only = readLabel(text);
    if (only !== null) return only;
    const lines = text.trim().split(/\s*\n\s*/);
    const [last, first] = [lines.at(-1) ?? "", lines[0] ?? ""];
    const [firstSentence = ""] = first.split(/(?<=[.!?])\s/, 1);
    const [ofLast, ofFirst] = [readWhole(last), readWhole(firstSentence)];
    if (ofLast !== null && ofFirst !== null) return ofLast === ofFirst ? ofLast : null;
    return ofLast ?? ofFirst ?? (lines.length > 1 ? readLabel(last) : null);
  }

  return {
    findMistake: (expected) => (known.has(labelKeyOf(expected)) ? null : "The expected label is empty."),
    grade(answer, expected) {
      const wanted = known.get(labelKeyOf(expected)) ?? expected;
      const given = readAnswer(withoutThoughts(answer).replaceAll(/[\u200b-\u200d\ufeff]/g, ""));
      if (given === null) {
        return { passed: false, expected: wanted, given, why: "The answer names none of the labels, or several." };
      }
      const passed = given === wanted;
      return { passed, expected: wanted, given, why: `The answer says ${given}${passed ? ", as expected" : ""}.` };
    },
  };
}

/** As long as the text is, so that places in one are places in the other. */
const lowerCase = (text: string) =>
  text.replaceAll(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** Of each kind of conclusion, how many are looked at from the last one on, and how far. */
const mostConclusions = 5;
const longestConclusion = 2_000;

/** What an answer's conclusion follows, the surest first. */
const conclusions = [
  /\bfinal (?:answer|label|verdict|decision|classification)\b[*_"'`)\]]*\s*(?:is|would be|:|=|-|–|—)/gi,
  /\b(?:correction|on second thought|no, wait)\b[*_]*\s*[:,]/gi,
  /\b(?:answer|option|choice|label|category|classification|sentiment|class|verdict|decision|result|conclusion|overall)\b[*_"'`)\]]*\s*(?:is|would be|must be|should be|:|=)/gi,
  /\banswer\b(?=[^\p{L}\p{N}\n.]{1,4}[\p{L}\p{N}]{1,40}[^\p{L}\p{N}\n]{0,4}$)/gimu,
];

/** A text of the same length without these parts, so that no shorter label is found inside a longer one. */
function blankOut(text: string, parts: readonly Pick<Mention, "start" | "end">[]): string {
  let from = 0;
  const kept = parts.map(({ start, end }) => {
    const piece = text.slice(from, start) + "\0".repeat(end - start);
    from = end;
    return piece;
  });
  return kept.join("") + text.slice(from);
}

interface Mention {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Where a word or phrase is in a text, but as a part of a longer word. */
function* findMentions(text: string, word: string): Generator<Omit<Mention, "label">> {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    const isPart =
      (wordStart.test(word) && wordBefore.test(text.slice(Math.max(0, at - 2), at))) ||
      (wordEnd.test(word) && wordAfter.test(text.slice(end, end + 2))) ||
      (/^\d/.test(word) && numberBefore.test(text.charAt(at - 1))) ||
      (/\d$/.test(word) && numberAfter.test(text.slice(end, end + 2)));
    if (!isPart) yield { start: at, end };
  }
}

const wordStart = /^[\p{L}\p{N}_]/u;
const wordEnd = /[\p{L}\p{N}_]$/u;
const wordBefore = new RegExp(`${spacedLetter}-?$|\\d[.,]$`, "u");
const wordAfter = new RegExp(`^(?:${spacedLetter}|[#+]|-\\p{L})`, "u");
/** What makes a label that is a number a part of another one: "-1", "2.5". */
const numberBefore = /[-−]$/;
const numberAfter = /^[.,]\d/;

/** Words that negate, or reject one thing for another; English, German, French, Spanish, Italian, Portuguese, Chinese. */
const negation =
  /(?<![\p{L}\p{N}])(?:not?|never|neither|nor|cannot|\p{L}+n['’]t|rather than|instead of|as opposed to|unlike|hardly|barely|far from|anything but|nothing|lack(?:s|ing)?|(?:wrong|incorrect|false|untrue|mistake) (?:to|that)|nicht|keine?[nrms]?|nie|pas|non|não|nunca|jamais)(?![\p{L}\p{N}])|[不非没]/iu;
/** Where a negation is none. */
const assurance =
  /\b(?:no (?:doubt|question)|without (?:a |any )?doubt|not (?:only|just|merely)|nothing but|none other than|kein(?:en)? zweifel|sin duda|sans (?:aucun )?doute|senza dubbio|sem dúvida)\b/giu;
/** What ends the part of a sentence that a negation holds for. */
const clauseEnd =
  /[.,;:!?()[\]\n–—。，；]| - |(?<![\p{L}]|anything )(?:but|sondern|aber|mais|sino|pero|mas|because|however|although|though|and (?:is|it|so|therefore)|so)(?![\p{L}])/giu;
/** What says after a label that it is not the one. */
const rejection =
  /^[*_"'`)\]]*\s+(?:\p{L}+n['’]t|(?:is|was|does|can|would|could|must|seems?|are)\b[^.,;:!?\n]{0,30}\b(?:not|wrong|incorrect|ruled out|excluded|eliminated|unlikely|impossible))\b/iu;
/** What follows a label that is also a word of grammar ("A", "no") where it is meant as the label. */
const standsAlone =
  /^(?:["'*`_)\]]*(?:$|[^\p{L}\p{N}\s"'*`_]|\s+(?:[^\p{L}\p{N}]|(?:is|was|because|since|as|and|or|but|would|seems|fits|with|it|he|she|they|this|that|the|there|you|we|I)\b)|\s*\n))/u;
const grammar = /^(?:an?|i|no|so|as|it|is|on|or|o|e|y|un)$/i;

/** Whether a text says that the label is the one: neither denied, nor asked about, nor a word of grammar that looks like it. */
function isAffirmed(text: string, { start, end, label }: Mention): boolean {
  const after = text.slice(end);
  if (grammar.test(label) && !standsAlone.test(after)) return false;
  if (/^["'*`_)\]]*\s*\?/.test(after) || rejection.test(after)) return false;
  const before = text
    .slice(Math.max(0, start - 200), start)
    .replaceAll(assurance, " ")
    .replaceAll(/((?:\bnot|n['’]t)), [^,.\n]{1,40}, /gi, "$1 ");
  return !negation.test(before.split(clauseEnd).at(-1) ?? "");
}
