import { expect, test } from "vitest";
import { countPromptTokens } from "./count-tokens.ts";
import { countPictureTokens, readPictureSize } from "./picture-tokens.ts";
import table from "./testing/vendor-pictures.json" with { type: "json" };

const asUrl = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString("base64")}`;

/** The head of a PNG, as far as its size. */
function pngOf(width: number, height: number): string {
  const head = Buffer.alloc(33);
  head.write("\x89PNG\r\n\x1a\n", "latin1");
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12, "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return asUrl("png", head);
}

test.each(table.pictures)("$model: $width × $height is $tokens tokens", ({ model, width, height, detail, tokens }) => {
  expect(countPictureTokens(pngOf(width, height), detail, model)).toBe(tokens);
});

/** A JPEG with so many bytes of metadata before its size. */
function jpegOf(width: number, height: number, metadata: number): string {
  const segments: Buffer[] = [];
  for (let rest = metadata; rest > 0; rest -= 60_000) {
    const segment = Buffer.alloc(Math.min(rest, 60_000) + 4);
    segment.writeUInt16BE(0xffe2, 0);
    segment.writeUInt16BE(segment.length - 2, 2);
    segments.push(segment);
  }
  const frame = Buffer.alloc(19);
  frame.writeUInt16BE(0xffc0, 0);
  frame.writeUInt16BE(17, 2);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return asUrl("jpeg", Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, Buffer.alloc(16)]));
}

test("the size of a picture is read of each format, also behind metadata; of nothing else", () => {
  const gif = Buffer.from("GIF89a\x20\x00\x18\x00\x00\x00\x00", "latin1");
  const webp = Buffer.alloc(30);
  webp.write("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00", "latin1");
  webp.writeUIntLE(31, 24, 3);
  webp.writeUIntLE(23, 27, 3);
  const size = { width: 32, height: 24 };
  expect(readPictureSize(pngOf(32, 24))).toEqual(size);
  expect(readPictureSize(pngOf(32, 24).replace("png;", "png ; name=a;"))).toEqual(size);
  expect(readPictureSize(asUrl("gif", gif))).toEqual(size);
  expect(readPictureSize(asUrl("webp", webp))).toEqual(size);
  expect(readPictureSize(jpegOf(32, 24, 100))).toEqual(size);
  expect(readPictureSize(jpegOf(32, 24, 400_000))).toEqual(size);
  for (const url of [
    "https://example.com/a.png",
    "data:image/png;base64,",
    "data:image/png;base64,AAAA",
    "data:,x",
    "",
  ]) {
    expect(readPictureSize(url)).toBeNull();
  }
});

test("a prompt counts its pictures by its model; one at an address as a square of 1,024 pixels", () => {
  const ask = (url: string) => [
    { role: "user" as const, content: [{ type: "image_url" as const, image_url: { url } }] },
  ];
  const count = (url: string, model?: string) =>
    countPromptTokens(ask(url), model) - countPromptTokens([{ role: "user", content: "" }]);
  expect(count(pngOf(32, 24), "claude-haiku-4-5")).toBe(2);
  expect(count(pngOf(32, 24), "gemini-2.5-pro")).toBe(258);
  expect(count("https://example.com/a.png")).toBe(765);
});
