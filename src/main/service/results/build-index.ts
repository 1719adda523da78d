import { stat } from "node:fs/promises";
import { z } from "zod";
import { parseJson, type ScannedLine, scanLines } from "../io/index.ts";
import { customIdOf, findCustomId, idOfLine, toFacts } from "./join-line.ts";
import { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
import { readTimings, reusedTime } from "./timings.ts";

/** The files that an index is of. */
export const indexedFilesSchema = z.object({
  input: z.string(),
  output: z.string().nullable(),
  error: z.string().nullable(),
  timings: z.string(),
});
export type IndexedFiles = z.infer<typeof indexedFilesSchema>;

/** What no limit of a line is above: of a batch that ended before its check, longer lines are not read. In bytes. */
const longestLine = 256_000_000;

/** Builds the index of a batch from its files; `report` gets how many of their bytes have been read. */
export type BuildIndex = (files: IndexedFiles, report: (bytes: number, size: number) => void) => Promise<LineIndex>;

const answerSchema = z.object({ custom_id: z.string(), response: z.object({}).nullable() });

/**
 * Builds the index with one pass over each file. A last line without its end was being written when the process ended: it
 * is no answer.
 */
export const buildIndex: BuildIndex = async (files, report) => {
  const { input, output, error, timings } = files;
  const { size, ofInput, ofOutput } = await measureFiles(files);
  const reportFrom = (before: number) => (bytes: number) => report(before + bytes, size);
  const { lineStarts, lineOf } = await readRequests(input, reportFrom(0));
  const index = createLineIndex(lineStarts);
  const known = { index, lineOf, timings: await readTimings(timings, index.total) };
  if (output !== null) await readAnswers(output, "output", known, reportFrom(ofInput));
  if (error !== null) await readAnswers(error, "error", known, reportFrom(ofInput + ofOutput));
  return index;
};

/** Bytes of what is read, together and of each. */
export async function measureFiles({ input, output, error }: IndexedFiles) {
  const measure = async (path: string | null) => (path === null ? 0 : (await stat(path)).size);
  const [ofInput, ofOutput, ofError] = await Promise.all([measure(input), measure(output), measure(error)]);
  return { size: ofInput + ofOutput + ofError, ofInput, ofOutput };
}

type Report = (bytes: number) => void;

async function readRequests(path: string, onChunk: Report) {
  const starts: number[] = [];
  const lineOf = new Map<string, number>();
  let end = 0;
  const onLine = (line: ScannedLine) => {
    const text = line.bytes?.toString() ?? "";
    if (line.bytes !== null && text.trim() === "") return;
    starts.push(line.start);
    end = line.end;
    lineOf.set(customIdOf(text) ?? idOfLine(starts.length), starts.length);
  };
  await scanLines(path, onLine, { onChunk, maxLineBytes: longestLine });
  return { lineStarts: Float64Array.from([...starts, end]), lineOf };
}

interface Known {
  readonly index: LineIndex;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly timings: Float32Array;
}

async function readAnswers(path: string, file: AnswerFile, known: Known, onChunk: Report) {
  const { index, lineOf, timings } = known;
  /** It was answered: asking again may cost, and is its user's decision. */
  const recordDamaged = (text: string, start: number, length: number) => {
    const line = lineOf.get(findCustomId(text) ?? "");
    if (line === undefined || index.isAnswered(line)) return;
    index.record(line, { file, start, length, skipped: false, milliseconds: null, reused: false });
  };
  const onLine = ({ bytes, start, terminated }: ScannedLine) => {
    if (bytes === null || !terminated) return;
    const text = bytes.toString();
    const value = parseJson(text);
    const answer = answerSchema.safeParse(value);
    if (!answer.success) return recordDamaged(text, start, bytes.length);
    const { custom_id, response } = answer.data;
    const line = lineOf.get(custom_id);
    if (line === undefined) return;
    const time = timings[line - 1] ?? Number.NaN;
    const skipped = response === null;
    const milliseconds = skipped || !(time >= 0) ? null : time;
    const reused = time === reusedTime;
    index.record(line, { file, start, length: bytes.length, skipped, milliseconds, reused }, toFacts(value));
  };
  await scanLines(path, onLine, { onChunk });
}
