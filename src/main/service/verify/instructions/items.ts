import { broken, countPattern, isConditional, kept, type Rule, readCount } from "./instruction.ts";

const asked = new RegExp(
  `^(?:list|name|give|provide|suggest|mention|identify|propose|write|generate|tell|show|output|return)(?: me| us)?(?: only| just)?(?: the)?(?: top)? (?:(exactly|at least|at most|up to|no more than) )?(${countPattern})((?: [\\p{L}-]+){0,3}? [\\p{L}-]{2,}s)\\b`,
  "iu",
);
const noItems =
  /\b(?:words|sentences|characters|paragraphs|lines|digits|letters|letras|stanzas|verses|pages|minutes|hours|days|weeks|months|years|percent|times|dollars|euros|points|stars|sections|dates|decimals|places|less|this|is|was|has|us)$/i;
const severalLists =
  /\b(?:each|every|per|both|and (?:\d|one|two|three|four|five|six|seven|eight|nine|ten)|then|for the|respectively|pairs?|sets?|categories|groups)\b/i;

/** "List three …", "Give me exactly 5 …": how many items the response's list has. What is no plain list is not counted. */
export const checkItems: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = asked.exec(text);
  if (found === null) return [];
  const [, bound = "", count = "", noun = ""] = found;
  if (noItems.test(noun) || severalLists.test(text)) return [];
  const wanted = readCount(count);
  if (Number.isNaN(wanted) || wanted < 2 || /^a$/i.test(count)) return [];
  const counts = countItems(reading.response.text);
  if (counts === null || isConditional(text, text.length, 0)) return [];
  const fits = counts.some((n) => isEnough(n, wanted, bound.toLowerCase()));
  if (fits) return [kept(instruction, reading, `The response lists as many items as the prompt asks for (${count}).`)];
  return [
    broken(
      instruction,
      reading,
      `The prompt asks for ${`${bound} ${count}${noun}`.trim()}, and the response lists ${counts[0]}.`,
    ),
  ];
};

function isEnough(count: number, wanted: number, bound: string): boolean {
  if (bound === "at least") return count >= wanted;
  if (bound === "at most" || bound === "up to" || bound === "no more than") return count <= wanted;
  return count === wanted;
}

const numbered = /^\s{0,3}(?:\*\*)?\(?\d{1,3}[.):]/;
const bulleted = /^(?:[-*•–]|\+)\s+\S/;
const heading = /^\s{0,3}(?:#{1,6}\s|\*\*[^*]{1,120}\*\*:?\s*$)/;

/** The numbers of items that a list can be read to have; null when there is no list of at least two lines. */
function countItems(response: string): number[] | null {
  const lines = response.split("\n").filter((line) => line.trim() !== "");
  const counts = [numbered, bulleted].map((mark) => lines.filter((line) => mark.test(line)).length);
  const most = counts.find((count) => count >= 2);
  if (most === undefined) return null;
  const headings = lines.filter((line) => heading.test(line)).length;
  return [most, ...counts.filter((count) => count > 0), ...(headings > 0 ? [headings] : [])];
}
