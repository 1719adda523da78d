import { crc32 } from "node:zlib";
import { readRanges } from "../io/read-ranges.ts";
import type { AnswerFile, AnswerPlace } from "./answer.ts";

const lineEnd = 1;

/** Whether the bytes of a line with its line end are those that were written. */
export function isSoundAnswer(bytes: Uint8Array, { length, checksum }: Pick<AnswerPlace, "length" | "checksum">) {
  return bytes.length === length + lineEnd && crc32(bytes) === checksum;
}

/**
 * The lines of output and error file that answers are in, each with its line end, in the order asked for; null for one whose bytes are
 * not those that were written. `paths`: where the files are, null for one that the batch does not have.
 */
export async function readAnswerLines(
  paths: Readonly<Record<AnswerFile, string | null>>,
  places: readonly AnswerPlace[],
): Promise<(Buffer | null)[]> {
  const lines = new Array<Buffer | null>(places.length).fill(null);
  const readFrom = async (file: AnswerFile) => {
    const path = paths[file];
    if (path === null) return;
    const wanted = places.flatMap((place, at) => (place.file === file ? [{ place, at }] : []));
    const contents = await readRanges(
      path,
      wanted.map(({ place: { start, length } }) => ({ start, end: start + length + lineEnd })),
    );
    wanted.forEach(({ place, at }, nth) => {
      const bytes = contents[nth];
      if (bytes !== undefined && isSoundAnswer(bytes, place)) lines[at] = bytes;
    });
  };
  await Promise.all([readFrom("output"), readFrom("error")]);
  return lines;
}
