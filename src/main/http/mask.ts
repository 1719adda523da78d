import { hideSecret, secretHeaders } from "#main/base";

const stars = "***";
const secretFields = /^(api[-_]?key|(access[-_]?|refresh[-_]?)?token|secret|password|authorization)$/i;
/** What keys of the compatible APIs look like, and secrets of webhooks. */
const keyLike = /\b(sk|mcp)-[\w-]{8,}|\bwhsec_[\w+/=-]{8,}/g;

/** Where Gemini's clients may have it. */
const keyInQuery = /(^|&)key=[^&]*/g;

/** Nothing that is deeper in JSON is shown. */
const deepest = 100;
/** How many values of a body are shown: more than the longest body of the log can have. */
const mostValues = 600_000;
/** In place of what is not shown. */
const rest = "…";

/** Takes keys out of what is shown: those that are known, what looks like one, and what is in a field for one. */
export interface Mask {
  text(text: string): string;
  query(query: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** Takes a limited time, whatever the value is. */
  json(value: unknown): unknown;
}

/** @param readKeys what must never be shown, besides all that looks like a key */
export function createMask(readKeys: () => readonly string[]): Mask {
  function maskText(text: string): string {
    const known = readKeys().reduce((rest, key) => hideSecret(rest, key, stars), text);
    return known.replace(keyLike, stars);
  }

  function maskJson(whole: unknown): unknown {
    let left = mostValues;

    function maskValue(value: unknown, name: string, depth: number): unknown {
      left -= 1;
      if (typeof value === "string") return secretFields.test(name) ? stars : maskText(value);
      if (typeof value !== "object" || value === null) return value;
      if (depth === deepest || left <= 0) return rest;
      if (Array.isArray(value)) return maskEach(value, (item) => maskValue(item, name, depth + 1), rest);
      const fields = maskEach(
        Object.entries(value),
        ([field, item]): [string, unknown] => [field, maskValue(item, field, depth + 1)],
        [rest, rest],
      );
      return Object.fromEntries(fields);
    }

    /** Those before the limit of values, with `last` in place of the others. */
    function maskEach<In, Out>(items: readonly In[], mask: (item: In) => Out, last: Out): Out[] {
      const masked: Out[] = [];
      for (const item of items) {
        if (left <= 0) return [...masked, last];
        masked.push(mask(item));
      }
      return masked;
    }

    return maskValue(whole, "", 0);
  }

  return {
    text: maskText,
    query: (query) => maskText(query.replace(keyInQuery, `$1key=${stars}`)),
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? stars : maskText(value)]),
      ),
    json: maskJson,
  };
}
