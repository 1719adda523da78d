import { readNumbers } from "../text/numbers.ts";
import {
  broken,
  findWord,
  followed,
  type Instruction,
  isConditional,
  isNoAnswer,
  type Rule,
  withoutWrapping,
} from "./instruction.ts";

const answering =
  /^(only |just |simply |always )?(?:answer|respond|reply|output|return|say|write)(?: (?:the question|to the question|your answer|to this question|it))?(?: (?:as|with|using|by saying))?( only| just| simply| exactly| strictly)?(?: (?:either|one of|with|a single word|one word|the word|the words))*(?: (?:the following|these)(?:(?: \w+){1,2}(?=\s?:))?)?\s*:?\s+/i;
const classifying =
  /^(?:classify|label|categori[sz]e|tag|rate|choose|pick|select|decide|determine)\b[^:"'`]{0,120}?\b(?:as(?: either| one of)?(?: the following)?|into(?: one of)?(?: the following)?(?:(?: \w+){1,2}(?=\s?:))?|one of(?: the following)?(?:(?: \w+){1,2}(?=\s?:))?|whether it is)\s*:?\s+/i;
const ofAnswer =
  /^(?:your|the) (?:\w+ )?(?:answer|response|reply|output|label) (?:must|should|has to|needs to|is to|shall) (only )?be(?: either| one of| exactly one of| exactly)?(?: the following)?(?:(?: \w+){1,2}(?=\s?:))?\s*:?\s+/i;
const yesOrNo = /^(?:yes or no|yes\/no|true or false|true\/false)(?=[\s:?,.]|$)/i;

const saying = /^(?:only |just |simply |always )?(?:output|return|say|write)\b(?!.*\b(?:one of|following|these)\b)/i;
const strict =
  /\b(?:only|just|nothing else|no other text|no explanation|without (?:any )?(?:explanation|explaining|other)|no extra|exactly|single word|one word)\b/i;
const listEnd =
  /[.;:!?\n]|\s[-–—]\s|,? (?:and )?(?:nothing else|no other|without|with no|no explanation|only|depending|based|followed|then|and explain|as|to|for|in|so|because|whether)\b/i;

const mostLabels = 20;
const longestLabel = 40;

/** "Answer yes or no", "Classify as positive, negative or neutral", "one of: A, B, C". */
export const checkLabels: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = yesOrNo.exec(text) ?? answering.exec(text) ?? ofAnswer.exec(text) ?? classifying.exec(text);
  if (found === null) return [];
  const listed = yesOrNo.test(text) ? found[0] : text.slice(found[0].length);
  const labels = readLabels(listed, found[0]);
  if (labels !== null && saying.test(found[0]) && !isPlainList(listed, labels)) return [];
  if (labels === null || isConditional(text, found[0].length, Math.min(listed.length, listed.search(listEnd))))
    return [];
  const answer = reading.response.text;
  if (isNoAnswer(answer)) return [];
  const bare = withoutWrapping(answer);
  const names = `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`;
  if (labels.some((label) => isLabelOf(bare, label))) {
    return [followed(instruction, reading, `The answer is one of those that the prompt allows (${names}).`)];
  }
  if (isStrict(text, found) && !looksLikeData(bare)) {
    return [broken(instruction, reading, `The prompt allows ${names} and nothing else.`)];
  }
  return labels.some((label) => findWord(answer, label) !== null)
    ? [followed(instruction, reading, `The answer has one of those that the prompt allows (${names}).`)]
    : [broken(instruction, reading, `The prompt allows ${names}, and the response has none of them.`)];
};

/** "Write …" and "Return …" are said of other things than labels: those are quoted, or yes and no. */
function isPlainList(listed: string, labels: readonly string[]): boolean {
  return /^["'`]/.test(listed) || labels.every((label) => /^(?:yes|no|true|false)$/i.test(label));
}

function isStrict(text: Instruction["text"], found: RegExpExecArray): boolean {
  return strict.test(text) || found[1] !== undefined || found[2] !== undefined;
}

/** The label alone, or as the letter of an option: "B) Paris". */
function isLabelOf(bare: string, label: string): boolean {
  const [answer, wanted] = [bare.toLowerCase(), label.toLowerCase()];
  return answer === wanted || (label.length === 1 && answer.startsWith(wanted) && /^.[).:]/.test(answer));
}

/** A label inside JSON, or several lines of them, is no label by itself; that it is there is all that can be said. */
function looksLikeData(bare: string): boolean {
  return /^[[{]/.test(bare) || bare.includes("\n");
}

/** The labels of a list with "or", strokes or commas; null when it is no list of short names. */
function readLabels(listed: string, lead: string): string[] | null {
  const end = listed.search(listEnd);
  const list = end === -1 ? listed : listed.slice(0, end);
  if (list.length > mostLabels * longestLabel || !/ or |[/|]|,/i.test(list)) return null;
  const parts = list.replaceAll(/\([^()]{0,80}\)/g, "").split(/\s*,\s*(?:or\s+)?|\s+or\s+|\s*[/|]\s*/i);
  const labels = parts
    .map((part) => withoutWrapping(part.replace(/^(?:either|with|the word)\s+/i, "")))
    .filter((part) => part !== "");
  if (labels.length < 2 || labels.length > mostLabels) return null;
  return labels.every((label) => isLabel(label)) && (/ or |[/|]/i.test(list) || /one of/i.test(lead)) ? labels : null;
}

const noLabel =
  /\b(?:your|you|the|an? (?=\w)|it|its|that|which|question|sentences?|words?|paragraphs?|characters?|detail|format|json|language|answer|response|more|fewer|less|own|any|some|all|is|are|was|if|english|french|german|spanish|about|on|in|of|by|from|how|why|what|me|not|as|to|at)\b/i;

function isLabel(label: string): boolean {
  return (
    label.length <= longestLabel && label.split(" ").length <= 3 && !noLabel.test(label) && /[\p{L}\p{N}]/u.test(label)
  );
}

const askedNumber =
  /^(?:(only|just|simply) )?(?:answer|respond|reply|output|return|give|write|provide|state|print)(?: me)?(?: your| the)?(?: final)?(?: answer)?(?: (?:as|with))? ?(only|just|nothing but)? ?(?:the|a|one)?(?: final| single| correct| resulting| whole| exact)* ?(?:number|integer|digits?|numeric(?:al)? (?:value|answer))\b( only| alone)?/i;
const aloneNumber =
  /\b(?:nothing else|no (?:other )?(?:words|text|units?|explanation)|without (?:any )?(?:words|text|units?|explanation))\b/i;
const number = /^[-+−]?[\s$€£¥]*\d[\d\s.,_/^·×x*eE+-]*[%°]?$/;
/** "Answer with the number only." */
export const checkNumberOnly: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = askedNumber.exec(text);
  if (found === null || isConditional(text, found.index, found[0].length)) return [];
  if (/^\s+of\b/i.test(text.slice(found[0].length))) return [];
  const isAlone = found[1] ?? found[2] ?? found[3] ?? aloneNumber.exec(text)?.[0];
  const { text: response } = reading.response;
  if (isAlone === undefined || response.trim() === "" || isNoAnswer(response)) return [];
  if (isNumber(response))
    return [followed(instruction, reading, "The response is a number alone, as the prompt asks.")];
  return [
    broken(instruction, reading, "The prompt asks for a number alone, and there are other words in the response."),
  ];
};

function isNumber(response: string): boolean {
  const plain = withoutWrapping(response.replace(/^\s*#{2,4}\s*/, ""))
    .replace(/^\\?\(?\\boxed\{([^{}]*)\}\\?\)?$/, "$1")
    .replaceAll("\\", "");
  const [only, ...others] = readNumbers(plain);
  return number.test(plain) || (only?.start === 0 && only.end === plain.length && others.length === 0);
}
