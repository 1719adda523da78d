import { SchemaError } from "./schema-error.ts";

/** Most items, properties or characters that one part of a schema may demand. */
const mostDemanded = 10_000;
const demands = ["minItems", "minLength", "minProperties", "minContains"];

/** Refuses schemas whose smallest value would be too large to make. */
export function checkDemands(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (typeof value === "number" && value > mostDemanded && demands.includes(key)) refuse(key, value);
    if (key === "pattern" && typeof value === "string") checkPattern(value);
    checkDemands(value);
  }
}

/** Counted repetitions multiply one another, as in `(a{100}){100}`. */
function checkPattern(pattern: string): void {
  let size = 1;
  for (const [, count] of pattern.matchAll(/\{(\d+)/g)) size *= Math.max(1, Number(count));
  if (size > mostDemanded) refuse("pattern", pattern);
}

function refuse(key: string, value: unknown): never {
  const shown = String(value).slice(0, 80);
  throw new SchemaError(`'${key}' is ${shown}; a mock answer has at most ${mostDemanded.toLocaleString("en")}`);
}
