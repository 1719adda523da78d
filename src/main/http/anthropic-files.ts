import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { quote, ServiceError } from "#main/base";
import { anthropicFileSchema, toAnthropicFile } from "#main/requests";
import type { FileRecord } from "#main/storage";
import { integerInQuery } from "./schemas.ts";
import { parseVendorBody } from "./validate.ts";

const fileQuery = z.object({ limit: integerInQuery(1, 1_000, 20), page: z.string().optional() });
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

/** What batches were made of, or wrote, is no file of their client. */
export function isAnthropicUpload({ purpose, generated }: FileRecord): boolean {
  return purpose === "user_data" && !generated;
}

/** The page of a client's files that a request asks for, newest first: `limit` of them, or those with the `ids`. */
export function listAnthropicFiles(
  own: readonly FileRecord[],
  { url }: Pick<FastifyRequest, "url">,
): z.infer<typeof anthropicFilePageSchema> {
  const query = new URLSearchParams(url.split("?")[1]);
  const ids = new Set([...query.getAll("ids[]"), ...query.getAll("ids")]);
  if (ids.size > mostIds) throw new ServiceError("invalid_value", `ids has ${ids.size} ids; ${mostIds} is the most.`);
  const { limit, page: after } = parseVendorBody(fileQuery, Object.fromEntries(query));
  const files = own.filter(isAnthropicUpload).map(toAnthropicFile);
  if (ids.size > 0)
    return toPage(
      files.filter(({ id }) => ids.has(id)),
      false,
    );
  const start = after === undefined ? 0 : files.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw new ServiceError("invalid_value", `page ${quote(after)} is of no list.`);
  return toPage(files.slice(start, start + limit), start + limit < files.length);
}

function toPage(data: z.infer<typeof anthropicFileSchema>[], hasMore: boolean) {
  const last = data.at(-1)?.id ?? null;
  return { data, next_page: hasMore ? last : null, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: last };
}
