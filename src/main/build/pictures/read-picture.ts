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
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isInside } from "#main/storage";
import { recognizePicture } from "./recognize-picture.ts";

/** The most bytes of the pictures of one line: as Base64 they stay below the 16 MB that a line may have. */
const mostPictureBytes = 11_000_000;

/** The picture that a cell or a request names. */
export type PicturePlace =
  | { readonly kind: "address" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "neither" };

export function parsePicturePlace(place: string): PicturePlace {
  if (/^(?:https?:\/\/|data:image\/)/i.test(place)) return { kind: "address" };
  const path = toPath(place);
  // To Windows, two slashes of either kind begin a path on another computer, to which it sends the user's name.
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

/** The folder of a file, with links resolved; of a missing file, as it was written. */
export function findFolder(path: string): string {
  try {
    return realpathSync(dirname(path));
  } catch {
    return dirname(path);
  }
}

/** A picture's address, or why it can't be sent. */
export type Picture =
  | { readonly url: string }
  | { readonly problem: string }
  /** Set when nothing was read because pictures of this folder may not be sent (yet). */
  | { readonly notAllowed: string };

/** A picture of this computer: its `data:` address and its size. */
export type LocalPicture = Exclude<Picture, { url: string }> | { readonly url: string; readonly bytes: number };

/**
 * Reads the pictures of one line: an address is passed on, a file of this computer is read if it is in one of the folders.
 * Together the files have 11 MB at most.
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
 * Reads a picture of this computer, if it is in one of the folders and has at most `mostBytes`. A link is followed only
 * inside of them. The checks use the open file, since its path may be exchanged meanwhile.
 */
export function readPicture(path: string, folders: readonly string[], mostBytes = mostPictureBytes): LocalPicture {
  const folder = findFolder(path);
  const isAllowed = isInside(folder, folders);
  try {
    const file = realpathSync(path);
    if (!isInside(file, folders)) return isAllowed ? { problem: leadsOut(path) } : { notAllowed: folder };
    // Opened without blocking: a pipe would block the worker until something is written to it.
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

/** The path of the open file: a folder may have been exchanged since the path was resolved. */
function locateOpen(descriptor: number, file: string, { dev, ino }: BigIntStats): string {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${descriptor}`);
  const found = realpathSync(file);
  const now = lstatSync(found, { bigint: true });
  return now.dev === dev && now.ino === ino ? found : "";
}

/** Null where the file is no picture, or grows while it is read. */
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

/** Caches pictures, so that a check of the same rows doesn't read them again; the oldest are removed first. */
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
