import { foldText } from "#main/answers";
import { spacedLetter } from "../verify/text/scripts.ts";
import { createListReader, isAffirmed, isLeftOpen, type Mention } from "./label-words.ts";
import { foldCase } from "./texts.ts";
import type { AnswerGrader } from "./types.ts";

/** What a label is recognised by: case, and the spaces and brackets around it, don't count. */
export const labelKeyOf = (label: string) => foldCase(coreOf(foldText(label)));

/**
 * @param labels all that an answer may name
 * @param areSets whether an answer names several
 */
export function createLabelGrader(labels: readonly string[], areSets = false): AnswerGrader {
  const known = new Map(labels.map((label) => [labelKeyOf(label), label]));
  const cores = labels
    .map((label) => ({ label, core: coreOf(foldText(label)) }))
    .toSorted((a, b) => b.core.length - a.core.length);
  const readList = createListReader(cores.map(({ core }) => core));
  const simplify = createSimplifier(cores.map(({ core }) => core));
  /** The labels that are letters in brackets, say, which is how answers name them where they discuss them. */
  const written = cores.flatMap(({ label }) => {
    const whole = foldText(label).trim();
    return /^\W.*\W$/u.test(whole) && coreOf(whole) !== whole ? [{ label, core: whole }] : [];
  });

  const readWhole = (text: string) =>
    known.get(labelKeyOf(text.replace(/^[\s"'*`_([]+|[\s"'*`_)\].!]+$/g, ""))) ?? null;

  /** The labels that a text affirms, each as one of these. */
  function findAll(text: string, wanted: typeof cores): ReadonlySet<string> {
    let exact = text;
    let lower = lowerCase(text);
    const affirmed = new Set<string>();
    for (const { label, core } of wanted) {
      // "A" is a label where "a" is an article.
      const isLetter = /^\p{Lu}$/u.test(core);
      const mentions = [...findMentions(isLetter ? exact : lower, isLetter ? core : lowerCase(core))];
      if (mentions.some((mention) => isAffirmed(text, { ...mention, label: core }, readList))) affirmed.add(label);
      exact = blankOut(exact, mentions);
      lower = blankOut(lower, mentions);
    }
    return affirmed;
  }

  /** All labels that an answer affirms. */
  const readAll = (answer: string) => [...findAll(simplify(answer), cores)];

  /** The only label that a text affirms; null where it affirms none, or more than one. */
  function findOnly(text: string): string | null {
    const found = findAll(text, cores);
    const [only = null, ...others] = found.size > 1 && written.length === cores.length ? findAll(text, written) : found;
    return others.length === 0 ? only : null;
  }

  const readLabel = (text: string) => readWhole(text) ?? findOnly(text) ?? findOnly(withoutReasons(text));

  /** The label at the first words of a conclusion, or the only one of its first sentence, or of all that follows. */
  function readConclusion(text: string): string | null {
    const [first = ""] = text.split(/(?<=[.!?])\s|\n/, 1);
    const [head = ""] = first.split(/[,;:.(–—]| - | because | since | as /, 1);
    const rest = first.slice(head.length);
    const isOpen = isLeftOpen(rest) || readList(rest) !== "";
    return (isOpen ? null : readWhole(head)) ?? readLabel(first) ?? readLabel(text);
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
    ...(areSets && { readList: readAll }),
    gradeSet(answer, expected) {
      const wanted = new Set(expected.map((label) => known.get(labelKeyOf(label)) ?? label));
      const given = readAll(answer);
      const passed = new Set(given).symmetricDifference(wanted).size === 0;
      const why = `The answer names ${given.length === 0 ? "none of the labels" : given.join(", ")}${passed ? ", as expected" : ""}.`;
      return { passed, given: given.length === 0 ? null : given.join(", "), why };
    },
    grade(answer, expected) {
      const wanted = known.get(labelKeyOf(expected)) ?? expected;
      const given = readAnswer(simplify(answer));
      if (given === null) {
        return { passed: false, expected: wanted, given, why: "The answer names none of the labels, or several." };
      }
      const passed = given === wanted;
      return { passed, expected: wanted, given, why: `The answer names ${given}${passed ? ", as expected" : ""}.` };
    },
  };
}

/** What parts the items of a label that is a list, which no text has. */
const itemMark = "\u0001";

/** A label without the brackets around it, and in one form where it is a list: `(A)` and `A)` are "A". */
function coreOf(label: string): string {
  const trimmed = label.trim();
  const short = /^[([{"'`*]*\s*([\p{L}\p{N}]{1,3})\s*[)\]}"'`*.:]*$/u.exec(trimmed)?.[1];
  const inner = short ?? /^\(([^()]+)\)$|^\[([^[\]]+)\]$/.exec(trimmed)?.slice(1).find(Boolean)?.trim() ?? trimmed;
  const items = inner.split(/\s*[,;&]\s*(?:and\s+)?|\s+and\s+/);
  return items.length > 1 && items.every((item) => /^[\p{L}\p{N}()[\]]{1,5}$/u.test(item))
    ? items.map((item) => item.replaceAll(/[()[\]]/g, "")).join(itemMark)
    : inner;
}

/** Puts a text into the words of the labels: "a and c" where "a, c" is one, and 4 for "4/5" where they are whole numbers. */
function createSimplifier(cores: readonly string[]): (text: string) => string {
  const lists = cores
    .filter((core) => core.includes(itemMark))
    .map((core) => {
      const items = core.split(itemMark).map((item) => `[([]?${RegExp.escape(item)}[)\\]]?`);
      const joint = "\\s*(?:[,;&/+]\\s*(?:(?:and|und|et|y|e)\\s+)?|(?:and|und|et|y|e)\\s+)";
      const list = new RegExp(`(?<![\\p{L}\\p{N}])${items.join(joint)}(?![\\p{L}\\p{N}])`, "giu");
      return { core, list };
    });
  const areNumbers = cores.length > 0 && cores.every((core) => /^\d+$/.test(core));
  const highest = areNumbers ? Math.max(...cores.map(Number)) : null;
  return (text) => {
    let simple = text;
    for (const { core, list } of lists) simple = simple.replaceAll(list, () => core);
    return highest === null ? simple : withoutScale(simple, highest);
  };
}

const scale =
  /(?<![\d/.,])(\d+(?:[.,]\d+)?)\s*(?:\/|\b(?:out of|of|von|sur|de|su)\b)\s*(\d+)(?![\d/]|[.,]\d)(?:\s+(\p{L}+))?/giu;
/** A score may be followed by its unit ("4/5 stars") or by a reason. Before any other word, the two numbers are a count. */
const afterScale =
  /^(?:stars?|points?|marks?|sternen?|punkten?|étoiles?|estrellas?|puntos?|stell[ae]|punti|estrelas?|pontos?|because|since|as|for|on|in|with|and|but|so|due|overall|weil|für|pour|porque|per|para)$/iu;
/** No row may have the best score: a scale can go beyond the highest label, but not to this many times its value. */
const mostOfHighest = 2;

/** "4/5" is 4 on a scale that ends at 5, and no label on a longer scale; "3 of 5 criteria" are a count. */
function withoutScale(text: string, highest: number): string {
  return text.replaceAll(scale, (_all, value: string, of: string, word = "") => {
    const end = Number(of);
    const isOnScale = end === highest || (end > highest && end < mostOfHighest * highest);
    const isCount = word !== "" && !afterScale.test(word);
    return `${isOnScale && !isCount && /^\d+$/.test(value) ? value : "\0"}${word === "" ? "" : ` ${word}`}`;
  });
}

/** A text without why: the labels that a reason rules out are not the answer. */
function withoutReasons(text: string): string {
  return text.replaceAll(
    /(?<![\p{L}\p{N}])(?:because|since|weil|parce que|porque|perché)(?![\p{L}\p{N}])[^.!?\n]*|因为[^。\n]*/giu,
    " ",
  );
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
