import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Services refuse larger ones. */
const mostBytes = 20_000_000;

/** How files of images begin, in Latin-1. What begins otherwise is not sent anywhere. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[\s\S]{4}WEBP/, "image/webp"],
];

/** The image at a place that a table names: an address is passed on, a file becomes its data. */
export function readImage(place: string): { readonly url: string } | { readonly problem: string } {
  if (/^(?:https?:\/\/|data:image\/)/i.test(place)) return { url: place };
  const path = toPath(place);
  if (!isAbsolute(path)) {
    return { problem: `${place} is neither an address nor a whole path. Write it from the root of the disk on.` };
  }
  try {
    const { size, mtimeMs } = statSync(path);
    if (size > mostBytes) return { problem: `The image ${place} has more than 20 MB.` };
    const known = images.get(path);
    if (known?.mtimeMs === mtimeMs && known.size === size) return { url: known.url };
    const url = readUrl(path);
    if (url === null) return { problem: `${place} is no PNG, JPEG, GIF or WebP image.` };
    remember(path, { mtimeMs, size, url });
    return { url };
  } catch {
    return { problem: `The image ${place} can't be read. Is it still there?` };
  }
}

/** Null for what is no image. */
function readUrl(path: string): string | null {
  const content = readFileSync(path);
  const start = content.toString("latin1", 0, 16);
  const kind = kinds.find(([begin]) => begin.test(start))?.[1];
  return kind === undefined ? null : `data:${kind};base64,${content.toString("base64")}`;
}

interface ReadImage {
  readonly mtimeMs: number;
  readonly size: number;
  readonly url: string;
}

/** Images that were read, so that a check of the same rows doesn't read them anew: those that were read first come first. */
const images = new Map<string, ReadImage>();
const mostRemembered = 64_000_000;
let remembered = 0;

function remember(path: string, image: ReadImage): void {
  remembered += image.url.length - (images.get(path)?.url.length ?? 0);
  images.delete(path);
  images.set(path, image);
  for (const [oldest, { url }] of images) {
    if (remembered <= mostRemembered) break;
    images.delete(oldest);
    remembered -= url.length;
  }
}

function toPath(place: string): string {
  if (place.startsWith("~/")) return join(homedir(), place.slice(2));
  return place.startsWith("file://") && URL.canParse(place) ? fileURLToPath(place) : place;
}
