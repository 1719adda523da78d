import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { ServiceError } from "#main/base";
import { anthropicFileSchema, toAnthropicFile } from "#main/requests";
import type { FileRecord } from "#main/storage";
import { anthropicPageOf, anthropicPageQuery, type Page, toAnthropicPage, writePage } from "./anthropic-pages.ts";
import { takePage } from "./take-page.ts";
import { parseVendorBody } from "./validate.ts";

const fileQuery = anthropicPageQuery.extend({ page: z.string().optional() });
/** Most ids that one request may ask for. */
const mostIds = 100;

/** A list of files. Older clients page by ids, newer ones by `next_page`. */
export const anthropicFilePageSchema = anthropicPageOf(anthropicFileSchema).extend({
  next_page: z.string().nullable(),
});
type AnthropicFilePage = Page<z.infer<typeof anthropicFileSchema>> & { readonly next_page: string | null };

/** Whether an Anthropic client uploaded the file itself: files of batches are not listed. */
export function isAnthropicUpload({ purpose, generated }: FileRecord): boolean {
  return purpose === "user_data" && !generated;
}

/**
 * The page of a client's files that a request asks for, newest first: `limit` of them, or those with the `ids`. Older clients
 * page by the ids of files.
 */
export function listAnthropicFiles(
  own: readonly FileRecord[],
  { url }: Pick<FastifyRequest, "url">,
): AnthropicFilePage {
  const query = new URLSearchParams(url.split("?")[1]);
  const ids = new Set([...query.getAll("ids[]"), ...query.getAll("ids")]);
  if (ids.size > mostIds) throw new ServiceError("invalid_value", `ids has ${ids.size} ids; ${mostIds} is the most.`);
  const asked = parseVendorBody(fileQuery, Object.fromEntries(query));
  const uploads = own.filter(isAnthropicUpload);
  if (ids.size > 0) {
    const chosen = uploads.map(toAnthropicFile).filter(({ id }) => ids.has(id));
    return { ...writePage(chosen, false), next_page: null };
  }
  if (asked.after_id !== undefined || asked.before_id !== undefined)
    return { ...toAnthropicPage(uploads.map(toAnthropicFile), asked), next_page: null };
  const { limit: size, page: token } = asked;
  const { items, next } = takePage(uploads, { size, token, param: "page" }, ({ createdAt }) => createdAt);
  return { ...writePage(items.map(toAnthropicFile), next !== null), next_page: next };
}
