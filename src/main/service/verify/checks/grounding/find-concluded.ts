import type { Context } from "./context.ts";
import { directionOf } from "./directions.ts";
import type { Chosen } from "./find-chosen.ts";
import { keysOfOptions } from "./question-options.ts";

const concludes = /^(?:so|hence|thus|therefore|answer)$/;
/** In words, from "so" to what is concluded: "so the answer would have to be Bergen". */
const reach = 8;

/** Which option a response comes to after it has told of both: "Salt has seven parts but Sand just five, so the answer is Sand". */
export function findConcluded({ question, answer }: Context): Chosen | null {
  const { words } = answer;
  const from = words.findLastIndex(({ norm }, at) => at > 0 && concludes.test(norm));
  if (question.options === null || from === -1) return null;
  const keys = keysOfOptions(question.all, question.options);
  const after = words.slice(from + 1);
  // What compares says for itself of which it is said.
  if (after.some(({ norm }) => norm === "not" || directionOf(norm) !== undefined)) return null;
  const at = after.findIndex(({ key }) => keys.some((own) => own.has(key)));
  if (at === -1 || at >= reach) return null;
  const option = keys[0].has(after[at]?.key ?? "") ? 0 : 1;
  if (after.some(({ key }) => keys[1 - option]?.has(key))) return null;
  return { option, from: from + 1 + at, to: from + 2 + at };
}

/**
 * Whether a response says of another than the one it names that it is the one: "The baker from Tarn is older; the other is Lees".
 * Told by a mark between what compares and the name.
 */
export function tellsOfAnother({ question, answer }: Context, { from, option }: Chosen): boolean {
  const { words, text, ignored } = answer;
  const name = words[from];
  const options = question.options;
  if (!name || options === null || option === "both") return false;
  const asked = question.words.map(({ norm }) => directionOf(norm)).find((direction) => direction !== undefined);
  const at = words.findIndex(
    ({ norm }, index) => !ignored.has(index) && asked !== undefined && directionOf(norm) === asked,
  );
  const compared = words[at];
  if (!compared || at > from || !/^(?:is|was|are|were|came)$/.test(words[at - 1]?.norm ?? "")) return false;
  return /[;,.:]/.test(text.text.slice(compared.end, name.start));
}
