import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { recognizePicture } from "./recognize-picture.ts";

/** The most bytes of the pictures of one line: written as text they stay below the 16 MB that a line may have. */
const mostPictureBytes = 11_000_000;

/** What a cell or a request names as its picture. */
export type PicturePlace =
  | { readonly kind: "address" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "neither" };

export function parsePicturePlace(place: string): PicturePlace {
  if (/^(?:https?:\/\/|data:image\/)/i.test(place)) return { kind: "address" };
  const path = toPath(place);
  // What begins with two of either slash is a file of another computer to Windows, which sends the user's name to it.
  return isAbsolute(path) && !/^[\\/]{2}/.test(path) ? { kind: "file", path: resolve(path) } : { kind: "neither" };
}

function toPath(place: string): string {
  if (place.startsWith("~/")) return join(homedir(), place.slice(2));
  try {
    return /^file:/i.test(place) ? fileURLToPath(place) : place;
  } catch {
    return "";
  }
}

/** The folder that a file is in, its links resolved. That of a file which is not there is as it was written. */
export function findFolder(path: string): string {
  try {
    return realpathSync(dirname(path));
  } catch {
    return dirname(path);
  }
}

/** Whether one of the folders is this path, or has it somewhere below. Both are resolved paths. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
  });
}

/** A picture's address, or why it can't be sent. */
export type Picture =
  | { readonly url: string }
  | { readonly problem: string }
  /** Nothing was read: pictures of this folder are not to be sent (yet). */
  | { readonly notAllowed: string };

/** The same of this computer: a `data:` address, and its size. */
export type LocalPicture = Exclude<Picture, { url: string }> | { readonly url: string; readonly bytes: number };

/**
 * Reads the pictures of one line: an address is passed on, a file of this computer is read if it is in one of the folders. All
 * that are read have no more than 11 MB together.
 */
export function createPictureReader(folders: readonly string[]): (place: string) => Picture {
  let bytes = 0;
  return (place) => {
    const parsed = parsePicturePlace(place);
    if (parsed.kind === "address") return { url: place };
    if (parsed.kind === "neither") {
      return { problem: `${place} is neither an address nor a whole path. Write it from the root of the disk on.` };
    }
    const picture = readPicture(parsed.path, folders, mostPictureBytes - bytes);
    if ("bytes" in picture) bytes += picture.bytes;
    return picture;
  };
}

/**
 * Reads a picture of this computer, if it is in one of the folders, and has no more than `mostBytes`. A link is followed only
 * inside of them. What is open is checked, and not what its path led to a moment before.
 */
export function readPicture(path: string, folders: readonly string[], mostBytes = mostPictureBytes): LocalPicture {
  const folder = findFolder(path);
  const isAllowed = isInside(folder, folders);
  try {
    const file = realpathSync(path);
    if (!isInside(file, folders)) return isAllowed ? { problem: leadsOut(path) } : { notAllowed: folder };
    // Without waiting: a pipe would keep the worker until somebody writes into it.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      const stats = fstatSync(descriptor, { bigint: true });
      if (!stats.isFile()) return { problem: `${path} is no picture: it is no file.` };
      if (!isInside(locateOpen(descriptor, file, stats), folders)) return { problem: leadsOut(path) };
      if (stats.size > mostBytes) return { problem: tooLarge(path, mostBytes) };
      return readOpen(descriptor, stats) ?? { problem: `${path} is no whole PNG, JPEG, GIF or WebP picture.` };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return isAllowed ? { problem: `The picture ${path} can't be read. Is it still there?` } : { notAllowed: folder };
  }
}

const leadsOut = (path: string) => `${path} leads out of the folders whose pictures are sent.`;

function tooLarge(path: string, mostBytes: number): string {
  return mostBytes < mostPictureBytes
    ? `With ${path} the pictures of this row have more than 11 MB together.`
    : `The picture ${path} has more than 11 MB.`;
}

/** Where the open file is now: its way may have been exchanged since the path was resolved. */
function locateOpen(descriptor: number, file: string, { dev, ino }: BigIntStats): string {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${descriptor}`);
  const found = realpathSync(file);
  const now = lstatSync(found, { bigint: true });
  return now.dev === dev && now.ino === ino ? found : "";
}

/** Null for what is no picture, or grows while it is read. */
function readOpen(descriptor: number, stats: BigIntStats): { url: string; bytes: number } | null {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const key = [dev, ino, size, mtimeNs, ctimeNs].join();
  const known = pictures.get(key);
  if (known !== undefined) return known;
  const buffer = Buffer.allocUnsafe(Number(size) + 1);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < buffer.length; filled += read) {
    read = readSync(descriptor, buffer, filled, buffer.length - filled, filled);
  }
  const found = filled === Number(size) ? recognizePicture(buffer.subarray(0, filled)) : null;
  if (found === null) return null;
  const url = `data:${found.type};base64,${buffer.toString("base64", 0, found.end)}`;
  return memoize(key, { url, bytes: found.end });
}

/** Pictures that were read, so that a check of the same rows doesn't read them anew: those that were read first come first. */
const pictures = new Map<string, { readonly url: string; readonly bytes: number }>();
const mostMemoized = 64_000_000;
let memoized = 0;

function memoize<Picture extends { url: string; bytes: number }>(key: string, picture: Picture): Picture {
  pictures.set(key, picture);
  memoized += picture.url.length;
  for (const [oldest, { url }] of pictures) {
    if (memoized <= mostMemoized) break;
    pictures.delete(oldest);
    memoized -= url.length;
  }
  return picture;
}
