import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { writeFully } from "./bytes.ts";
import type { WriteRules } from "./durability.ts";
import { isErrno } from "./error.ts";
import { isSealed, sealLine } from "./sealed-line.ts";

/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How many lists and objects a request may have in one another: more than any needs, and fewer than exhaust the stack of a recursion. */
export const mostLevels = 200;

/** Whether more than `levels` lists and objects are in one another. */
export function isNestedTooDeep(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isNestedTooDeep(one, levels - 1));
}

/** The form of the files that `writeJsonFile` writes, in their first member. */
const sealedForm = 1;

/**
 * Writes an object as JSON so that a reader finds the old file or the new one, whole; with a checksum, so that it also finds out
 * what has happened to it since.
 * @param mode who may read it; the system's default where none is given
 */
export async function writeJsonFile(path: string, value: object, rules: WriteRules, mode?: number): Promise<void> {
  await replaceFile(path, sealLine({ sealed: sealedForm, ...value }), rules, mode);
}

/** Writes a small file so that a reader finds the old one or the new one, whole; also after a power cut, where it is synced. */
export async function replaceFile(path: string, bytes: Uint8Array, rules: WriteRules, mode?: number): Promise<void> {
  rules.assertHeld();
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await writeFully(file, bytes, 0);
      await rules.syncFile(file);
    } finally {
      await file.close();
    }
    rules.confirmHeld();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rules.syncName(path);
}

/**
 * The value in a JSON file; undefined when there is no such file. Throws a SyntaxError when it is not JSON, or not as
 * `writeJsonFile` has written it. Files of versions that wrote no checksum are taken as they are.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(bytes.toString());
  if (typeof value !== "object" || value === null || !("sealed" in value || "crc" in value)) return value;
  if (!isSealed(bytes.subarray(0, bytes.lastIndexOf("}") + 1))) throw new SyntaxError(`${path} is damaged.`);
  const { sealed, crc: _, ...content } = value as Record<string, unknown>;
  if (sealed !== sealedForm) throw new SyntaxError(`${path} was written by a newer version of Sheaf.`);
  return content;
}
