import { quote } from "#main/base";

/** Most differences that are looked for: beyond that, requests are simply others. */
const mostDifferences = 50;

/** What is different in a request from one that was recorded, as `messages[1].content is "Why?", not "Why not?"`; the first 50. */
export function listDifferences(recorded: unknown, found: unknown): string[] {
  const differences: string[] = [];
  compare("", recorded, found, differences);
  return differences;
}

function compare(path: string, recorded: unknown, found: unknown, differences: string[]): void {
  if (differences.length >= mostDifferences || Object.is(recorded, found)) return;
  if (!isContainer(recorded) || !isContainer(found) || Array.isArray(recorded) !== Array.isArray(found)) {
    differences.push(`${path} is ${describeValue(found)}, not ${describeValue(recorded)}`);
    return;
  }
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(found)])) {
    const at = Array.isArray(recorded) ? `${path}[${key}]` : `${path}${path === "" ? "" : "."}${key}`;
    compare(at, readOwn(recorded, key), readOwn(found, key), differences);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function readOwn(container: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(container, key)?.value;
}

function describeValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isContainer(value) ? "an object" : String(value);
}
