const mask = "***";
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"]);
const secretFields = /^(api[-_]?key|(access[-_]?|refresh[-_]?)?token|secret|password|authorization)$/i;
/** What keys of the compatible APIs look like. */
const keyLike = /\b(sk|mcp)-[\w-]{8,}/g;

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
  return {
    text: maskText,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? mask : maskText(value)]),
      ),
    json: (value) =>
      JSON.parse(
        JSON.stringify(value, (name, field: unknown) => {
          if (typeof field !== "string") return field;
          return secretFields.test(name) ? mask : maskText(field);
        }),
      ),
  };
}
