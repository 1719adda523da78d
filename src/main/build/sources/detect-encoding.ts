import { isAscii, isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import type { Encoding } from "#contract";
import { BuildError } from "../errors.ts";
import { decodeText } from "./encodings.ts";
import { type GuessedEncoding, guessByteEncoding } from "./guess-encoding.ts";

const byteOrderMarks: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32le", [0xff, 0xfe, 0x00, 0x00]],
  ["utf-32be", [0x00, 0x00, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const another = "Add a table such as CSV, XLSX or JSONL.";
const unpack = "Unpack it and add the file inside.";
const asTable = "Export it as CSV, XLSX or Parquet, and add that.";

/**
 * How files begin that are often dropped by mistake, as Latin-1, and what to do about each. A table may begin with the same
 * letters: what has nothing but letters there must have a control character after them.
 */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters show what such a file is.
const refused: readonly (readonly [first: RegExp, what: string, next: string])[] = [
  [/^%PDF-/, "a PDF, not a table", another],
  [/^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[\s\S]{4}WEBP)/, "a picture, not a table", another],
  [/^\{\\rtf1/, "a text document (RTF), not a table", another],
  [/^(?:\x1f\x8b|BZh\d1AY&SY|\(\xb5\/\xfd|\xfd7zXZ\0|\x04"M\x18|7z\xbc\xaf|Rar!\x1a)/, "compressed", unpack],
  [/^SQLite format 3\0/, "a SQLite database", asTable],
  [/^\0\x01\0\0Standard (?:Jet|ACE) DB/, "an Access database", asTable],
  [/^[\s\S]{8}DUCK[\0-\xff]\0\0\0/, "a DuckDB database", asTable],
  [/^\$FL[23]@\(#\)/, "a data file of SPSS", asTable],
  [/^<stata_dta>/, "a data file of Stata", asTable],
  [/^\0{12}\xc2\xea\x81\x60/, "a data file of SAS", asTable],
  [/^RD[AX][23]\n[XA]\n/, "a data file of R", asTable],
  [/^PARE[\s\S]*[\0-\x08]/, "an encrypted Parquet file", "Export it without encryption, and add that."],
  [/^(?:ARROW1\0|FEA1[\s\S]*[\0-\x08])/, "an Arrow file (Feather)", asTable],
  [/^Obj\x01/, "an Avro file", asTable],
  [/^ORC[\s\S]*[\0-\x08]/, "an ORC file", asTable],
  [/^(?:\x89HDF|\x93NUMPY)/, "a file of arrays (HDF5 or NumPy)", asTable],
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above.

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

/** How many bytes of byte-order mark a UTF-8 text starts with. */
export function markLength(head: Uint8Array): number {
  return startsWith(head, [0xef, 0xbb, 0xbf]) ? 3 : 0;
}

/**
 * Detects a container of parts, a Parquet file or text by the first bytes: most workbooks are zip files, and those of old
 * Office programs are compound files. Refuses what can't be a table.
 */
export function detectContainer(head: Uint8Array): "zip" | "compound" | "parquet" | "text" {
  const start = Buffer.from(head.subarray(0, 64)).toString("latin1");
  for (const [first, what, next] of refused) {
    if (first.test(start)) throw new BuildError("refused", `This file is ${what}. ${next}`);
  }
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) return "zip";
  if (startsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) return "compound";
  return startsWith(head, [0x50, 0x41, 0x52, 0x31]) ? "parquet" : "text";
}

/** `bytes` without a character that the end of a window has cut in two. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) break;
  }
  return bytes;
}

/** Characters that a text in UTF-16 does not have: it was decoded from something else. */
const noWideText = /(?![\t\r\n\f\v])\p{Cc}|\p{Cn}|\p{Cs}|\ufffd/u;

/** UTF-16 without a byte-order mark: Latin text, digits and delimiters have a zero in the same byte of each pair. */
function detectWideText(head: Buffer): Encoding | undefined {
  const zeros = [0, 0] as [number, number];
  for (let at = head.indexOf(0); at !== -1; at = head.indexOf(0, at + 1)) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  const least = head.length / 20;
  const encoding =
    odd >= least && even * 10 <= odd ? "utf-16le" : even >= least && odd * 10 <= even ? "utf-16be" : null;
  if (encoding === null) return undefined;
  return noWideText.test(decodeText(head.subarray(0, head.length & ~1), encoding)) ? undefined : encoding;
}

/** Whether bytes are no text: they have hardly a character, or many that control devices. */
function isBinary(head: Buffer): boolean {
  let controls = 0;
  let visible = 0;
  for (const byte of head) {
    if (byte > 0x20) visible += 1;
    else if (byte !== 0 && byte < 0x1b && (byte < 0x09 || byte > 0x0d) && byte !== 0x01) controls += 1;
  }
  return controls * 20 > head.length || (head.includes(0) && visible * 4 < head.length);
}

/** How many characters beyond ASCII bytes have as UTF-8, and how many bytes are none. */
function countCharacters(bytes: Buffer): { valid: number; broken: number } {
  if (isUtf8(bytes)) return { valid: Number.POSITIVE_INFINITY, broken: 0 };
  const text = bytes.toString("utf8");
  let valid = 0;
  let broken = 0;
  for (const character of text) {
    if (character === "\ufffd") broken += 1;
    else if (character > "\u007f") valid += 1;
  }
  return { valid, broken };
}

/** What switches to Japanese in seven bits. */
const japanese = ["\u001b$@", "\u001b$B"];

/**
 * Guesses the encoding of a text: by its byte-order mark; without one, by whether the first part with bytes beyond ASCII is
 * UTF-8, nearly always; otherwise by what makes words of it. Refuses what is no text.
 */
export async function detectEncoding(path: string): Promise<GuessedEncoding> {
  const sure = (encoding: Encoding): GuessedEncoding => ({ encoding, isDoubtful: false });
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    let { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, bytesRead);
    const marked = byteOrderMarks.find(([, mark]) => startsWith(head, mark));
    if (marked !== undefined) return sure(marked[0]);
    const wide = detectWideText(head);
    if (wide !== undefined) return sure(wide);
    if (isBinary(head)) throw new BuildError("refused", "This file is not text. Add a CSV or a JSONL file.");
    if (japanese.some((switched) => head.includes(switched))) return sure("iso-2022-jp");
    for (let position = 0; bytesRead > 0; ) {
      const window = buffer.subarray(0, bytesRead);
      const bytes = bytesRead === buffer.length ? wholeCharacters(window) : window;
      if (!isAscii(bytes)) {
        const { valid, broken } = countCharacters(bytes);
        return valid > 3 * broken ? sure("utf-8") : guessByteEncoding(bytes);
      }
      position += bytes.length;
      ({ bytesRead } = await file.read(buffer, 0, buffer.length, position));
    }
    return sure("utf-8");
  } finally {
    await file.close();
  }
}
