import { isAscii, isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import { detect } from "chardet";
import { type Encoding, encodingSchema } from "#contract";
import { BuildError } from "../errors.ts";

const byteOrderMarks: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The first bytes of files that are often dropped by mistake, and what to do about each. */
const refused: readonly (readonly [readonly number[], string])[] = [
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF, not a table. Add a table such as CSV, XLSX or JSONL."],
  [[0x1f, 0x8b], "This file is compressed. Unpack it and add the file inside."],
];

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
  const refusal = refused.find(([prefix]) => startsWith(head, prefix));
  if (refusal !== undefined) throw new BuildError("refused", refusal[1]);
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) return "zip";
  if (startsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) return "compound";
  return startsWith(head, [0x50, 0x41, 0x52, 0x31]) ? "parquet" : "text";
}

/** `bytes` without a character that the end of a window has cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) break;
  }
  return bytes;
}

/** UTF-16 without a byte-order mark: Latin text, digits and delimiters have a zero at every other byte. */
function detectWideText(head: Buffer): Encoding | undefined {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const encoding = odd > even * 3 ? "utf-16le" : even > odd * 3 ? "utf-16be" : undefined;
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length & ~1));
  return /(?![\t\r\n\f\v])\p{Cc}/u.test(text) ? undefined : encoding;
}

/** The most likely encoding of bytes that are not UTF-8; default: windows-1252, which spreadsheets still write. */
function guessByteEncoding(bytes: Buffer): Encoding {
  const found = encodingSchema.safeParse(detect(bytes)?.toLowerCase()).data;
  return found === undefined || found === "utf-8" || found.startsWith("utf-16") ? "windows-1252" : found;
}

/**
 * Guesses the encoding of a text: by its byte-order mark; without one, by whether the first part with bytes beyond ASCII is
 * UTF-8; otherwise by the frequencies of bytes. Refuses what is no text.
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    let { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, bytesRead);
    const marked = byteOrderMarks.find(([, mark]) => startsWith(head, mark));
    if (marked !== undefined) return marked[0];
    if (head.includes(0)) {
      const wide = detectWideText(head);
      if (wide === undefined) throw new BuildError("refused", "This file is not text. Add a CSV or a JSONL file.");
      return wide;
    }
    for (let position = 0; bytesRead > 0; ) {
      const window = buffer.subarray(0, bytesRead);
      const bytes = bytesRead === buffer.length ? wholeCharacters(window) : window;
      if (!isAscii(bytes)) return isUtf8(bytes) ? "utf-8" : guessByteEncoding(bytes);
      position += bytes.length;
      ({ bytesRead } = await file.read(buffer, 0, buffer.length, position));
    }
    return "utf-8";
  } finally {
    await file.close();
  }
}
