import type { Answer, AnswerFile } from "./line-index.ts";
import { type ByteRange, readRanges } from "./read-ranges.ts";

const lineEnd = 1;

/**
 * The lines of the output and error file that the answers are in, each with its line end; null where there is no
 * answer. `paths` says where the files are: null for one that the batch does not have.
 */
export async function readAnswers(
  paths: Readonly<Record<AnswerFile, string | null>>,
  answers: readonly (Answer | null)[],
): Promise<(Buffer | null)[]> {
  const lines = new Array<Buffer | null>(answers.length).fill(null);
  await Promise.all([readFrom("output"), readFrom("error")]);
  return lines;

  async function readFrom(file: AnswerFile): Promise<void> {
    const path = paths[file];
    if (path === null) return;
    const places: number[] = [];
    const ranges: ByteRange[] = [];
    answers.forEach((answer, place) => {
      if (answer?.file !== file) return;
      places.push(place);
      ranges.push({ start: answer.start, end: answer.start + answer.length + lineEnd });
    });
    const contents = await readRanges(path, ranges);
    places.forEach((place, at) => {
      lines[place] = contents[at] ?? null;
    });
  }
}
