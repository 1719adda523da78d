import { readdir } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** A file of the built page, and how it is served. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  readonly cacheControl: string;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

/** The build puts a hash of the content into these names: another content has another name. */
const hashedName = /^\/assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * Lists the files of the built page by their path in an address. What is not on the list is not served, whatever the
 * address says, so that none leads out of the folder. The page itself is not on it: it is never served as it lies there.
 */
export async function listAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    if (!entry.isFile() || path === "/index.html") continue;
    assets.set(path, {
      file,
      type: types[extname(path).toLowerCase()] ?? "application/octet-stream",
      cacheControl: hashedName.test(path) ? "private, max-age=31536000, immutable" : "no-cache",
    });
  }
  return assets;
}

/** The file at the path of an address, which may be percent-encoded. */
export function findAsset(assets: ReadonlyMap<string, Asset>, path: string): Asset | undefined {
  try {
    return assets.get(decodeURIComponent(path));
  } catch {
    return undefined;
  }
}
