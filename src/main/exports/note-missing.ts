import { readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { isErrno } from "#main/storage";

const startOf = (path: string) => `What is missing in ${basename(path)}:\n`;

/**
 * Lists what is missing in an exported file in a note beside it, so that whoever is handed the file gets to know. Answers
 * with the path of the note; null where nothing is missing: the note of an earlier export is removed then.
 */
export async function noteMissing(path: string, missing: readonly string[]): Promise<string | null> {
  const note = `${path}.missing.txt`;
  if (missing.length > 0) {
    await writeFile(note, `${startOf(path)}${missing.map((sentence) => `- ${sentence}\n`).join("")}`);
    return note;
  }
  const found = await readFile(note, "utf8").catch((error: unknown) => {
    // What can't be the path of a note has none of an earlier export.
    if (["ENOENT", "EISDIR", "ENAMETOOLONG"].some((code) => isErrno(error, code))) return "";
    throw error;
  });
  if (found.startsWith(startOf(path))) await rm(note);
  return null;
}
