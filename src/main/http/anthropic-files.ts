import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { quote, ServiceError } from "#main/base";
import { anthropicFileSchema, toAnthropicFile } from "#main/requests";
import type { FileRecord } from "#main/storage";
import { anthropicPageQuery, toAnthropicPage } from "./anthropic-pages.ts";
import { parseVendorBody } from "./validate.ts";

const fileQuery = anthropicPageQuery.extend({ page: z.string().optional() });
/** Most ids that one request may ask for. */
const mostIds = 100;

/** A list of files. Older clients read its last three members. */
export const anthropicFilePageSchema = z.object({
  data: z.array(anthropicFileSchema),
  next_page: z.string().nullable(),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
type AnthropicFile = z.infer<typeof anthropicFileSchema>;
type AnthropicFilePage = ReturnType<typeof toAnthropicPage<AnthropicFile>> & { readonly next_page: string | null };

/** What batches were made of, or wrote, is no file of their client. */
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
  const uploads = own.filter(isAnthropicUpload).toSorted(compareNewest);
  const files = uploads.map(toAnthropicFile);
  if (ids.size > 0)
    return toPage(
      files.filter(({ id }) => ids.has(id)),
      null,
    );
  if (asked.after_id !== undefined || asked.before_id !== undefined)
    return { ...toAnthropicPage(files, asked), next_page: null };
  const start = asked.page === undefined ? 0 : findStart(uploads, asked.page);
  const end = start + asked.limit;
  const last = end < uploads.length ? uploads[end - 1] : undefined;
  return toPage(files.slice(start, end), last === undefined ? null : `${last.createdAt}.${last.id}`);
}

/** Of several at the same time, the order is that of their ids: a page is found again when its last file is deleted. */
function compareNewest(one: Place, other: Place): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);
}

type Place = Pick<FileRecord, "createdAt" | "id">;

/** The index of the first file after a page, by the time and id of that page's last one. */
function findStart(uploads: readonly FileRecord[], page: string): number {
  const [, time, id] = /^(\d+)\.(file-\w+)$/.exec(page) ?? [];
  if (time === undefined || id === undefined)
    throw new ServiceError("invalid_value", `page ${quote(page)} is of no list.`);
  const last = { createdAt: Number(time), id };
  const start = uploads.findIndex((file) => file.id !== id && compareNewest(last, file) < 0);
  return start === -1 ? uploads.length : start;
}

function toPage(data: readonly AnthropicFile[], nextPage: string | null): AnthropicFilePage {
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { data, next_page: nextPage, has_more: nextPage !== null, first_id: first, last_id: last };
}
