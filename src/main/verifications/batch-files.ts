import { z } from "zod";
import type { DocumentChoice, ResultDetail, VerifyInput, VerifyResult } from "#contract";
import { quote } from "#main/base";
import type { Verifier } from "#main/judging";
import { createLineIndex, joinLine, type LineIndex, parseOutcome, requestSchema } from "#main/results";
import { parseJson, readRanges, type ScannedLine, scanLines } from "#main/storage";
import { hasAnswer, readBatchLines } from "./batch-lines.ts";
import { toVerifyInput } from "./line-texts.ts";

/** Problems that are reported; a file of another kind has one in each line. */
const mostProblems = 20;

/** What is wrong with a file, and where. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export const notAnswer = "It is no line of an output file: custom_id, response and error are expected.";

/** Describes what is wrong with the files of a batch: at most the first twenty problems. */
export class BatchFilesError extends Error {
  override readonly name = "BatchFilesError";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"));
    this.problems = problems;
  }
}

/** The requests of a batch joined with their answers by custom_id. */
export interface BatchFiles {
  readonly index: LineIndex;
  readLines(lines: readonly number[]): Promise<ResultDetail[]>;
}

export const answerSchema = z.object({
  /** Null where the request was damaged on disk: it has no answer. */
  custom_id: z.string().nullable(),
  response: z.object({ status_code: z.int(), request_id: z.string(), body: z.unknown() }).nullable(),
  error: z.object({ message: z.string() }).nullable(),
});

/**
 * Opens the input file of a batch and the file with its answers, in any order. Of both no more is in memory than where
 * each line is. Rejects with a BatchFilesError when a line can't be read or joined.
 */
export async function openBatchFiles(input: string, output: string): Promise<BatchFiles> {
  const problems: FileProblem[] = [];
  const { lineStarts, lineOf } = await readRequests(input, problems);
  const index = createLineIndex(lineStarts);
  await eachLine(output, problems, (value, { start, bytes }) => {
    const answer = answerSchema.safeParse(value);
    if (!answer.success) return notAnswer;
    const { custom_id: customId, response } = answer.data;
    if (customId === null) return null;
    const line = lineOf.get(customId);
    if (line === undefined) return `The input has no request ${quote(customId)}.`;
    if (index.isAnswered(line)) return `${quote(customId)} has an answer before this one.`;
    const file = response !== null && parseOutcome(value).state === "answered" ? "output" : "error";
    index.record(line, {
      file,
      start,
      length: bytes?.length ?? 0,
      checksum: 0,
      skipped: response === null,
      milliseconds: null,
      reused: false,
      damaged: false,
    });
    return null;
  });
  if (problems.length > 0) throw new BatchFilesError(problems);

  return {
    index,
    async readLines(lines) {
      const answers = lines.map((line) => index.answer(line));
      const requests = await readRanges(input, lines.map(index.request));
      const responses = await readRanges(
        output,
        answers.map((answer) => ({ start: answer?.start ?? 0, end: (answer?.start ?? 0) + (answer?.length ?? 0) })),
      );
      return lines.map((line, at) =>
        joinLine({
          line,
          asked: { batchId: "", line },
          request: requests[at]?.toString() ?? "",
          response: answers[at] === null ? null : (responses[at]?.toString() ?? null),
          isRequestDamaged: false,
          isDamaged: false,
          milliseconds: null,
          cost: null,
          reused: false,
          verdict: null,
          form: null,
          claims: null,
          agreement: null,
          grade: null,
        }),
      );
    },
  };
}

/** What came of verifying an answer. */
export interface Verified {
  readonly result: VerifyResult;
  /** Why the rules alone judged though a model was to; null otherwise. */
  readonly fallback: string | null;
}

/** Verifies one answer, and notes whether the rules alone did. Rejects with the signal's reason. */
export async function verifyOnce(verifier: Verifier, input: VerifyInput, signal?: AbortSignal): Promise<Verified> {
  let fallback: string | null = null;
  const onFallback = (problem: string) => {
    fallback = problem;
  };
  const result = await verifier.verify(input, { ...(signal && { signal }), onFallback });
  return { result, fallback };
}

export interface VerifyFilesOptions {
  readonly files: BatchFiles;
  readonly verify: (customId: string, input: VerifyInput) => Promise<Verified>;
  /** The document of every line: a text, the system message of each, or none. */
  readonly document: { readonly text: string } | "system_message" | null;
  readonly strict: boolean;
  /** Whether the form of the answers is checked; default true. */
  readonly form?: boolean;
  /** Answers that are judged at a time. */
  readonly concurrency: number;
}

export interface VerifiedLine extends Verified {
  readonly customId: string;
}

/** Verifies all answers of a batch; they come in the order of the input. */
export async function* verifyFiles(parts: VerifyFilesOptions): AsyncGenerator<VerifiedLine> {
  const { files, verify, document, strict, form, concurrency } = parts;
  const { index, readLines } = files;
  const choice: DocumentChoice = { from: document === "system_message" ? document : "none" };
  const text = document === null || document === "system_message" ? null : document.text;
  const judge = async (detail: ResultDetail): Promise<VerifiedLine> => {
    const { customId } = detail;
    const input = toVerifyInput(detail, { document: choice, strict, cell: null, ...(form === false && { form }) });
    return { customId, ...(await verify(customId, { ...input, ...(text !== null && { document: text }) })) };
  };
  const isWanted = (line: number) => hasAnswer(index, line);
  const chunks = readBatchLines({ index, isWanted, readLines, readCells: null });
  yield* workInOrder(chunks, ({ detail }) => judge(detail), concurrency);
}

/** Works on so many items at a time; the result of them comes in their order. After a failure all that were begun end first. */
export async function* workInOrder<T, R>(
  chunks: AsyncIterable<readonly T[]>,
  work: (item: T) => R | Promise<R>,
  concurrency: number,
): AsyncGenerator<R> {
  /** The first is the next to be handed out. */
  const working: Promise<R>[] = [];
  try {
    for await (const chunk of chunks) {
      for (const item of chunk) {
        const result = Promise.resolve(work(item));
        result.catch(() => undefined);
        working.push(result);
        while (working.length >= concurrency) {
          const first = working.shift();
          if (first !== undefined) yield await first;
        }
      }
    }
    for (const result of working) yield await result;
  } finally {
    await Promise.allSettled(working);
  }
}

async function readRequests(path: string, problems: FileProblem[]) {
  const starts: number[] = [];
  const lineOf = new Map<string, number>();
  let end = 0;
  await eachLine(path, problems, (value, scanned) => {
    const request = requestSchema.safeParse(value);
    if (!request.success) return "It is no request: custom_id and a body with model and messages are expected.";
    const { custom_id: customId } = request.data;
    if (lineOf.has(customId)) return `${quote(customId)} stands in an earlier line, too.`;
    starts.push(scanned.start);
    end = scanned.end;
    lineOf.set(customId, starts.length);
    return null;
  });
  return { lineStarts: Float64Array.from([...starts, end]), lineOf };
}

/** Hands each line that is not blank to `read`, which answers with what is wrong with it. */
export async function eachLine(
  file: string,
  problems: FileProblem[],
  read: (value: unknown, line: ScannedLine) => string | null,
): Promise<void> {
  let number = 0;
  await scanLines(file, (line) => {
    number += 1;
    const text = line.bytes?.toString() ?? "";
    if (text.trim() === "" || problems.length >= mostProblems) return;
    const parsed = parseJson(text);
    const message = parsed === undefined ? "It is not JSON." : read(parsed, line);
    if (message !== null) problems.push({ file, line: number, message });
  });
}
