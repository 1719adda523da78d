import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findAsset, listAssets } from "./assets.ts";
import { contentSecurityPolicy, createNonce, securityHeaders } from "./csp.ts";

/** A response, for whatever serves it. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Serves the built page: over HTTP in a browser, over a scheme of its own in the desktop app. */
export interface Page {
  /**
   * The file at a path; the page itself for the path of one of its places. `connect`: origins beside its own to which the
   * page connects.
   */
  answer(path: string, connect?: readonly string[]): Promise<PageAnswer>;
}

const noncePlaceholder = "%CSP_NONCE%";

/** Puts the nonce of a response where the page finds it. */
function insertNonce(html: string, nonce: string): string {
  return html.replaceAll(noncePlaceholder, nonce);
}

/** A small page of text, under the same policy. */
export function answerHtml(status: number, html: string, connect: readonly string[] = []): PageAnswer {
  const nonce = createNonce();
  const headers = {
    ...securityHeaders,
    "content-security-policy": contentSecurityPolicy({ nonce, connect }),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  };
  return { status, headers, body: insertNonce(html, nonce) };
}

export function answerText(status: number, text: string): PageAnswer {
  const headers = { ...securityHeaders, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return { status, headers, body: `${text}\n` };
}

/** True for the path of a place of the page (`/batches/batch_1`), false for that of a file (`/icon.svg`). */
function isPlace(path: string): boolean {
  return !/\.[^/]*$/.test(path);
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
      if (!isPlace(path)) return answerText(404, "There is no such file.");
      return answerHtml(200, await readFile(index, "utf8"), connect);
    },
  };
}
