import { type AnswerGrader, GraderError } from "./types.ts";

/** Most different values that a column of labels has. */
const mostLabels = 100;

const keyOf = (label: string) => label.trim().toLowerCase();

/** The different values of a column, in their order; two that differ only by case are one, and blank cells none. */
export async function collectLabels(cells: AsyncIterable<readonly string[]>): Promise<string[]> {
  const labels = new Map<string, string>();
  for await (const some of cells) {
    for (const cell of some) {
      const key = keyOf(cell);
      if (key !== "" && !labels.has(key)) labels.set(key, cell.trim());
    }
    if (labels.size > mostLabels) {
      throw new GraderError(`The column has more than ${mostLabels} different values: it is no column of labels.`);
    }
  }
  return [...labels.values()];
}

/** @param labels all that an answer may name */
export function createLabelGrader(labels: readonly string[]): AnswerGrader {
  const known = new Map(labels.map((label) => [keyOf(label), label]));
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);

  /** The only label that stands in a text; null where there is none, or more than one. */
  function findOnly(text: string, prepare: (text: string) => string): string | null {
    let rest = prepare(text);
    const found: string[] = [];
    for (const label of longestFirst) {
      const without = removeWord(rest, prepare(label));
      if (without !== rest) found.push(label);
      rest = without;
    }
    const [only = null, ...others] = found;
    return others.length === 0 ? only : null;
  }

  /** The label that is the whole text or its only one: "A" and "a" differ where that decides. */
  function readLabel(text: string): string | null {
    const whole = known.get(keyOf(text.replace(/^[\s"'*`([]+|[\s"'*`)\].!]+$/g, "")));
    return whole ?? findOnly(text, (part) => part) ?? findOnly(text, (part) => part.toLowerCase());
  }

  return {
    findMistake: (expected) => (known.has(keyOf(expected)) ? null : "The expected label is empty."),
    grade(answer, expected) {
      const wanted = known.get(keyOf(expected)) ?? expected;
      const lastLine = answer.trimEnd().split("\n").at(-1) ?? "";
      const conclusion =
        answer
          .split(/\banswer\b/i)
          .slice(1)
          .at(-1) ?? "";
      const given = readLabel(answer) ?? readLabel(lastLine) ?? readLabel(conclusion);
      if (given === null) {
        return { passed: false, expected: wanted, given, why: "The answer names none of the labels, or several." };
      }
      const passed = given === wanted;
      return { passed, expected: wanted, given, why: `The answer says ${given}${passed ? ", as expected" : ""}.` };
    },
  };
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** A text without a word or phrase, wherever it is no part of a longer word. */
function removeWord(text: string, word: string): string {
  let result = "";
  let from = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, from)) {
    const end = at + word.length;
    const isPart = joins(text.charAt(at - 1), word.charAt(0)) || joins(word.slice(-1), text.charAt(end));
    result += isPart ? text.slice(from, end) : `${text.slice(from, at)}\0`;
    from = end;
  }
  return result + text.slice(from);
}

function joins(left: string, right: string): boolean {
  return wordCharacter.test(left) && wordCharacter.test(right);
}
