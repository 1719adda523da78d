/** The most fields of answers that are columns of their own. */
const mostFields = 12;
/** Answers count as JSON objects when at least this share of them is. */
const leastObjects = 0.9;

/**
 * The fields of answers that are shown as columns, of the top level only: those of the JSON schema that was asked for, in its
 * order; else, where nine answers in ten are JSON objects, those of the answers, the most frequent first. None for text.
 * @param answers the fields of each answer; null for one that is no object
 */
export function findAnswerFields(schema: string | null, answers: readonly (object | null)[]): string[] {
  const asked = parseObject(schema ?? "")?.properties;
  const properties = isObject(asked) ? Object.keys(asked) : [];
  if (properties.length > 0) return properties.slice(0, mostFields);
  const objects = answers.filter((answer) => answer !== null);
  if (objects.length === 0 || objects.length < answers.length * leastObjects) return [];
  const counts = new Map<string, number>();
  for (const field of objects.flatMap(Object.keys)) counts.set(field, (counts.get(field) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return sorted.slice(0, mostFields).map(([field]) => field);
}

/** What models without a schema often put around JSON. */
const fence = /^\s*```(?:json)?\s*\n(?<json>[\s\S]*?)\n?```\s*$/;

/** An answer without the fence of Markdown around it. */
export function withoutFence(answer: string): string {
  return fence.exec(answer)?.groups?.json ?? answer;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
