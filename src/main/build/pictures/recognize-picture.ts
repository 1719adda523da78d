/** The format of a picture, and its length: bytes behind that are not part of it. */
export interface RecognizedPicture {
  readonly type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly end: number;
}

/**
 * Recognizes a complete picture by its structure from the first byte to the last: any file can begin like a picture. Null
 * for other content, or for a picture that is cut off.
 */
export function recognizePicture(bytes: Buffer): RecognizedPicture | null {
  for (const [type, findEnd] of formats) {
    const end = findEnd(bytes);
    if (end !== null && end <= bytes.length) return { type, end };
  }
  return null;
}

type FindEnd = (bytes: Buffer) => number | null;

const formats: readonly (readonly [RecognizedPicture["type"], FindEnd])[] = [
  ["image/png", findEndOfPng],
  ["image/jpeg", findEndOfJpeg],
  ["image/gif", findEndOfGif],
  ["image/webp", findEndOfWebp],
];

const text = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** Chunks of length, name, data and checksum: `IHDR` is the first, `IEND` the last. */
function findEndOfPng(bytes: Buffer): number | null {
  if (text(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = text(bytes, at + 4, at + 8);
    const isHeader = name === "IHDR" && length === 13;
    if (!/^[A-Za-z]{4}$/.test(name) || isHeader !== (at === 8)) return null;
    at += length + 12;
    if (name === "IEND") return at;
  }
  return null;
}

/** Segments of a marker, a length and data; behind the start of a scan its data, to the next marker. */
function findEndOfJpeg(bytes: Buffer): number | null {
  if (text(bytes, 0, 2) !== "\xff\xd8") return null;
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return hasFrame && hasScan ? at + 2 : null;
    if (marker === 0xff) at += 1;
    else {
      if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || at + 4 > bytes.length) return null;
      hasFrame ||= marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return null;
      at += 2 + length;
      if (marker !== 0xda) continue;
      hasScan = true;
      at = findMarker(bytes, at);
    }
  }
  return null;
}

/** The next marker in the data of a scan: neither a byte `ff` of the data, nor a restart. */
function findMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** A screen, then blocks to the trailer: images and extensions, each with its data in pieces of up to 255 bytes. */
function findEndOfGif(bytes: Buffer): number | null {
  if (!/^GIF8[79]a$/.test(text(bytes, 0, 6)) || bytes.length < 13) return null;
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let hasImage = false;
  let at = 13 + tableBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x3b) return hasImage ? at + 1 : null;
    if (block === 0x2c) {
      hasImage = true;
      at += 11 + tableBytes(bytes[at + 9] ?? 0);
    } else if (block === 0x21) at += 2;
    else return null;
    for (let size = bytes[at]; size !== 0; size = bytes[at]) {
      if (size === undefined) return null;
      at += size + 1;
    }
    at += 1;
  }
  // Old programs leave the trailer out.
  return hasImage ? at : null;
}

/** A RIFF file whose chunks fill it, the first one a picture's. */
function findEndOfWebp(bytes: Buffer): number | null {
  if (text(bytes, 0, 4) !== "RIFF" || !/^WEBPVP8[ LX]$/.test(text(bytes, 8, 16))) return null;
  const end = 8 + bytes.readUInt32LE(4);
  let at = 12;
  while (at + 8 <= Math.min(end, bytes.length)) {
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return at === end ? end : null;
}
