import { createQuoteFinder, readQuotations } from "../text/quotations.ts";
import { broken, followed, isConditional, isNoAnswer, type Rule, withoutWrapping } from "./instruction.ts";

const asked =
  /^(?:quote|copy|cite)\b(?: (?:directly|verbatim|exactly|out|from|only|word for word|the|a|an|one|exact|relevant|sentence|sentences|line|lines|part|phrase|words?|that|answers?|which|answers the question|in)){0,8}? (?:the |this )?(?:passage|text|document|article|source|context|letter|email|sentence|story|report|contract)\b/i;
const answersWithQuote =
  /^(?:answer|respond|reply|support (?:your|the) answer)\b[^.:]{0,60}? with (?:a |an |one )?(?:direct |exact |verbatim |word-for-word )?(?:quote|quotation)s?\b/i;

/** Shorter quotations are names of things more often than what someone said. */
const fewestWords = 3;

/** "Quote the passage": what the response quotes must stand in the document or the prompt, word for word. */
export const checkQuoting: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = asked.exec(text) ?? answersWithQuote.exec(text);
  const response = reading.response.text;
  if (found === null || isConditional(text, found.index, found[0].length) || isNoAnswer(response)) return [];
  const finders = [reading.document, reading.prompt]
    .filter((source) => source !== null)
    .map((source) => createQuoteFinder(source));
  const stands = (quote: string) =>
    piecesOf(quote).every((piece) => finders.some((finder) => finder.find(piece) !== null));
  const quotations = readQuotations(response).filter(
    (range) => countWords(response.slice(range.start, range.end)) >= fewestWords,
  );
  const wrong = quotations.find(({ start, end }) => !stands(response.slice(start, end)));
  if (wrong !== undefined)
    return [
      broken(
        instruction,
        reading,
        "The prompt asks for a quotation, and this does not stand there word for word.",
        wrong,
      ),
    ];
  if (quotations.length > 0)
    return [followed(instruction, reading, "What the response quotes stands there word for word.")];
  return stands(withoutWrapping(response))
    ? [followed(instruction, reading, "The response is a quotation, as the prompt asks.")]
    : [];
};

/** The parts of a quotation around what was left out or put in by its writer. */
function piecesOf(quote: string): string[] {
  return quote
    .split(/\.{3}|…|\[[^\]]{0,80}\]/)
    .map(withoutWrapping)
    .filter((piece) => piece !== "");
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
