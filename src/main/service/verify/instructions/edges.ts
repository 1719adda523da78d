import { broken, isConditional, kept, type Rule, readQuoted } from "./instruction.ts";

const asked =
  /^(?:(?:your|the) (?:entire )?(?:answer|response|reply|output) (?:must|should|has to|needs to) )?(start|begin|end|finish|conclude)\s+(?:(?:your|the) )?(?:entire )?(?:answer|response|reply|output|it|message)?\s*(?:with|by saying)\s+(?:exactly )?(?:the )?(?:exact )?(?:words?|phrase|sentence|text|letter)?\s*(?=["'`])/i;

/** 'Start your answer with "Yes"', 'End with the phrase "Is there anything else?"'. */
export const checkEdges: Rule = (instruction, reading) => {
  const found = asked.exec(instruction.text);
  if (found === null || isConditional(instruction.text, found.index, found[0].length)) return [];
  const [quoted, other] = readQuoted(instruction.text.slice(found[0].length));
  if (!quoted || other !== undefined) return [];
  const isStart = /^(?:start|begin)/i.test(found[1] ?? "");
  const answer = plainOf(reading.response.text);
  const wanted = plainOf(quoted);
  const side = isStart ? "start" : "end";
  if (wanted === "") return [];
  const fits = isStart ? answer.startsWith(wanted) : answer.endsWith(wanted);
  if (fits) return [kept(instruction, reading, `The response ${side}s with "${quoted}", as the prompt asks.`)];
  return [
    broken(instruction, reading, `The prompt asks that the response ${side}s with "${quoted}", and it does not.`),
  ];
};

/** Letters and digits with single spaces between them: marks and emphasis around a word don't matter. */
function plainOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .join(" ");
}
