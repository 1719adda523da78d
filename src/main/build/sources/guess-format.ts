import type { Source } from "#contract";
import { tryParseJsonObject } from "./json-lines.ts";

/** How many lines decide whether a file is JSONL. */
const sampleLines = 20;

/** An object that is a line of a batch input file: its id and another of its parts, or a body that is an object. */
function isRequest(object: Readonly<Record<string, unknown>>): boolean {
  const parts = ["custom_id", "method", "url", "body"].filter((key) => Object.hasOwn(object, key));
  const { body } = object;
  return parts.length >= 2 && (parts.includes("custom_id") || (typeof body === "object" && body !== null));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a text is JSON that is not to be read line by line: a value over several lines, or several on one. `objects` are
 * the lines that are an object each.
 */
function isJsonDocument(lines: readonly string[], objects: number, name: string): boolean {
  const [begun = "", second] = lines;
  // A separator of records may come before the first one.
  const first = begun.replace(/^\p{Cc}+/u, "");
  const isNamedLines = /\.(jsonl|ndjson)$/i.test(name);
  const isNamedJson = /\.(geo)?json$/i.test(name);
  // A sequence of JSON texts (RFC 7464) has a separator before each.
  if (first !== begun && first.startsWith("{")) return true;
  if (first.startsWith("[")) return isNamedJson || isNamedLines || /^\[\s*(?:[{[]|$)/.test(first);
  if (!/^\{\s*(?:"|\}|$)/.test(first)) return false;
  // A single line may be a table of its own, such as an object of columns.
  if (second === undefined) return !isJson(first) || isNamedJson;
  // Lines that are broken are among others, and each is told.
  if (isJson(first) && !(isNamedJson && tryParseJsonObject(second) === null)) return false;
  return objects * 2 < lines.length;
}

/**
 * Guesses the format of a text from its first part. JSON objects on lines of their own are JSONL, whatever the file's name;
 * the name decides where the content does not.
 */
export function guessKind(
  sample: string,
  name: string,
): Pick<Source, "holds"> & { kind: Extract<Source["kind"], "csv" | "jsonl" | "json"> } {
  const namedJson = /\.(jsonl|ndjson|json|geojson)$/i.test(name);
  const lines = sample.split(/\r?\n/, sampleLines + 1).map((line) => line.replace(/^\ufeff/, "").trim());
  // The last one of a longer sample may be cut off.
  const whole = lines.filter((line) => line !== "").slice(0, sampleLines);
  const objects = whole.map(tryParseJsonObject).filter((object) => object !== null);
  const requests = objects.filter(isRequest).length;
  if (objects.length > 0 && requests * 2 >= objects.length) return { kind: "jsonl", holds: "requests" };
  if (isJsonDocument(whole, objects.length, name)) return { kind: "json", holds: "rows" };
  return { kind: objects.length > 0 || namedJson ? "jsonl" : "csv", holds: "rows" };
}
