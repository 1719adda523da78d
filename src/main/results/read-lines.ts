import { type AnswerFile, openFiles, readAnswerLines, readRanges, readUpTo, scanLines } from "#main/storage";
import type { BatchPaths } from "./batch-paths.ts";
import { customIdOf } from "./join-line.ts";
import { eachKnownLine, listKnownLines } from "./known-lines.ts";
import { type LineIndex, withoutEnd } from "./line-index.ts";

/** The bytes of an answer's line with its line end; null where there is no answer. */
export type AnswerLine = Buffer | "damaged" | null;

/**
 * The lines of output and error file with the answers to these lines, in their order: every answer that is read by its line is read here. One whose bytes
 * are not those that were written is `damaged`, and so the index has it from then on. `paths`: where the files are, null for one
 * that the batch does not have.
 */
export async function readAnswers(
  paths: Readonly<Record<AnswerFile, string | null>>,
  index: Pick<LineIndex, "answer" | "markDamaged">,
  lines: readonly number[],
): Promise<AnswerLine[]> {
  const answers = lines.map((line) => index.answer(line));
  const read = await readAnswerLines(
    paths,
    answers.filter((answer) => answer !== null),
  );
  let next = 0;
  return answers.map((answer, at) => {
    if (answer === null) return null;
    const bytes = read[next++] ?? null;
    if (bytes !== null && !answer.damaged) return bytes;
    index.markDamaged(lines[at] ?? 0);
    return "damaged";
  });
}

/** Lines of an input file, in the order asked for, each without its line end; null for one that is damaged. */
export async function readRequests(
  inputPath: string,
  index: Pick<LineIndex, "request" | "isSoundRequest">,
  lines: readonly number[],
): Promise<(Uint8Array | null)[]> {
  const requests = await readRanges(inputPath, lines.map(index.request));
  return requests.map((bytes, at) => (index.isSoundRequest(lines[at] ?? 0, bytes) ? withoutEnd(bytes) : null));
}

/**
 * The custom_id of each line of an input file, with its number from 1. Of a line that is damaged on disk it is that of its answer, if it has
 * one: no damaged bytes are read for an id. `index` is null for a batch that is still being checked.
 */
export async function readCustomIds(
  paths: BatchPaths,
  index: LineIndex | null,
  onRequest: (customId: string, line: number) => void,
): Promise<void> {
  const onText = (text: string, line: number) => {
    const customId = customIdOf(text);
    if (customId !== null) onRequest(customId, line);
  };
  if (index === null) return await scanTexts(paths.input, onText);
  const damaged = await eachSoundRequest(paths.input, index, onText);
  const answered = damaged.filter((line) => index.isAnswered(line));
  const texts = await readAnswers(paths, index, answered);
  for (const [at, text] of texts.entries()) if (Buffer.isBuffer(text)) onText(text.toString(), answered[at] ?? 0);
}

/** Calls `onText` with each request that is as it was when its file was checked. Resolves with the lines of all others. */
export async function eachSoundRequest(
  path: string,
  { total, columns }: Pick<LineIndex, "total" | "columns">,
  onText: (text: string, line: number) => void,
): Promise<number[]> {
  const known = listKnownLines(columns, "input");
  const damaged = new Set(Array.from({ length: total }, (_, at) => at + 1));
  const onLine = (text: string, start: number) => {
    const line = known.lineAt(start);
    damaged.delete(line);
    onText(text, line);
  };
  await eachKnownLine(path, known, onLine, { onProgress: () => {} });
  return [...damaged];
}

async function scanTexts(path: string, onText: (text: string, line: number) => void): Promise<void> {
  let line = 0;
  await scanLines(path, ({ bytes }) => {
    const text = bytes?.toString() ?? "";
    if (text.trim() !== "") onText(text, ++line);
  });
}

/** Bytes of the input file that are read at a time; more when one line is longer. */
const blockBytes = 256 * 1024;
const headBytes = 4 * 1024;

/** Reads the requests of a batch's input file, in ascending order, a block at a time. */
export interface RequestReader {
  /** The line's text; null when it is not in memory yet: call again once `load` has resolved. */
  peek(line: number): string | null;
  /** Whether a line that is in memory is as it was when its file was checked. */
  isSound(line: number): boolean;
  /** Brings the block that starts with the line into memory. */
  load(line: number): Promise<void>;
  /** The beginning of a line that may be of any length: nothing else of it is brought into memory. */
  head(line: number): Promise<string>;
}

export function createRequestReader(
  path: string,
  index: Pick<LineIndex, "total" | "request" | "isSoundRequest">,
): RequestReader {
  // It has no file open between two blocks: many batches run at a time.
  async function read(start: number, length: number): Promise<Buffer> {
    const file = await openFiles.open(path);
    try {
      return await readUpTo(file, start, length);
    } finally {
      await file.close();
    }
  }
  let block: Buffer = Buffer.alloc(0);
  let blockStart = 0;

  return {
    peek(line) {
      const { start, end } = index.request(line);
      if (start < blockStart || end > blockStart + block.length) return null;
      return block.toString("utf8", start - blockStart, end - blockStart);
    },
    isSound(line) {
      const { start, end } = index.request(line);
      return index.isSoundRequest(line, block.subarray(start - blockStart, end - blockStart));
    },
    async load(line) {
      const { start, end } = index.request(line);
      const fileEnd = index.request(index.total).end;
      const length = Math.max(end, Math.min(start + blockBytes, fileEnd)) - start;
      const found = await read(start, length);
      // What is gone from the end of the file is as good as damaged: it is zeros.
      block = found.length === length ? found : Buffer.concat([found], length);
      blockStart = start;
    },
    async head(line) {
      const { start, end } = index.request(line);
      return (await read(start, Math.min(end - start, headBytes))).toString();
    },
  };
}
