import { isAscii, isUtf8 } from "node:buffer";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Source } from "#contract";
import { BuildError } from "../errors.ts";

export type Encoding = Source["encoding"];

const byteOrderMarks = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;

/** First bytes of files that are often dropped by mistake, and what to do about each. */
const notText: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "This is a workbook or a zip file, not text. Save the sheet as CSV and add that file."],
  [[0xd0, 0xcf, 0x11, 0xe0], "This is an old Excel workbook, not text. Save the sheet as CSV and add that file."],
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF, not a table. Add a CSV or a JSONL file."],
  [[0x1f, 0x8b], "This file is compressed. Unpack it and add the file inside."],
  [byteOrderMarks.utf16be, "This text is UTF-16 big-endian, which can't be read. Save it as UTF-8 and add it again."],
];

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

/** How many bytes of byte-order mark a UTF-8 text starts with. */
export function markLength(head: Uint8Array): number {
  return startsWith(head, byteOrderMarks.utf8) ? byteOrderMarks.utf8.length : 0;
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

/**
 * Guesses the encoding of a text: its byte-order mark decides; without one, the first part with bytes beyond ASCII is
 * UTF-8 or it is not, and then it is windows-1252, which spreadsheets still write. What is no text is refused.
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    let { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, bytesRead);
    const refusal = notText.find(([prefix]) => startsWith(head, prefix));
    if (refusal !== undefined) throw new BuildError("refused", refusal[1]);
    if (startsWith(head, byteOrderMarks.utf16le)) return "utf-16le";
    if (head.includes(0)) throw new BuildError("refused", "This file is not text. Add a CSV or a JSONL file.");
    for (let position = 0; bytesRead > 0; ) {
      const window = buffer.subarray(0, bytesRead);
      const bytes = bytesRead === buffer.length ? wholeCharacters(window) : window;
      if (!isAscii(bytes)) return isUtf8(bytes) ? "utf-8" : "windows-1252";
      position += bytes.length;
      ({ bytesRead } = await file.read(buffer, 0, buffer.length, position));
    }
    return "utf-8";
  } finally {
    await file.close();
  }
}

async function* decode(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (chunk instanceof Uint8Array) yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** Rewrites a text as UTF-8 in its place, so that everything after reads one encoding only. */
export async function rewriteAsUtf8(path: string, encoding: Encoding): Promise<void> {
  const rewritten = `${path}.utf8`;
  await pipeline(Readable.from(decode(path, encoding)), createWriteStream(rewritten));
  await rename(rewritten, path);
}
