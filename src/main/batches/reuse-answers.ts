import type { WrittenLine } from "#contract";
import type { RequestIdentity } from "#main/base";
import { type AnswerLine, type LineIndex, pathsOf, readAnswers } from "#main/results";
import type { BatchRecord, ReusedAnswers } from "#main/storage";
import type { AnswerFiles } from "./answer-files.ts";
import type { BatchDeps } from "./deps.ts";
import {
  type AnsweredBatch,
  type AnswerPlace,
  type KnownAnswers,
  type ReadRequest,
  readInSteps,
} from "./known-answers.ts";

export interface ReuseDeps extends Pick<BatchDeps, "store" | "logger"> {
  readonly current: () => BatchRecord;
  readonly index: LineIndex;
  readonly answers: AnswerFiles;
  readonly identity: RequestIdentity;
  /** True when the batch is to stop where it is. */
  readonly isOver: () => boolean;
}

/**
 * Gives lines the answers that the same requests have in other batches. Done before any line is asked: whatever is in the
 * answer files then was taken over, so that after a restart the rest is. Lines that are
 * identical with one further up get theirs with all others.
 */
export async function reuseAnswers(
  parts: ReuseDeps,
  known: KnownAnswers,
  identical: ReadonlyMap<number, number>,
): Promise<ReusedAnswers> {
  const { current, index, answers, store, identity, isOver } = parts;
  const find = await known.open(identity);
  const open = numberLines(index).filter((line) => !index.isAnswered(line) && !identical.has(line));
  for await (const requests of readInSteps(pathsOf(current(), store).input, index, open)) {
    if (isOver()) break;
    const found = requests.flatMap((request) => {
      const place = find(identity.keyOf(request.body));
      return place === null ? [] : [{ request, place }];
    });
    for (const [batch, members] of Map.groupBy(found, ({ place }) => place.batch)) {
      await copyFrom(batch, members, parts);
    }
    await answers.drained();
  }
  return recordReused(parts, (line) => index.isAnswered(line));
}

/** From a batch that may have been removed by now, or its files: then its lines are asked. */
async function copyFrom(
  batch: AnsweredBatch,
  members: readonly { readonly request: ReadRequest; readonly place: AnswerPlace }[],
  { answers, logger }: ReuseDeps,
): Promise<void> {
  try {
    const index = await batch.index();
    const lines = members.map(({ place }) => place.line);
    const texts = await readAnswers(batch.paths(), index, lines);
    recordEach(
      texts,
      members.map(({ request }) => request),
      answers,
    );
  } catch (error) {
    logger.warn("Answers of another batch can't be read", { batch: batch.id, error: String(error) });
  }
}

/** The lines whose request is further up, too, with the line that has it first. */
export async function findIdentical({ current, index, store, identity }: ReuseDeps): Promise<Map<number, number>> {
  const firsts = new Map<string, number>();
  const identical = new Map<number, number>();
  for await (const requests of readInSteps(pathsOf(current(), store).input, index, numberLines(index))) {
    for (const { line, body } of requests) {
      const key = identity.keyOf(body);
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, line);
      else identical.set(line, first);
    }
  }
  return identical;
}

/** Gives identical requests the result of the first of them. Those of a first that was not asked stay open. */
export async function copyIdentical(parts: ReuseDeps, identical: ReadonlyMap<number, number>): Promise<ReusedAnswers> {
  const { index } = parts;
  return await copyResults(parts, identical, ([line]) => !index.isAnswered(line));
}

/** The same after the batch has ended, for lines that awaited their result as the first of them did. */
export async function copyLate(parts: ReuseDeps, identical: ReadonlyMap<number, number>): Promise<ReusedAnswers> {
  const { index } = parts;
  return await copyResults(parts, identical, ([line, first]) =>
    index.hasAnswer(first) ? !index.hasAnswer(line) : index.isAwaited(line) && !index.isAwaited(first),
  );
}

async function copyResults(
  parts: ReuseDeps,
  identical: ReadonlyMap<number, number>,
  isOpen: (pair: readonly [line: number, first: number]) => boolean,
): Promise<ReusedAnswers> {
  const { current, index, answers, store } = parts;
  const open = [...identical].filter(isOpen).map(([line]) => line);
  for await (const requests of readInSteps(pathsOf(current(), store).input, index, open)) {
    const firsts = requests.map(({ line }) => identical.get(line) ?? 0);
    const texts = await readAnswers(pathsOf(current(), store), index, firsts);
    recordEach(texts, requests, answers);
    for (const [at, { line, customId }] of requests.entries()) {
      if (texts[at] === "damaged") answers.append({ line, customId, reply: null, reason: damagedFirst });
    }
    await answers.drained();
  }
  return recordReused(parts, (line) => identical.has(line) && index.isAnswered(line));
}

/** In place of an answer that can't be copied any more: the line can be asked again. */
const damagedFirst = { code: "file_damaged", message: "The answer to the same request is damaged on disk." };

/** Records the outcomes that are in the lines of answer files for other requests. */
function recordEach(texts: readonly AnswerLine[], requests: readonly ReadRequest[], answers: AnswerFiles): void {
  texts.forEach((text, at) => {
    const request = requests[at];
    if (text === null || text === "damaged" || request === undefined) return;
    const { line, customId } = request;
    // A line that the service wrote itself.
    const { response, error } = JSON.parse(text.toString()) as WrittenLine;
    if (response !== null) {
      const { request_id: requestId, status_code: statusCode, body } = response;
      const reply = { statusCode, body };
      answers.append({ line, customId, requestId, reply, milliseconds: null, isReused: true });
    } else if (error !== null) answers.append({ line, customId, reply: null, reason: error });
  });
}

/** A process that was killed may not have written which answers it took over: they are marked again. */
function recordReused({ index, answers }: ReuseDeps, isReused: (line: number) => boolean): ReusedAnswers {
  const lines = numberLines(index).filter(isReused);
  for (const line of lines) answers.markReused(line);
  return { lines: lines.length };
}

function numberLines({ total }: LineIndex): number[] {
  return Array.from({ length: total }, (_, at) => at + 1);
}
