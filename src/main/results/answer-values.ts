import type { ResultRow } from "#contract";
import { parseAnswerObject, printValue } from "#main/answers";

type Values = ResultRow["values"];

/** Values of an answer that are shown as columns, at most. */
const mostValues = 40;
const deepest = 4;
const longestText = 300;

/**
 * The values of an answer that is a JSON object, by their path: `answer.score`, `answer.sources.0`. A list or an object at
 * its top is there as a whole, too: `answer.sources`.
 */
export function readValues(answer: string): Values {
  const values: Values = {};
  let count = 0;

  function collect(value: unknown, path: string, depth: number): void {
    if (count >= mostValues) return;
    const isNested = typeof value === "object" && value !== null && !JSON.isRawJSON(value);
    if (isNested && depth < deepest) {
      if (depth === 1) values[path] = cut(JSON.stringify(value));
      for (const [key, member] of Object.entries(value)) collect(member, `${path}.${key}`, depth + 1);
      return;
    }
    count += 1;
    if (typeof value === "number" || typeof value === "boolean" || value === null) values[path] = value;
    else values[path] = cut(printValue(value));
  }

  const parsed = parseAnswerObject(answer);
  if (parsed !== null) collect(parsed, "answer", 0);
  return values;
}

function cut(text: string): string {
  return text.length > longestText ? text.slice(0, longestText).toWellFormed() : text;
}
