import type { Source } from "#contract";
import { BuildError } from "../errors.ts";
import { parseJsonObject } from "./json-cells.ts";

const sampleLines = 20;

/** An object that is a line of a batch input file: its id and another of its parts, or a body that is an object. */
function isRequest(object: Readonly<Record<string, unknown>>): boolean {
  const parts = ["custom_id", "method", "url", "body"].filter((key) => Object.hasOwn(object, key));
  const { body } = object;
  return parts.length >= 2 && (parts.includes("custom_id") || (typeof body === "object" && body !== null));
}

function tryParse(line: string) {
  try {
    return parseJsonObject(line);
  } catch {
    return null;
  }
}

function isJsonDocument(sample: string): boolean {
  const start = sample.trimStart();
  return start.startsWith("[") || /^\{\s*[\r\n]/.test(start);
}

/**
 * Guesses what a text holds from its first part. JSON objects on lines of their own are JSONL, whatever its name; the
 * name decides where the content does not. A file that is one JSON document is refused, since it is neither.
 */
export function guessKind(sample: string, name: string): Pick<Source, "kind" | "holds"> {
  const namedJson = /\.(jsonl|ndjson|json)$/i.test(name);
  if (namedJson && isJsonDocument(sample)) {
    throw new BuildError(
      "refused",
      "This file is one JSON document. Write one object on each line (JSONL) and add that file.",
    );
  }
  const lines = sample.split(/\r?\n/).filter((line) => line.trim() !== "");
  const objects = lines
    .slice(0, sampleLines)
    .map(tryParse)
    .filter((object) => object !== null);
  if (objects.length === 0) return { kind: namedJson ? "jsonl" : "csv", holds: "rows" };
  const requests = objects.filter(isRequest).length;
  return { kind: "jsonl", holds: requests * 2 >= objects.length ? "requests" : "rows" };
}
