/** Values of a JSON document that someone else wrote: what is missing, null or of another kind is absent. */
export type JsonObject = Readonly<Record<string, unknown>>;

const noObject: JsonObject = {};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : noObject;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function listObjects(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

export function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A text as it is, the JSON text of anything else; null where there is nothing. */
export function asTextOrJson(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A number; also one that is written as text, as some services write theirs, and where JSON has none (`"-Infinity"`). */
export function asNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : null;
}

/** More tokens than any answer has; columns of them take 32 bits. */
const mostTokens = 0xffff_fffe;

/** A count of tokens, which some services write as text or with decimals; null for what can't be one. */
export function asCount(value: unknown): number | null {
  const count = asNumber(value);
  return count !== null && count >= 0 && count <= mostTokens ? Math.round(count) : null;
}

const mostIndex = 1_000;

/** The place of something in a list; where none is given, or none that makes sense, the place at which it came. */
export function asIndex(value: unknown, at: number): number {
  const index = asCount(value);
  return index !== null && index <= mostIndex ? index : at;
}
