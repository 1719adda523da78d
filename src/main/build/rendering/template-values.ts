import { Drop, toValue } from "liquidjs";
import { compareNumbers, type NumberLike, readNumber } from "#contract";

/**
 * A number of a table as a template sees it: printed as it is written in its source, compared and calculated with as a number,
 * also with a text that is one.
 */
export class TableNumber {
  readonly #text: string;
  readonly #value: number;

  constructor(text: string) {
    this.#text = text;
    this.#value = Number(text);
  }

  equals = (other: unknown): boolean => this.#compare(other) === 0;
  gt = (other: unknown): boolean => this.#compare(other) > 0;
  geq = (other: unknown): boolean => this.#compare(other) >= 0;
  lt = (other: unknown): boolean => this.#compare(other) < 0;
  leq = (other: unknown): boolean => this.#compare(other) <= 0;

  /** Below, at or above 0 as it is to another number; NaN for what is none. */
  #compare(other: unknown): number {
    const number = toExactNumber(other);
    // A long number that is written in the template was rounded by Liquid.
    const isRounded = typeof number === "number" && Math.abs(number) > Number.MAX_SAFE_INTEGER;
    return compareNumbers(isRounded ? this.#value : this.#text, number);
  }

  valueOf(): number {
    return this.#value;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.#text);
  }
}

/** An empty cell: nothing where it is printed, false in a condition, and equal to an empty text. */
class EmptyCell extends Drop {
  readonly size = 0;

  equals(other: unknown): boolean {
    const value: unknown = toValue(other);
    return value === null || value === undefined || value === "";
  }

  gt = (): boolean => false;
  geq = (): boolean => false;
  lt = (): boolean => false;
  leq = (): boolean => false;

  override valueOf(): null {
    return null;
  }

  toJSON(): null {
    return null;
  }
}

const emptyCell = new EmptyCell();

/** An object is printed as JSON. Its keys may have any name. */
const objectPrototype = {
  toString(this: object): string {
    return JSON.stringify(this);
  },
};

/** A cell of a table as a template sees it: with its type where the table has types. */
export function toTemplateValue(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return emptyCell;
  if (typeof value === "number") return new TableNumber(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(toInnerValue);
  if (typeof value !== "object") return value;
  if (JSON.isRawJSON(value)) return new TableNumber(JSON.stringify(value));
  const object: object = Object.create(objectPrototype);
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(object, key, { value: toInnerValue(inner), enumerable: true });
  }
  return object;
}

/** Inside of lists and objects a text may be empty, and stays one. */
function toInnerValue(value: unknown): unknown {
  return value === "" ? "" : toTemplateValue(value);
}

/** What a value gives where it is a part of a text: lists and objects are JSON. Other values are left to Liquid. */
export function printValue(value: unknown): unknown {
  if (Array.isArray(value)) return JSON.stringify(value);
  return value instanceof TableNumber || (typeof value === "object" && value !== null && !(value instanceof Drop))
    ? String(value)
    : value;
}

/** The text of an output. */
export function printText(value: unknown): string {
  const printed: unknown = toValue(printValue(value));
  return printed === null || printed === undefined ? "" : String(printed);
}

/** The number that a value is, or that a text writes; NaN for anything else. */
export function toNumber(value: unknown): number {
  return Number(toExactNumber(value));
}

/** The same, as it is written where a double has no room for it. */
function toExactNumber(value: unknown): NumberLike {
  const plain: unknown = toValue(value);
  if (plain instanceof TableNumber) return String(plain);
  if (typeof plain === "string") return readNumber(plain) ?? Number.NaN;
  return typeof plain === "number" ? plain : Number.NaN;
}
