import { imageSize } from "image-size";
import { type ChatMessage, formatBytes, formatNumber, type SentPicture } from "#contract";
import { type DataAddress, listSentPictures, readDataAddress } from "#main/answers";
import type { JsonObject } from "#main/base";

/** Most bytes of a picture that is drawn small beside many others. */
const mostSmallBytes = 6_000_000;
/** Most pixels of a picture that is drawn: it takes four bytes for each while it is. */
const mostPixels = 80_000_000;

/** Characters of an address: servers commonly read no longer one. What is longer is cut, and ends in "…". */
const longestAddress = 8_000;
/** Characters of a path; what is longer is data without a type. */
const longestPath = 2_000;

const isWebAddress = (url: string) => /^https?:/i.test(url);

/** What a picture is called, in one line: its address, or of data that came along its type and size. */
function namePicture(sent: string): string {
  const url = sent.trim();
  const data = readDataAddress(url);
  return data === null ? nameAddress(url) : `${data.type ?? "data"}, ${formatBytes(sizeOf(url, data))}`;
}

function nameAddress(url: string): string {
  const inOneLine = (text: string) => text.replace(/\s+/g, " ");
  if (!isWebAddress(url)) return url.length > longestPath ? `data, ${formatBytes(url.length)}` : inOneLine(url);
  return url.length > longestAddress ? `${inOneLine(url.slice(0, longestAddress))}…` : inOneLine(url);
}

/** The bytes of the data in an address, without decoding it. */
function sizeOf(url: string, { isBase64, start }: DataAddress): number {
  const characters = url.length - start;
  if (!isBase64) return characters;
  return Math.floor((characters * 3) / 4) - (url.endsWith("==") ? 2 : url.endsWith("=") ? 1 : 0);
}

/** The pictures of a request by their names, one a line; null for a request without any. */
export function namePictures(body: JsonObject): string | null {
  const pictures = listSentPictures(body);
  return pictures.length === 0 ? null : pictures.map(namePicture).join("\n");
}

/** Messages with the data of pictures cut off behind its type: it may be millions of characters. */
export function withoutPictureData(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map((part) => {
      if (part.type !== "image_url") return part;
      const url = part.image_url.url.trim();
      const data = readDataAddress(url);
      const shown = data === null ? nameAddress(url) : url.slice(0, data.start);
      return { ...part, image_url: { ...part.image_url, url: shown } };
    });
    return { ...message, content };
  });
}

/** A picture of a request, from 0, as far as it can be shown. Nothing is fetched. */
export async function showPicture(body: JsonObject, place: number, small: boolean): Promise<SentPicture> {
  const url = listSentPictures(body)[place]?.trim();
  if (url === undefined) return { name: "", url: null, problem: "The request has no such picture." };
  const name = namePicture(url);
  const data = readDataAddress(url);
  const refuse = (problem: string | null): SentPicture => ({ name, url: null, problem });
  if (data === null) {
    if (isWebAddress(url)) return refuse(null);
    return refuse(
      url.length > longestPath
        ? "It is neither an address nor data that begins with “data:”."
        : "It was sent as a path, whose file isn’t read.",
    );
  }
  if (!data.type?.startsWith("image/") || !data.isBase64) return refuse("It is no picture in Base64.");
  if (small && sizeOf(url, data) > mostSmallBytes) {
    return refuse("It is too large to be shown here. Open the line to see it.");
  }
  const size = await measure(Buffer.from(url.slice(data.start), "base64"));
  if (size === null) return refuse("It is no PNG, JPEG, GIF or WebP picture, or it is damaged.");
  const { width, height } = size;
  if (width * height > mostPixels)
    return refuse(`It has ${formatNumber(width)} × ${formatNumber(height)} pixels, too many to be shown here.`);
  return { name, url, problem: null };
}

/** Formats that every browser draws, and that can't name other files. */
const formats: ReadonlySet<string | undefined> = new Set(["png", "jpg", "gif", "webp"]);

/** The pixels of a picture; null for content of any other kind. */
async function measure(bytes: Buffer): Promise<{ readonly width: number; readonly height: number } | null> {
  try {
    const { width, height, type } = imageSize(bytes);
    return formats.has(type) ? { width, height } : null;
  } catch {
    return null;
  }
}
