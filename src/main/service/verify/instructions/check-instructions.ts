import type { Check, Finding } from "../types.ts";
import { checkEdges } from "./edges.ts";
import { findInstructions } from "./find-instructions.ts";
import type { Instruction, Rule } from "./instruction.ts";
import { checkItems } from "./items.ts";
import { checkJson } from "./json.ts";
import { checkLabels } from "./labels.ts";
import { checkLanguage } from "./language.ts";
import { checkLength } from "./length.ts";
import { checkLetterCase } from "./letter-case.ts";
import { checkNumberOnly } from "./number-only.ts";
import { checkQuoting } from "./quoting.ts";
import { checkWords } from "./words.ts";

/** What these look at is the form that a program would go by. */
const formats: ReadonlySet<Rule> = new Set([checkJson, checkLabels, checkNumberOnly, checkLetterCase]);

/** Two different instructions of one of these kinds can't both be meant for the whole answer. */
const exclusive: readonly Rule[] = [checkJson, checkLanguage, checkLetterCase];
const independent: readonly Rule[] = [checkWords, checkQuoting, checkEdges];
/** What these say holds for the whole answer only where the prompt asks for one thing. */
const ofOneTaskExclusive: readonly Rule[] = [checkLabels, checkNumberOnly];
const ofOneTask: readonly Rule[] = [checkLength, checkItems];

/**
 * Whether the response keeps to what the prompt says about its form. What a passage or a document inside the prompt says is
 * no instruction, and neither is what holds only in some case.
 */
export const checkInstructions: Check = (reading) => {
  if (reading.response.text.trim() === "") return [];
  const instructions = findInstructions(reading.prompt);
  if (instructions.length === 0) return [];
  const all = (rule: Rule) =>
    instructions.map((instruction) =>
      rule(instruction, reading).map(
        (finding): Finding => (formats.has(rule) ? { ...finding, kind: "format" } : finding),
      ),
    );
  const isOneTask = countTasks(instructions) <= 1;
  const [alone, together] = isOneTask
    ? [
        [...exclusive, ...ofOneTaskExclusive],
        [...independent, ...ofOneTask],
      ]
    : [exclusive, independent];
  return [...alone.flatMap((rule) => agree(all(rule))), ...together.flatMap((rule) => all(rule).flat())];
};

const task =
  /^(?:summari[sz]e|list|name|explain|describe|translate|write|give|suggest|identify|propose|generate|tell|define|outline|compose|compare|classify|rewrite)\b(?! (?:me )?(?:your|the|a|an|one) (?:final |short |brief |one-word )?(?:answer|response|reply|output|result)\b)/i;

/** How many things the instructions ask for; how the answer is to look is none of them. */
function countTasks(instructions: readonly Instruction[]): number {
  const tasks = instructions.filter(({ text }) => task.test(text)).length;
  return instructions.some(({ goesOn }) => goesOn) ? tasks + 1 : tasks;
}

/** The findings of one kind of instruction, unless they differ: then it is unclear which was meant. */
function agree(all: readonly (readonly Finding[])[]): readonly Finding[] {
  const said = all.filter((findings) => findings.length > 0);
  const verdicts = new Set(said.map(([first]) => first?.verdict));
  return verdicts.size === 1 ? (said.at(-1) ?? []) : [];
}
