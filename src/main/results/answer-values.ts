import { type ResultRow, withoutFence } from "#contract";
import { parseJson } from "#main/storage";

type Values = ResultRow["values"];

/** Values of an answer that are shown as columns, at most. */
const mostValues = 40;
const deepest = 4;
const longestText = 300;

/** The text of an answer as JSON, also where the model has put a fence of Markdown around it; undefined for any other. */
export function parseAnswer(answer: string, parse = parseJson): unknown {
  const text = withoutFence(answer);
  const first = text.trimStart()[0];
  return first === "{" || first === "[" ? parse(text) : undefined;
}

/**
 * The values of an answer that is a JSON object, by their path: `answer.score`, `answer.sources.0`. A list or an object at
 * its top is there as a whole, too: `answer.sources`.
 */
export function readValues(answer: string): Values {
  const values: Values = {};
  let count = 0;

  function collect(value: unknown, path: string, depth: number): void {
    if (count >= mostValues) return;
    if (typeof value === "object" && value !== null && depth < deepest) {
      if (depth === 1) values[path] = cut(JSON.stringify(value));
      for (const [key, member] of Object.entries(value)) collect(member, `${path}.${key}`, depth + 1);
      return;
    }
    count += 1;
    if (typeof value === "number" || typeof value === "boolean" || value === null) values[path] = value;
    else values[path] = cut(typeof value === "string" ? value : JSON.stringify(value));
  }

  const parsed = parseAnswer(answer);
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) collect(parsed, "answer", 0);
  return values;
}

function cut(text: string): string {
  return text.length > longestText ? text.slice(0, longestText).toWellFormed() : text;
}
