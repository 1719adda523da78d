import { z } from "zod";
import { quote, ServiceError } from "#main/base";
import { integerInQuery } from "./schemas.ts";

/** The query of a list of Anthropic's API. */
export const anthropicPageQuery = z.object({
  limit: integerInQuery(1, 1_000, 20),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
});

/** A page as that API answers it. */
export function anthropicPageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  });
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** The page that a query asks for: from the first on, after one of them, or what is right before one. */
export function toAnthropicPage<T extends { readonly id: string }>(
  items: readonly T[],
  { limit, after_id: after, before_id: before }: z.infer<typeof anthropicPageQuery>,
): Page<T> {
  const indexOf = (id: string, param: string): number => {
    const index = items.findIndex((item) => item.id === id);
    if (index === -1)
      throw new ServiceError("not_found", `${param}: there is nothing with the id ${quote(id)}.`, param);
    return index;
  };
  const end = before === undefined ? items.length : indexOf(before, "before_id");
  const start =
    after === undefined ? (before === undefined ? 0 : Math.max(0, end - limit)) : indexOf(after, "after_id") + 1;
  const data = items.slice(start, Math.min(end, start + limit));
  const hasMore = before === undefined ? start + limit < end : start > 0;
  return writePage(data, hasMore);
}

/** Entries as that API answers them. */
export function writePage<T extends { readonly id: string }>(data: readonly T[], hasMore: boolean): Page<T> {
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
