import { isUtf8 } from "node:buffer";
import type { ParquetParsers, SchemaElement, SchemaTree } from "hyparquet";
import { isListLike, isMapLike } from "hyparquet/src/schema.js";
import { parseJson } from "../json-lines.ts";
import type { LeafKind } from "./parquet-schema.ts";

/** A moment by its nanoseconds since 1970, whose zone the schema tells. */
class Moment {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }

  /** As a key of a map it has no zone. */
  toString(): string {
    return printMoment(this.nanoseconds, "");
  }
}

/** Keeps what the library would cut to milliseconds, or parse to doubles. */
export const exactParsers: Partial<ParquetParsers> = {
  dateFromDays: (days) => printDay(BigInt(days)),
  timestampFromMilliseconds: (value) => new Moment(BigInt(value) * 1_000_000n),
  timestampFromMicroseconds: (value) => new Moment(BigInt(value) * 1_000n),
  timestampFromNanoseconds: (value) => new Moment(BigInt(value)),
  jsonFromBytes: (bytes) => bytes,
};

export interface ValueOptions {
  readonly kindOf: (leaf: SchemaElement) => LeafKind;
  /** Whether the bytes of a leaf without a type are text. */
  readonly isText: (leaf: SchemaElement, bytes: Uint8Array) => boolean;
}

/** A value of a column as what `JSON.stringify` prints right: no digit is lost, and what JSON does not have is text. */
export function toJsonValue(value: unknown, tree: SchemaTree | undefined, options: ValueOptions): unknown {
  if (value === null || value === undefined) return null;
  if (tree !== undefined && Array.isArray(value)) {
    const element = isListLike(tree) ? tree.children[0]?.children[0] : tree;
    return value.map((item) => toJsonValue(item, element, options));
  }
  if (tree !== undefined && tree.children.length > 0 && isPlainObject(value)) {
    const map = isMapLike(tree) ? tree.children[0]?.children[1] : undefined;
    const find = (key: string) => map ?? tree.children.find(({ element }) => element.name === key);
    return mapObject(value, (inner, key) => toJsonValue(inner, find(key), options));
  }
  return tree === undefined ? toAnyJson(value) : toLeaf(value, tree.element, options);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  const ownKinds = [Moment, Uint8Array, Date];
  return typeof value === "object" && value !== null && !ownKinds.some((kind) => value instanceof kind);
}

function mapObject(object: Record<string, unknown>, change: (value: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function toLeaf(value: unknown, leaf: SchemaElement, { kindOf, isText }: ValueOptions): unknown {
  const kind = kindOf(leaf);
  if (kind === "decimal") return JSON.rawJSON(printDecimal(toInteger(value), scaleOf(leaf)));
  if (kind === "time") return printTime(toNanoseconds(value, leaf));
  if (kind === "interval" && value instanceof Uint8Array) return printInterval(value);
  if (kind === "float" && typeof value === "number") return toAnyJson(shorten(value, 9, Math.fround));
  if (kind === "half" && typeof value === "number") return toAnyJson(shorten(value, 5, roundToHalf));
  if (value instanceof Moment) return printMoment(value.nanoseconds, kind === "utc-moment" ? "Z" : "");
  if (value instanceof Uint8Array) {
    if (kind === "json") return readJson(Buffer.from(value).toString("utf8"));
    return isText(leaf, value) ? Buffer.from(value).toString("utf8") : Buffer.from(value).toString("base64");
  }
  return toAnyJson(value);
}

/** A value whose type the schema does not tell. */
function toAnyJson(value: unknown): unknown {
  if (typeof value === "bigint") return JSON.rawJSON(String(value));
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value instanceof Moment) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(toAnyJson);
  return isPlainObject(value) ? mapObject(value, toAnyJson) : value;
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Whether bytes are a text: UTF-8 without control characters. */
export function areText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !/(?![\t\r\n])\p{Cc}/u.test(Buffer.from(bytes).toString("utf8"));
}

/** The shortest number that is stored as this one where numbers have fewer digits than doubles: 1.1, not 1.100000023841858. */
function shorten(value: number, mostDigits: number, store: (value: number) => number): number {
  if (!Number.isFinite(value)) return value;
  for (let digits = 1; digits < mostDigits; digits++) {
    const short = Number(value.toPrecision(digits));
    if (store(short) === value) return short;
  }
  return Number(value.toPrecision(mostDigits));
}

/** The nearest number of 16 bits: 11 binary digits, fewer where it is very small. */
function roundToHalf(value: number): number {
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(value))));
  const step = 2 ** (exponent - 10);
  const steps = value / step;
  const down = Math.floor(steps);
  const rest = steps - down;
  const isUp = rest > 0.5 || (rest === 0.5 && down % 2 !== 0);
  return (isUp ? down + 1 : down) * step;
}

function scaleOf({ scale, logical_type }: SchemaElement): number {
  return scale ?? (logical_type?.type === "DECIMAL" ? logical_type.scale : 0);
}

/** A whole number as it is stored: as one, or as bytes, the highest first, in two's complement. */
function toInteger(value: unknown): bigint {
  if (value instanceof Uint8Array)
    return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString("hex") || "0"}`));
  return typeof value === "bigint" ? value : BigInt(Math.trunc(Number(value)));
}

function printDecimal(value: bigint, scale: number): string {
  if (scale <= 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const second = 1_000_000_000n;
const day = 86_400n * second;

function toNanoseconds(value: unknown, { converted_type, logical_type }: SchemaElement): bigint {
  const unit = logical_type?.type === "TIME" ? logical_type.unit : converted_type?.replace("TIME_", "");
  return toInteger(value) * (unit === "MILLIS" ? 1_000_000n : unit === "MICROS" ? 1_000n : 1n);
}

/** The part of a second behind its point, without zeros at its end. */
function printFraction(nanoseconds: bigint): string {
  const digits = String(nanoseconds % second).padStart(9, "0");
  if (digits === "000000000") return "";
  const kept = digits.endsWith("000000") ? 3 : digits.endsWith("000") ? 6 : 9;
  return `.${digits.slice(0, kept)}`;
}

function printTime(nanoseconds: bigint): string {
  const seconds = nanoseconds / second;
  const pad = (value: bigint) => String(value).padStart(2, "0");
  return `${pad(seconds / 3600n)}:${pad((seconds / 60n) % 60n)}:${pad(seconds % 60n)}${printFraction(nanoseconds)}`;
}

function printDay(days: bigint): string {
  const date = new Date(Number(days) * 86_400_000);
  return Number.isNaN(date.getTime()) ? String(days) : date.toISOString().replace(/T.*$/, "");
}

function printMoment(nanoseconds: bigint, zone: "" | "Z"): string {
  const time = ((nanoseconds % day) + day) % day;
  return `${printDay((nanoseconds - time) / day)}T${printTime(time)}${zone}`;
}

/** An interval of months, days and milliseconds in ISO 8601. */
function printInterval(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [months, days, milliseconds] = [0, 4, 8].map((at) => view.getUint32(at, true));
  return `P${months}M${days}DT${(milliseconds ?? 0) / 1000}S`;
}
