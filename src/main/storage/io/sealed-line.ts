import { crc32 } from "node:zlib";

/** Bytes of the end of a sealed line, from the comma on: `,"crc":"xxxxxxxx"}`. */
const sealBytes = 18;
const seal = /,"crc":"[0-9a-f]{8}"\}/g;

/**
 * A JSON object as one line that can be checked: its last member is the CRC-32 of all bytes before that member. It ends with a
 * line feed. The object has at least one member.
 */
export function sealLine(value: object): Buffer {
  return sealJson(JSON.stringify(value));
}

/** The same for the text of such an object. */
export function sealJson(json: string): Buffer {
  const content = json.slice(0, -1);
  return Buffer.from(`${content}${sealOf(Buffer.from(content))}\n`);
}

/** Whether a line without its end is as it was written. */
export function isSealed(line: Uint8Array): boolean {
  const content = line.subarray(0, -sealBytes);
  return content.length > 0 && Buffer.from(line.subarray(-sealBytes)).toString("latin1") === sealOf(content);
}

const sealStart = ',"crc":"';
const closingBrace = Buffer.from("}");

/**
 * The JSON of a line without its end, as it was before it was sealed; null for a line that is not as it was written. Files of
 * versions that did not seal their lines are read, too: a line without a seal is taken as it is.
 */
export function unsealLine(line: Buffer): Buffer | null {
  if (isSealed(line)) return Buffer.concat([line.subarray(0, -sealBytes), closingBrace]);
  return line.toString("latin1", line.length - sealBytes).startsWith(sealStart) ? null : line;
}

/**
 * The sealed lines in bytes that are none themselves, such as two lines whose line feed between them was damaged; with where
 * each begins.
 */
export function findSealed(bytes: Buffer): { readonly start: number; readonly line: Buffer }[] {
  let start = 0;
  const found: { start: number; line: Buffer }[] = [];
  for (const { index } of bytes.toString("latin1").matchAll(seal)) {
    const end = index + sealBytes;
    const line = bytes.subarray(start, end);
    if (isSealed(line)) found.push({ start, line });
    // One byte for the line feed, whatever it is now.
    start = end + 1;
  }
  return found;
}

function sealOf(content: Uint8Array): string {
  return `,"crc":"${crc32(content).toString(16).padStart(8, "0")}"}`;
}
