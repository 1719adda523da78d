const mask = "***";
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"]);
const secretFields = /^(api[-_]?key|(access[-_]?|refresh[-_]?)?token|secret|password|authorization)$/i;
/** What keys of the compatible APIs look like. */
const keyLike = /\b(sk|mcp)-[\w-]{8,}/g;

/** Nothing that is deeper in JSON is shown: a body can be so deep that it can't be written. */
const deepest = 100;

/** Takes keys out of what is shown: those that are known, what looks like one, and what stands in a field for one. */
export interface Mask {
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  json(value: unknown): unknown;
}

export function createMask(readKeys: () => readonly string[]): Mask {
  function maskText(text: string): string {
    const known = readKeys().reduce((rest, key) => rest.replaceAll(key, mask), text);
    return known.replace(keyLike, mask);
  }
  function maskJson(value: unknown, name: string, depth: number): unknown {
    if (typeof value === "string") return secretFields.test(name) ? mask : maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === deepest) return "…";
    if (Array.isArray(value)) return value.map((item) => maskJson(item, name, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, maskJson(item, field, depth + 1)]));
  }

  return {
    text: maskText,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? mask : maskText(value)]),
      ),
    json: (value) => maskJson(value, "", 0),
  };
}
