/** A JSON object from a line of text. */
export type JsonObject = Readonly<Record<string, unknown>>;

// ECMAScript's "JSON.parse source text access", which the standard library's types do not have yet.
declare global {
  interface JSON {
    /** An object that `JSON.stringify` writes as this text. */
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** Numbers that JavaScript would not write as they stand: many digits, an exponent, a zero at the end of a fraction. */
const delicateNumber = /\d{16}|\d\.\d*0(?!\d)|\d[eE]/;

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/**
 * Parses a line as a JSON object; null for any other value. Numbers keep the digits that stand in the text, so that
 * an id of twenty digits comes through whole. Throws a SyntaxError where it is not JSON.
 */
export function parseJsonObject(text: string): JsonObject | null {
  const value: unknown = delicateNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  return isObject(value) ? value : null;
}

/** The text of a cell: a string as it is, null and a missing value empty, every other value as its JSON. */
export function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
