import { z } from "zod";
import { quote, ServiceError } from "#main/base";
import { integerInQuery } from "./schemas.ts";

/** The query of a list of Gemini's API, with how many entries a page has by default. */
export function geminiPageQuery(usual: number) {
  return z.object({ pageSize: integerInQuery(1, 1_000, usual), pageToken: z.string().optional() });
}

/** The page that a query asks for. A token is the name of the entry that it follows. */
export function toGeminiPage<T extends { readonly name: string }>(
  items: readonly T[],
  { pageSize, pageToken: after }: { readonly pageSize: number; readonly pageToken?: string | undefined },
): { readonly items: readonly T[]; readonly nextPageToken: string | null } {
  const start = after === undefined ? 0 : items.findIndex(({ name }) => name === after) + 1;
  if (after !== undefined && start === 0) {
    throw new ServiceError("invalid_value", `pageToken ${quote(after)} is of no list.`, "pageToken");
  }
  const page = items.slice(start, start + pageSize);
  return { items: page, nextPageToken: start + pageSize < items.length ? (page.at(-1)?.name ?? null) : null };
}
