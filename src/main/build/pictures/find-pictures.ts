import { dirname, sep } from "node:path";
import type { PictureColumn } from "#contract";
import { isInside } from "#main/storage";
import { readRows } from "../sources/read-rows.ts";
import type { StoredSource } from "../sources/stored-source.ts";
import { findFolder, parsePicturePlace, readPicture } from "./read-picture.ts";

/** Up to so many folders are confirmed one by one; beyond, their parent folders. */
const mostFolders = 5;

interface PictureQuery {
  readonly path: string;
  readonly source: StoredSource;
  readonly column: string;
  /** Resolved paths of folders whose pictures may be sent. */
  readonly pictureFolders: readonly string[];
}

/** Finds the pictures that a column names, and their folders. Reads the first file, so that it can be shown. */
export async function findPictures(
  { path, source, column, pictureFolders }: PictureQuery,
  signal?: AbortSignal,
): Promise<PictureColumn> {
  const at = source.columns.indexOf(column);
  const written = new Map<string, number>();
  let first: string | null = null;
  let addresses = 0;
  for await (const window of readRows(path, source)) {
    signal?.throwIfAborted();
    for (const { cells } of window) {
      const place = parsePicturePlace(cells[at]?.trim() ?? "");
      if (place.kind === "address") addresses += 1;
      if (place.kind !== "file") continue;
      first ??= place.path;
      const folder = dirname(place.path);
      written.set(folder, (written.get(folder) ?? 0) + 1);
    }
  }
  const files = new Map<string, number>();
  for (const [folder, count] of written) {
    const found = findFolder(`${folder}${sep}.`);
    files.set(found, (files.get(found) ?? 0) + count);
  }
  const folders = coverFolders([...files.keys()]).map((folder) => ({
    path: folder,
    files: [...files].reduce((sum, [inner, count]) => sum + (isInside(inner, [folder]) ? count : 0), 0),
    isAllowed: isInside(folder, pictureFolders),
  }));
  return {
    files: [...files.values()].reduce((sum, count) => sum + count, 0),
    addresses,
    folders,
    first: first === null ? null : lookAt(first),
  };
}

function lookAt(path: string): PictureColumn["first"] {
  const picture = readPicture(path, [findFolder(path)]);
  if ("url" in picture) return { path, url: picture.url, problem: null };
  return { path, url: null, problem: "problem" in picture ? picture.problem : `The picture ${path} can't be read.` };
}

/** The folders that all others are below. If these are too many, the deepest are replaced by their parents. */
function coverFolders(folders: readonly string[]): string[] {
  let covers = dropNested(folders);
  while (covers.length > mostFolders) {
    const depth = Math.max(...covers.map(depthOf));
    // The root of the disk is never offered.
    if (depth <= 1) break;
    covers = dropNested(covers.map((folder) => (depthOf(folder) === depth ? dirname(folder) : folder)));
  }
  return covers.sort();
}

const depthOf = (folder: string) => folder.split(sep).filter((part) => part !== "").length;

/** Removes folders that are inside of another. */
function dropNested(folders: readonly string[]): string[] {
  const all = new Set(folders);
  const lies = (folder: string): boolean => {
    const parent = dirname(folder);
    return parent !== folder && (all.has(parent) || lies(parent));
  };
  return [...all].filter((folder) => !lies(folder));
}
