import { type FinishKind, finalStatuses, kindOfFinish } from "#contract";
import type { RequestIdentity } from "#main/base";
import { type BatchPaths, type LineIndex, pathsOf, readIndex, readRequests } from "#main/results";
import type { BatchRecord, StoredFolder } from "#main/storage";
import { scanLines } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/**
 * Answers that are remembered: those of the newest batches that have so many together. A key takes about 100 bytes of
 * memory, for as long as the service runs.
 */
const mostKnown = 250_000;
/** Only an answer that came to its own end is worth taking. */
const wholeKinds: ReadonlySet<FinishKind> = new Set(["complete", "calls"]);
/** Lines that are read at a time. */
const step = 200;

/** A batch that has ended, of this data folder or another, and its files. */
export interface AnsweredBatch {
  readonly id: string;
  /** Fails when they are no longer there. */
  paths(): BatchPaths;
  index(): Promise<LineIndex>;
}

/** Where the answer to a request is. */
export interface AnswerPlace {
  readonly batch: AnsweredBatch;
  readonly line: number;
}

/** Requests that were answered before, in batches that have ended. */
export interface KnownAnswers {
  /** Where the answers of these requests are, by their keys: the newest of each. */
  open(identity: RequestIdentity): Promise<(key: string) => AnswerPlace | null>;
}

interface Candidate extends AnsweredBatch {
  readonly record: BatchRecord;
}

export function createKnownAnswers({
  store,
  indexes,
  archives,
  logger,
}: Pick<BatchDeps, "store" | "indexes" | "archives" | "logger">): KnownAnswers {
  /** The lines of a batch by their keys. They stay what they are: such a batch has ended. */
  const known = new Map<string, Promise<ReadonlyMap<string, number>>>();

  function candidatesOf(folder: StoredFolder, indexOf?: (record: BatchRecord) => Promise<LineIndex>): Candidate[] {
    return folder.batches.list().map((record) => {
      const paths = () => pathsOf(record, folder);
      // Asked for every few lines: what no cache keeps is read once for all of them.
      let read: Promise<LineIndex> | null = null;
      const readOnce = async () => {
        read ??= readIndex(paths());
        return await read;
      };
      return { id: record.id, record, paths, index: () => indexOf?.(record) ?? readOnce() };
    });
  }

  /** The batches of this folder and of others, newest first. */
  async function listCandidates(): Promise<Candidate[]> {
    const folders = await archives();
    const all = [candidatesOf(store, indexes.get), ...folders.map((folder) => candidatesOf(folder))].flat();
    return all.sort((a, b) => b.record.times.created - a.record.times.created);
  }

  async function keysOf(batch: AnsweredBatch, identity: RequestIdentity): Promise<ReadonlyMap<string, number>> {
    const keys = known.get(batch.id) ?? readKeys(batch, identity);
    known.set(batch.id, keys);
    return await keys.catch((error: unknown) => {
      known.delete(batch.id);
      logger.warn("The answers of a batch can't be reused", { batch: batch.id, error: String(error) });
      return new Map();
    });
  }

  return {
    async open(identity) {
      let room = mostKnown;
      const chosen = (await listCandidates()).filter(({ record: { answeredAs, status, counts } }) => {
        if (answeredAs !== identity.answeredAs || !finalStatuses.has(status)) return false;
        room -= counts.completed;
        return counts.completed > 0 && room >= 0;
      });
      const isChosen = new Set(chosen.map(({ id }) => id));
      for (const id of known.keys()) if (!isChosen.has(id)) known.delete(id);
      const tables: { batch: AnsweredBatch; keys: ReadonlyMap<string, number> }[] = [];
      for (const batch of chosen) tables.push({ batch, keys: await keysOf(batch, identity) });
      return (key) => {
        for (const { batch, keys } of tables) {
          const line = keys.get(key);
          if (line !== undefined) return { batch, line };
        }
        return null;
      };
    },
  };
}

async function readKeys(batch: AnsweredBatch, { keyOf }: RequestIdentity): Promise<ReadonlyMap<string, number>> {
  const index = await batch.index();
  const { codes, names } = index.columns.finishReasons;
  const lines: number[] = [];
  for (let line = 1; line <= index.total; line++) {
    const isWhole = wholeKinds.has(kindOfFinish(names[codes[line - 1] ?? 0] ?? null));
    if (isWhole && index.hasAnswer(line)) lines.push(line);
  }
  const keys = new Map<string, number>();
  for await (const requests of readInSteps(batch.paths().input, index, lines)) {
    for (const { line, body } of requests) keys.set(keyOf(body), line);
  }
  return keys;
}

/** How many requests of a file were answered before, and how many of the others are further up, too. */
export interface KnownCount {
  readonly known: number;
  readonly identical: number;
  /** Which requests of the file the first are, from 1. */
  readonly knownLines: ReadonlySet<number>;
}

export async function countKnown(
  identity: RequestIdentity,
  answers: KnownAnswers,
  inputPath: string,
  signal?: AbortSignal,
): Promise<KnownCount> {
  const find = await answers.open(identity);
  const seen = new Set<string>();
  const knownLines = new Set<number>();
  let [number, identical] = [0, 0];
  await scanLines(
    inputPath,
    ({ bytes }) => {
      const text = bytes?.toString() ?? "";
      if (text.trim() === "") return;
      const key = identity.keyOf(parseRequest(text).body);
      number += 1;
      if (find(key) !== null) knownLines.add(number);
      else if (seen.has(key)) identical += 1;
      else if (seen.size < mostKnown) seen.add(key);
    },
    { signal },
  );
  return { known: knownLines.size, identical, knownLines };
}

/** Of an input of which nothing was answered before. */
export const noneKnown: KnownCount = { known: 0, identical: 0, knownLines: new Set() };

/** A request of an input file. */
export interface ReadRequest {
  readonly line: number;
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads the requests of these lines, some at a time; without those that are damaged. */
export async function* readInSteps(
  path: string,
  index: Pick<LineIndex, "request" | "isSoundRequest">,
  lines: readonly number[],
): AsyncGenerator<readonly ReadRequest[]> {
  for (let from = 0; from < lines.length; from += step) {
    const some = lines.slice(from, from + step);
    const texts = await readRequests(path, index, some);
    yield texts.flatMap((text, at) =>
      text === null ? [] : [{ ...parseRequest(Buffer.from(text).toString()), line: some[at] ?? 0 }],
    );
  }
}

function parseRequest(text: string): Omit<ReadRequest, "line"> {
  // The line has passed the check of its file.
  const { custom_id: customId, body } = JSON.parse(text) as { custom_id: string; body: ReadRequest["body"] };
  return { customId, body };
}
