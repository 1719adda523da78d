import type { Check, Finding } from "../../types.ts";
import { findInstructions } from "./find-instructions.ts";
import type { Rule } from "./instruction.ts";
import { checkEdges } from "./rules/edges.ts";
import { checkItems } from "./rules/items.ts";
import { checkJson } from "./rules/json.ts";
import { checkLabels } from "./rules/labels.ts";
import { checkLanguage } from "./rules/language.ts";
import { checkLength } from "./rules/length.ts";
import { checkLetterCase } from "./rules/letter-case.ts";
import { checkNumberOnly } from "./rules/number-only.ts";
import { checkQuoting } from "./rules/quoting.ts";
import { checkWords } from "./rules/words.ts";

/** Two different instructions of one of these kinds can't both be meant for the whole answer. */
const exclusive: readonly Rule[] = [checkJson, checkLanguage, checkLabels, checkNumberOnly, checkLetterCase];
const independent: readonly Rule[] = [checkLength, checkItems, checkWords, checkQuoting, checkEdges];

/**
 * Whether the response keeps to what the prompt says about its form. What a passage or a document inside the prompt says is
 * no instruction, and neither is what holds only in some case.
 */
export const checkInstructions: Check = (reading) => {
  if (reading.response.text.trim() === "") return [];
  const instructions = findInstructions(reading.prompt);
  if (instructions.length === 0) return [];
  const all = (rule: Rule) => instructions.map((instruction) => rule(instruction, reading));
  return [...exclusive.flatMap((rule) => agree(all(rule))), ...independent.flatMap((rule) => all(rule).flat())];
};

/** The findings of one kind of instruction, unless they differ: then it is unclear which was meant. */
function agree(all: readonly (readonly Finding[])[]): readonly Finding[] {
  const said = all.filter((findings) => findings.length > 0);
  const verdicts = new Set(said.map(([first]) => first?.verdict));
  return verdicts.size === 1 ? (said.at(-1) ?? []) : [];
}
