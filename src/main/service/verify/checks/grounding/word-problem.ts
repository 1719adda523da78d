import type { NumberMention } from "../../text/index.ts";
import type { Context } from "./context.ts";
import { isYear } from "./numbers.ts";

const calculates =
  /\b(each|every|per|total|altogether|in all|left|remaining|remain|times|twice|thrice|half|third|quarter|double|triple|if|more than|less than|fewer|than|average|percent|both|spend|spent|cost|costs|pays?|earns?|buys?|bought|sells?|sold|needs?|combined|sum|how much|how many)\b/i;
const quantities =
  /\b(how (many|much|long|far|old|tall|often|fast)|what (is|was|are|were|will|percent|percentage|fraction|number|amount)|calculate|find|determine|by what|when|what time|in what)\b/i;
const labels = /^\s*(context|passage|knowledge|document|text|article|background)\s*:/im;

/**
 * Whether the prompt is a problem to be worked out: its answer follows from the numbers of the prompt and does not stand
 * in it. Labelled passages, documents, and texts with years are there to be read.
 */
export function isWordProblem({ evidence, reading, question }: Context, known: readonly NumberMention[]): boolean {
  const { source } = evidence;
  if (source.noun === "document" || known.some(isYear) || labels.test(reading.prompt.text.slice(0, 2_000)))
    return false;
  const first = question.words[0];
  const asking = first ? reading.prompt.text.slice(first.start, (question.words.at(-1)?.end ?? 0) + 1) : "";
  return quantities.test(asking) && calculates.test(reading.prompt.text.slice(0, 4_000));
}
