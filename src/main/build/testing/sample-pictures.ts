/** The smallest pictures of each format. */
export const samplePictures = {
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  jpeg: Buffer.from(
    `ffd8 ffe000104a46494600010100000100010000 ffc0000b08000100010101110 0 ffda0008010100003f00 37ff00 ffd1 12 ffd9`.replaceAll(
      " ",
      "",
    ),
    "hex",
  ),
  gif: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  webp: Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64"),
} as const;

/** The same picture with so many bytes more, in a chunk that readers skip. */
export function enlargePng(png: Buffer, bytes: number): Buffer {
  const chunk = Buffer.alloc(bytes + 12);
  chunk.writeUInt32BE(bytes);
  chunk.write("teSt", 4);
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]);
}
