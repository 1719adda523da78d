import { findMaterial } from "../text/find-material.ts";
import type { Check, Finding, Range, Text } from "../types.ts";
import { checkLabels, checkNumberOnly } from "./allowed-answers.ts";
import { asksForSeveral, checkItems, checkLength } from "./counts.ts";
import type { Instruction, Rule } from "./instruction.ts";
import { checkJson } from "./json.ts";
import { checkLanguage } from "./language.ts";
import { checkEdges, checkLetterCase, checkWords } from "./words.ts";

/** What these look at is the form that a program would go by. */
const formats: ReadonlySet<Rule> = new Set([checkJson, checkLabels, checkNumberOnly, checkLetterCase]);

/** Two different instructions of one of these kinds can't both be meant for the whole answer. */
const exclusive: readonly Rule[] = [checkJson, checkLanguage, checkLetterCase];
const independent: readonly Rule[] = [checkWords, checkEdges];
/** What these say holds for the whole answer only where the prompt asks for one thing. */
const ofOneTaskExclusive: readonly Rule[] = [checkLabels, checkNumberOnly];
const ofOneTask: readonly Rule[] = [checkLength, checkItems];
/** What holds for all of several responses that the prompt asks for. */
const ofSeveralExclusive: readonly Rule[] = [checkLanguage, checkLetterCase];
const ofSeveral: readonly Rule[] = [checkWords];

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
  const [alone, together] = chooseRules(instructions);
  return [...alone.flatMap((rule) => agree(all(rule))), ...together.flatMap((rule) => all(rule).flat())];
};

/** The rules of which a prompt has one instruction at most, and the others. */
function chooseRules(instructions: readonly Instruction[]): readonly [readonly Rule[], readonly Rule[]] {
  if (instructions.some(asksForSeveral)) return [ofSeveralExclusive, ofSeveral];
  if (countTasks(instructions) > 1) return [exclusive, independent];
  return [
    [...exclusive, ...ofOneTaskExclusive],
    [...independent, ...ofOneTask],
  ];
}

const task =
  /^(?:summari[sz]e|list|name|explain|describe|translate|write|give|suggest|identify|propose|generate|tell|define|outline|compose|compare|classify|rewrite)\b(?! (?:me )?(?:your|the|a|an|one) (?:final |short |brief |one-word )?(?:answer|response|reply|output|result)\b)/i;

/** How many things the instructions ask for; how the answer is to look is none of them. */
function countTasks(instructions: readonly Instruction[]): number {
  const tasks = instructions.filter(({ text }) => task.test(text)).length;
  return instructions.some(({ continues }) => continues) ? tasks + 1 : tasks;
}

/** The findings of one kind of instruction, unless they differ: then it is unclear which was meant. */
function agree(all: readonly (readonly Finding[])[]): readonly Finding[] {
  const said = all.filter((findings) => findings.length > 0);
  const verdicts = new Set(said.map(([first]) => first?.verdict));
  return verdicts.size === 1 ? (said.at(-1) ?? []) : [];
}

const longestInstruction = 600;
const mostInstructions = 50;

/** Labels, list marks and politeness before what is asked. */
const leadIn =
  /^(?:[\s*#\d.)(\-–•_]{0,8}(?:question|q|instructions?|task|user|system|human|note|important|format|output format|requirements?|constraints?|rules?)?\s?\d{0,2}[*_]{0,2}:\s{0,3}|[\s*#.)(\-–•_]{1,8}|\d{1,2}[.)]\s)?/i;
const manners =
  /^(?:please|kindly|and|then|also|but|now|finally|next|note that|remember to|make sure(?: that)?(?: you| to)?|be sure to|ensure(?: that)?(?: you)?|could you|can you|would you|will you|you (?:must|should|have to|need to|are to|can only|may only|will)|i want you to|i'd like you to)[\s,]+/i;

const furtherTask = /^(?:and |but )?(?:then|next|finally|afterwards|after that|second(?:ly)?|third(?:ly)?)\b/i;

const starts =
  /^(?:only |just |simply |always |briefly |shortly |concisely |directly )?(?:answer|respond|reply|output|return|format|provide|give|write|produce|generate|present|print|list|name|suggest|mention|identify|propose|tell|show|say|state|summari[sz]e|describe|explain|define|outline|justify|compose|keep|limit|use|include|contain|begin|start|end|finish|conclude|wrap|classify|label|categori[sz]e|rate|tag|choose|pick|select|decide|determine|translate|extract|find|analy[sz]e|convert|quote|cite|copy|do not|don't|never|avoid|no |in |using |with(?:in)? |without |at most|at least|max(?:imum|\.)?\b|up to|exactly|only|yes or no|true or false|yes\/no|true\/false|one |there (?:must|should|has to|have to|are to)|(?:your|the) (?:\w+ )?(?:answer|response|reply|output|result|summary|explanation|text|description|message|email|poem|story|essay|letter) )/i;

/** The sentences of a prompt that say how to answer. What they ask for is for the rules to find. */
function findInstructions({ text, sentences }: Text): readonly Instruction[] {
  const candidates: Instruction[] = [];
  for (const sentence of sentences) {
    const found = readInstruction(text, sentence);
    if (found !== null) candidates.push(found);
  }
  if (candidates.length === 0) return [];
  return leaveOutMaterial(candidates, findMaterial(text)).slice(0, mostInstructions);
}

function readInstruction(prompt: string, { start, end }: Range): Instruction | null {
  const head = prompt.slice(start, Math.min(end, start + 120));
  let from = leadIn.exec(head)?.[0].length ?? 0;
  const continues = furtherTask.test(head.slice(from));
  for (let more = 1; more > 0; from += more) more = manners.exec(head.slice(from))?.[0].length ?? 0;
  if (!starts.test(head.slice(from))) return null;
  const text = prompt.slice(start + from, Math.min(end, start + from + longestInstruction));
  const plain = text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
  return { range: { start: start + from, end: start + from + text.length }, text: plain, continues };
}

function leaveOutMaterial(candidates: readonly Instruction[], material: readonly Range[]): readonly Instruction[] {
  const left: Instruction[] = [];
  let next = 0;
  for (const candidate of candidates) {
    const { range, text } = candidate;
    while ((material[next]?.end ?? Number.POSITIVE_INFINITY) <= range.start) next += 1;
    const over = material[next];
    if (over === undefined || over.start >= range.end) left.push(candidate);
    else if (over.start > range.start) {
      const end = over.start;
      left.push({ ...candidate, range: { start: range.start, end }, text: text.slice(0, end - range.start) });
    }
  }
  return left;
}
