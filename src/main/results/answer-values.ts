import { choicePrefix, type ResultRow } from "#contract";
import {
  isJsonObject,
  listCallColumns,
  parseAnswerObject,
  parseExactJson,
  printValue,
  type ReadAnswer,
} from "#main/answers";
import { cutText, wholeText } from "./cut-text.ts";

type Values = ResultRow["values"];

/** Values of an answer that are shown as columns, at most. */
const mostValues = 40;
const deepest = 4;

/**
 * The values of an answer that is a JSON object, by their path: `answer.score`, `answer.sources.0`. A list or an object at
 * its top is there as a whole, too: `answer.sources`. Those of calls likewise: `tool.weather`, `tool.weather.city`. Other
 * choices are texts: `choice.2`. A row has 40 of them at most, cut; with `wholeText` all of them, as they are.
 */
export function readValues(
  { answer, calls, otherChoices }: Pick<ReadAnswer, "answer" | "calls" | "otherChoices">,
  cut = cutText,
): Values {
  const values: Values = {};
  let count = 0;
  const most = cut === wholeText ? Number.POSITIVE_INFINITY : mostValues;

  function collect(value: unknown, path: string, depth: number): void {
    if (count >= most) return;
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
  for (const [path, input] of listCallColumns(calls)) {
    values[path] = cut(input);
    const value = parseExactJson(input);
    if (isJsonObject(value)) collect(value, path, 0);
  }
  for (const [at, text] of otherChoices.entries()) values[`${choicePrefix}${at + 2}`] = cut(text);
  return values;
}
