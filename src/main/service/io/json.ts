import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isErrno } from "./error.ts";

/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, in which integers that are too large for a number are each a BigInt; undefined when it is not JSON. */
export function parseExactJson(text: string): unknown {
  const value = parseJson(text);
  if (!/\d{16}/.test(text) || value === undefined) return value;
  return JSON.parse(text, (_key, inner: unknown, { source = "" }: { source?: string } = {}) =>
    typeof inner === "number" && !Number.isSafeInteger(inner) && /^-?\d+$/.test(source) ? BigInt(source) : inner,
  );
}

/** For `JSON.stringify`: objects with their keys in alphabetical order, so that equal values have equal texts. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Writes a value as JSON so that a reader finds the old file or the new one, whole.
 * @param mode who may read it; the system's default where none is given
 */
export async function writeJsonFile(path: string, value: unknown, mode?: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, JSON.stringify(value), { flush: true, flag: "wx", mode });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The value in a JSON file; undefined when there is no such file. Throws a SyntaxError when it is not JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}
