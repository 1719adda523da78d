import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { isErrno } from "../io/error.ts";
import { parseJson } from "../io/json.ts";

const ownerSchema = z.object({
  /** Never used again. */
  nonce: z.string(),
  pid: z.int().positive(),
  /** Where that process answers: a name in the folder, or a path elsewhere. */
  socket: z.string(),
});

/** Who holds a folder: the content of the file `owner` in it. */
export interface Owner {
  /** The text itself, where it can't be read. */
  readonly nonce: string;
  readonly pid: number | null;
  readonly socket: string | null;
}

/** Null where there is no such file. */
export function readOwner(path: string): Owner | null {
  const text = readText(path);
  if (text === null) return null;
  const parsed = ownerSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : { nonce: text, pid: null, socket: null };
}

/** Whether `owner` was still as it was read (null: not there), and is the new one now. */
export function replaceOwner(path: string, expected: Owner | null, owner: Owner): boolean {
  const text = `${JSON.stringify(owner)}\n`;
  if (expected === null) {
    try {
      writeFileSync(path, text, { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      if (isErrno(error, "EEXIST")) return false;
      throw error;
    }
  }
  if (readOwner(path)?.nonce !== expected.nonce) return false;
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return true;
}

/** A text that differs for each file that ever had a name; null where there is none. It takes no file handle. */
export function stampOf(path: string): string | null {
  const about = statSync(path, { bigint: true, throwIfNoEntry: false });
  return about === undefined ? null : `${about.dev} ${about.ino} ${about.ctimeNs}`;
}

/** Null where there is no such file. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}
