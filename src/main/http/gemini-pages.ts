import { z } from "zod";
import { integerInQuery } from "./schemas.ts";
import { takePage } from "./take-page.ts";

/** The query of a list of Gemini's API, with how many entries a page has by default. */
export function geminiPageQuery(usual: number) {
  return z.object({
    // As the vendor does: more than a page may have is a whole page, and 0 is none given.
    pageSize: integerInQuery(0, 2 ** 31 - 1, usual).transform((size) => Math.min(size === 0 ? usual : size, 1_000)),
    pageToken: z.string().optional(),
  });
}

/** The page that a query asks for, and the field that an answer has for the next one. */
export function toGeminiPage<T>(
  list: readonly T[],
  { pageSize: size, pageToken: token }: z.infer<ReturnType<typeof geminiPageQuery>>,
  timeOf: (entry: T) => number,
): { readonly items: readonly T[]; readonly next: { readonly nextPageToken?: string } } {
  const { items, next } = takePage(list, { size, token, param: "pageToken" }, timeOf);
  return { items, next: next === null ? {} : { nextPageToken: next } };
}
