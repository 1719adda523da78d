import { z } from "zod";
import { scanLines } from "../io/index.ts";
import type { BatchPaths } from "./batch-paths.ts";
import { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
import { readTimings } from "./timings.ts";

const requestSchema = z.object({ custom_id: z.string() });
const answerSchema = z.object({ custom_id: z.string(), response: z.object({}).nullable() });

/**
 * Builds the index of a batch anew from its files, with one pass over each. A last line without its end was being
 * written when the process ended: it is no answer.
 */
export async function readIndex(paths: BatchPaths): Promise<LineIndex> {
  const { lineStarts, lineOf } = await readRequests(paths.input);
  const index = createLineIndex(lineStarts);
  const known = { index, lineOf, timings: await readTimings(paths.timings, index.total) };
  if (paths.output !== null) await readAnswers(paths.output, "output", known);
  if (paths.error !== null) await readAnswers(paths.error, "error", known);
  return index;
}

async function readRequests(path: string) {
  const starts: number[] = [];
  const lineOf = new Map<string, number>();
  let end = 0;
  await scanLines(path, (line) => {
    const text = line.bytes?.toString() ?? "";
    if (text.trim() === "") return;
    starts.push(line.start);
    end = line.end;
    lineOf.set(requestSchema.parse(JSON.parse(text)).custom_id, starts.length);
  });
  return { lineStarts: Float64Array.from([...starts, end]), lineOf };
}

interface Known {
  readonly index: LineIndex;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly timings: Float32Array;
}

async function readAnswers(path: string, file: AnswerFile, { index, lineOf, timings }: Known) {
  await scanLines(path, ({ bytes, start, terminated }) => {
    if (bytes === null || !terminated) return;
    const { custom_id, response } = answerSchema.parse(JSON.parse(bytes.toString()));
    const line = lineOf.get(custom_id);
    if (line === undefined) return;
    const time = timings[line - 1] ?? Number.NaN;
    const skipped = response === null;
    const milliseconds = skipped || Number.isNaN(time) ? null : time;
    index.record(line, { file, start, length: bytes.length, skipped, milliseconds });
  });
}
