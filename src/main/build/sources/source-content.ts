import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createQueue } from "#main/base";
import { type ContentHash, createContentCheck, hashContent } from "#main/batches";
import { isErrno, type WriteRules } from "#main/storage";
import { BuildError } from "../errors.ts";
import type { IndexEvent, StoredSource } from "./stored-source.ts";

/** The file as it was dropped. What it was converted to, where that was needed, is next to it. */
export const originalName = "content";

const damaged = "The bytes of this table are not as they were stored: they are damaged on disk. Add the file again.";

export interface SourceContentDeps {
  readonly folderOf: (sourceId: string) => string;
  readonly writeRules: WriteRules;
  /** Converts the original anew, where it is one that is converted. */
  readonly index: (path: string, source: StoredSource) => AsyncIterable<IndexEvent>;
}

/** The files with the bytes of tables. */
export interface SourceContent {
  /** Brings a new one to the disk, and answers with what it is known by from now on. */
  seal(path: string): Promise<ContentHash>;
  /**
   * The path of one, `source.content` by default. It is compared with its hash when it is first used, and after a change that
   * the file system knows of; text that was converted is made anew where it is damaged. Rejects with a BuildError where the
   * bytes are not those that were stored.
   */
  find(source: StoredSource, name?: string): Promise<string>;
}

export function createSourceContent({ folderOf, writeRules, index }: SourceContentDeps): SourceContent {
  const check = createContentCheck();
  /** Two conversions of a file at once would write the same one. */
  const inTurn = createQueue();
  const isSound = (path: string, known: ContentHash) =>
    check(path, () => hashContent(path).then((found) => isDeepStrictEqual(found, known), refuseMissing));

  async function find(source: StoredSource, name = source.content): Promise<string> {
    const path = join(folderOf(source.id), name);
    const known = source.contents[name];
    // Earlier versions stored no checksum: such a file is read as far as it goes, and can't be made anew.
    if (known === undefined ? existsSync(path) : await isSound(path, known)) return path;
    if (known === undefined || name === originalName) throw new BuildError("refused", damaged);
    const original = await find(source, originalName);
    return await inTurn(async () => {
      // Another reader may have had it made anew meanwhile.
      if (await isSound(path, known)) return path;
      for await (const _ of index(original, source));
      if (await isSound(path, known)) return path;
      throw new BuildError("refused", damaged);
    });
  }

  return {
    async seal(path) {
      const file = await open(path, "r+");
      try {
        await writeRules.syncFile(file);
      } finally {
        await file.close();
      }
      return await hashContent(path);
    },
    find,
  };
}

function refuseMissing(error: unknown): boolean {
  if (isErrno(error, "ENOENT")) return false;
  throw error;
}
