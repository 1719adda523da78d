import { access, rename, rm } from "node:fs/promises";
import { basename, extname } from "node:path";
import { BuildError } from "#main/build";
import { isErrno, partialPathOf } from "#main/storage";

/**
 * The system's codes for a place that can't be written. `EBUSY` is also that of a file that is open in a spreadsheet. With `EXDEV`,
 * another name was chosen on another disk, where the written file can't be moved to.
 */
const targetErrors: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EBUSY",
  "EINVAL",
  "EISDIR",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOTDIR",
  "ENOTEMPTY",
  "EPERM",
  "EROFS",
  "EXDEV",
]);

/**
 * Writes next to the target and renames the complete file, so that none is ever there in part. If the target is open in another
 * program, it stays as it is, and `askAgain` is asked for another name: nothing is written twice.
 */
export async function saveExport<Written>(
  write: (part: string) => Promise<Written>,
  target: string,
  askAgain: (suggestedName: string, reason: string) => Promise<string | null>,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<Written & { readonly path: string }> {
  const part = partialPathOf(target);
  let path = target;
  try {
    const written = await write(part);
    for (;;) {
      try {
        await move(part, path);
        return { ...written, path };
      } catch (error) {
        if (!(await isOpenElsewhere(error, path))) throw error;
        const reason = `${basename(path)} is open in another program, such as Excel. Choose another name.`;
        const other = await askAgain(nextName(basename(path)), reason);
        if (other === null) throw openElsewhere(path);
        path = other;
      }
    }
  } catch (error) {
    // Where the place can't be written, nothing can be removed either.
    await rm(part, { force: true }).catch(() => undefined);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!targetErrors.has(code)) throw error;
    throw new BuildError("refused", `The file can't be written to ${path} (${code}). Choose another place.`);
  }
}

/** Windows refuses to replace a file that a program has open, as one that can't be written: this one is there, and its folder can be. */
async function isOpenElsewhere(error: unknown, path: string): Promise<boolean> {
  if (isErrno(error, "EBUSY")) return true;
  if (!isErrno(error, "EPERM")) return false;
  return await access(path).then(
    () => true,
    () => false,
  );
}

function openElsewhere(path: string): BuildError {
  const message = `${basename(path)} is open in another program, such as Excel, and was not changed. Close it there, then export again.`;
  return new BuildError("refused", message);
}

/** `answers.csv` becomes `answers (2).csv`, and that `answers (3).csv`. */
export function nextName(name: string): string {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  const [, before = stem, count = "1"] = /^(.*) \((\d+)\)$/.exec(stem) ?? [];
  return `${before} (${Number(count) + 1})${extension}`;
}
