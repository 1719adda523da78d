import type { SentPicture } from "#contract";

/** A picture drawn small, or why there is none. */
export type Thumbnail = { readonly bitmap: ImageBitmap } | { readonly problem: string };

/** Twice the height of a row, for sharp screens, in pixels. */
const height = 96;
/** Thumbnails that are kept: some 100 kB each at most. */
const mostKept = 200;
/** Pictures that are read at once: each may be millions of characters. */
const mostAtOnce = 2;

const kept = new Map<string, Thumbnail>();
let running = 0;
const waiting: (() => void)[] = [];

/** A thumbnail that was loaded before; undefined for any other. */
export function recallThumbnail(key: string): Thumbnail | undefined {
  return kept.get(key);
}

/** Reads a picture and keeps only its thumbnail. `signal` takes a waiting picture off the queue; one that is being read is kept. */
export async function loadThumbnail(
  key: string,
  read: () => Promise<SentPicture>,
  signal: AbortSignal,
): Promise<Thumbnail> {
  while (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    signal.throwIfAborted();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const thumbnail = await shrink(await read());
    kept.set(key, thumbnail);
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(oldest);
    }
    return thumbnail;
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function shrink({ url, problem }: SentPicture): Promise<Thumbnail> {
  if (url === null) return { problem: problem ?? "Sheaf doesn’t fetch pictures from other addresses." };
  try {
    const [head = "", data = ""] = url.split(",", 2);
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const blob = new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? "" });
    return { bitmap: await createImageBitmap(blob, { resizeHeight: height, resizeQuality: "medium" }) };
  } catch {
    return { problem: "It could not be drawn: its data is damaged." };
  }
}
