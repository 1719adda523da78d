import { broken, isConditional, kept, type Rule } from "./instruction.ts";
import { isNoAnswer } from "./no-answer.ts";
import { withoutWrapping } from "./wrapping.ts";

const asked =
  /^(?:(only|just|simply) )?(?:answer|respond|reply|output|return|give|write|provide|state|print)(?: me)?(?: your| the)?(?: final)?(?: answer)?(?: (?:as|with))? ?(only|just|nothing but)? ?(?:the|a|one)?(?: final| single| correct| resulting| whole| exact)* ?(?:number|integer|digits?|numeric(?:al)? (?:value|answer))\b( only| alone)?/i;
const alone =
  /\b(?:nothing else|no (?:other )?(?:words|text|units?|explanation)|without (?:any )?(?:words|text|units?|explanation))\b/i;
const number = /^[-+−]?[\s$€£¥]*\d[\d\s.,_/^·×x*eE+-]*[%°]?$/;
const numberWords =
  /^(?:(?:minus|negative|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|point|half|and)[\s-]?){1,12}$/i;

/** "Answer with the number only." */
export const checkNumberOnly: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = asked.exec(text);
  if (found === null || isConditional(text, found.index, found[0].length)) return [];
  if (/^\s+of\b/i.test(text.slice(found[0].length))) return [];
  const isAlone = found[1] ?? found[2] ?? found[3] ?? alone.exec(text)?.[0];
  const { text: response } = reading.response;
  if (isAlone === undefined || response.trim() === "" || isNoAnswer(response)) return [];
  if (isNumber(response)) return [kept(instruction, reading, "The response is a number alone, as the prompt asks.")];
  return [
    broken(instruction, reading, "The prompt asks for a number alone, and there are other words in the response."),
  ];
};

function isNumber(response: string): boolean {
  const plain = withoutWrapping(response.replace(/^\s*#{2,4}\s*/, ""))
    .replace(/^\\?\(?\\boxed\{([^{}]*)\}\\?\)?$/, "$1")
    .replaceAll("\\", "");
  return number.test(plain) || numberWords.test(plain);
}
