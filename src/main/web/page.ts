import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** A response, for whatever serves it. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Serves the built page: over HTTP in a browser, over a scheme of its own in the desktop app. */
export interface Page {
  /**
   * The file at a path; the page itself for the path of one of its screens. `connect`: origins besides its own to which the
   * page connects.
   */
  answer(path: string, connect?: readonly string[]): Promise<PageAnswer>;
}

/** Where the page has the nonce of its response. */
const noncePlaceholder = "%CSP_NONCE%";

function answerPage(html: string, connect: readonly string[] = []): PageAnswer {
  const nonce = createNonce();
  const headers = {
    ...securityHeaders,
    "content-security-policy": contentSecurityPolicy({ nonce, connect }),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  };
  return { status: 200, headers, body: html.replaceAll(noncePlaceholder, nonce) };
}

/** A line of text for clients that are no browser. */
export function answerText(status: number, text: string): PageAnswer {
  const headers = { ...securityHeaders, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return { status, headers, body: `${text}\n` };
}

/** True for the path of a screen (`/batches/batch_1`), false for that of a file (`/icon.svg`). */
function isScreen(path: string): boolean {
  return !/\.[^/]*$/.test(path);
}

/** A file of the built page, and how it is served. */
interface Asset {
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
async function listAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
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
function findAsset(assets: ReadonlyMap<string, Asset>, path: string): Asset | undefined {
  try {
    return assets.get(decodeURIComponent(path));
  } catch {
    return undefined;
  }
}

/**
 * Opens the page that was built into `folder`. Only files that are there now are ever served.
 *
 * @throws when the page has not been built
 */
export async function openPage(folder: string): Promise<Page> {
  const index = join(folder, "index.html");
  await readFile(index).catch((error: unknown) => {
    throw new Error(`The page has not been built: ${index} is missing.`, { cause: error });
  });
  const assets = await listAssets(folder);
  return {
    async answer(path, connect) {
      const asset = findAsset(assets, path);
      if (asset !== undefined) {
        const { file, type, cacheControl } = asset;
        const headers = { ...securityHeaders, "content-type": type, "cache-control": cacheControl };
        return { status: 200, headers, body: await readFile(file) };
      }
      if (!isScreen(path)) return answerText(404, "There is no such file.");
      return answerPage(await readFile(index, "utf8"), connect);
    },
  };
}

/** A nonce for one response: 128 random bits. */
function createNonce(): string {
  return randomBytes(16).toString("base64");
}

interface PagePolicy {
  /** For the style elements that the page makes at run time. */
  readonly nonce: string;
  /** Origins besides its own to which the page connects, such as its WebSocket. */
  readonly connect?: readonly string[];
}

/**
 * The content security policy of the page: its own files, its own server, nothing else. Styles made at run time need the
 * nonce of their response.
 */
function contentSecurityPolicy({ nonce, connect = [] }: PagePolicy): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", `'nonce-${nonce}'`],
    "connect-src": ["'self'", ...connect],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}

/** What every response carries, whatever it is. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};
