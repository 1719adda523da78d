import { type Protocol, protocol } from "electron";
import type { Logger } from "#service";
import { openPage, type PageAnswer } from "../web/index.ts";
import { appScheme, isAppUrl } from "./policy.ts";

/** Makes the page's scheme one with an origin, as `https:` is. Called before `ready`. */
export function setupScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/**
 * Serves the built page under its scheme, as the browser host does over HTTP: the same files, the same policy, the same
 * headers. Rejects when the page has not been built.
 */
export async function setupPage(target: Protocol, folder: string, logger: Logger): Promise<void> {
  const page = await openPage(folder);
  target.handle(appScheme, async ({ url, method }) => {
    if (!isAppUrl(url)) return new Response("Not Sheaf's page.\n", { status: 404 });
    if (method !== "GET" && method !== "HEAD")
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    try {
      return toResponse(await page.answer(new URL(url).pathname));
    } catch (error) {
      logger.error("A file of the page could not be read.", { url, reason: String(error) });
      return new Response("This file of Sheaf could not be read.\n", { status: 500 });
    }
  });
}

function toResponse({ status, headers, body }: PageAnswer): Response {
  return new Response(body, { status, headers });
}
