import type { Encoding, ParquetType } from "hyparquet";
import { BuildError } from "../../errors.ts";

/** The values of a page, as its header and its column describe them. */
interface PageValues {
  readonly num_values: number;
  /** Of version 2; counted by the levels where it is not given. */
  readonly num_nulls?: number;
  readonly encoding: Encoding;
  readonly type: ParquetType;
  /** The highest level of repetition and of definition. */
  readonly levels: readonly number[];
  /** The bytes of these levels in version 2, which has them in its header. */
  readonly lengths?: readonly number[];
}

const tooLong = "This Parquet file is damaged: a page has more values than it declares. Export it again, or as CSV.";

/** A run may be longer than what is left of a page: writers fill up the last one. */
const spareValues = 10_000;

const isEncodedInRuns = (encoding: Encoding) =>
  encoding === "RLE" || encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY";

/**
 * Refuses an unpacked page with a run that is much longer than the page: the reader would repeat a value as often as the run
 * declares. Bytes that end too early are left to the reader.
 */
export function checkRuns(bytes: Uint8Array, page: PageValues): void {
  const { num_values, encoding, type, levels, lengths } = page;
  let offset = 0;
  let nulls = 0;
  for (const [at, most] of levels.entries()) {
    if (most === 0 && lengths === undefined) continue;
    const start = lengths === undefined ? offset + 4 : offset;
    const end = start + (lengths?.[at] ?? readLength(bytes, offset));
    // The last levels are those of definition: a value of a lower one is null.
    const found = readRuns(bytes.subarray(start, end), { width: bitWidth(most), count: num_values, wanted: most });
    nulls = num_values - found;
    offset = end;
  }
  if (!isEncodedInRuns(encoding)) return;
  const isBoolean = type === "BOOLEAN";
  const start = offset + (isBoolean && lengths === undefined ? 4 : isBoolean ? 0 : 1);
  const width = isBoolean ? 1 : (bytes[offset] ?? 0);
  const count = num_values - (page.num_nulls ?? ((levels[1] ?? 0) > 0 ? nulls : 0));
  readRuns(bytes.subarray(start), { width, count, wanted: null });
}

function bitWidth(most: number): number {
  return 32 - Math.clz32(most);
}

function readLength(bytes: Uint8Array, offset: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(offset, offset + 4);
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

interface Runs {
  /** The bits of a value. */
  readonly width: number;
  readonly count: number;
  /** The value that is counted. */
  readonly wanted: number | null;
}

/** Reads the runs of a page up to `count` values, and returns how often the wanted value is among these. */
function readRuns(bytes: Uint8Array, { width, count, wanted }: Runs): number {
  if (width === 0) return wanted === 0 ? count : 0;
  let offset = 0;
  let seen = 0;
  let found = 0;
  while (seen < count && offset < bytes.length) {
    let header = 0;
    for (let shift = 0; offset < bytes.length; shift += 7) {
      const byte = bytes[offset++] ?? 0;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const isPacked = (header & 1) === 1;
    const length = isPacked ? (header >>> 1) * 8 : header >>> 1;
    if (length > count + spareValues) throw new BuildError("refused", tooLong);
    const used = Math.min(length, count - seen);
    if (isPacked) {
      if (wanted !== null) found += countPacked(bytes, { offset, width, used, wanted });
      offset += (header >>> 1) * width;
    } else {
      const size = (width + 7) >> 3;
      if (wanted !== null && readLength(bytes, offset) % 2 ** (8 * size) === wanted) found += used;
      offset += size;
    }
    seen += length;
  }
  return found;
}

function countPacked(
  bytes: Uint8Array,
  { offset, width, used, wanted }: { offset: number; width: number; used: number; wanted: number },
): number {
  let found = 0;
  for (let at = 0; at < used; at++) {
    let value = 0;
    for (let bit = 0; bit < width; bit++) {
      const place = at * width + bit;
      value |= (((bytes[offset + (place >> 3)] ?? 0) >> (place & 7)) & 1) << bit;
    }
    if (value === wanted) found += 1;
  }
  return found;
}
