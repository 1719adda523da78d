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
    if (statSync(path).size > mostBytes) return { problem: `The image ${place} has more than 20 MB.` };
    const content = readFileSync(path);
    const start = content.toString("latin1", 0, 16);
    const kind = kinds.find(([begin]) => begin.test(start))?.[1];
    if (kind === undefined) return { problem: `${place} is no PNG, JPEG, GIF or WebP image.` };
    return { url: `data:${kind};base64,${content.toString("base64")}` };
  } catch {
    return { problem: `The image ${place} can't be read. Is it still there?` };
  }
}

function toPath(place: string): string {
  if (place.startsWith("~/")) return join(homedir(), place.slice(2));
  return place.startsWith("file://") && URL.canParse(place) ? fileURLToPath(place) : place;
}
