import { readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { isErrno } from "#main/storage";

const startOf = (path: string) => `What is missing in ${basename(path)}:\n`;

/**
 * Writes a note beside an exported file that lists its missing data, for the file's readers. Resolves with the note's path.
 * Where nothing is missing, removes the note of an earlier export and resolves with null. Another file of that name is never
 * overwritten: the call then rejects with EEXIST.
 */
export async function noteMissing(path: string, missing: readonly string[]): Promise<string | null> {
  const note = `${path}.missing.txt`;
  const before = await readFile(note, "utf8").catch((error: unknown) => {
    // What can't be the path of a note has none of an earlier export.
    if (["ENOENT", "EISDIR", "ENAMETOOLONG"].some((code) => isErrno(error, code))) return "";
    throw error;
  });
  const isNote = before.startsWith(startOf(path));
  if (missing.length > 0) {
    const text = `${startOf(path)}${missing.map((sentence) => `- ${sentence}\n`).join("")}`;
    await writeFile(note, text, { flag: isNote ? "w" : "wx" });
    return note;
  }
  if (isNote) await rm(note);
  return null;
}
