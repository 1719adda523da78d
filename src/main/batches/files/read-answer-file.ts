import { stat } from "node:fs/promises";
import type { BatchRecord, FileRecord, Store } from "#main/storage";
import { type AnswerFile, isSoundAnswer, readLedger, readRanges } from "#main/storage";

/** The lines of an answer file in their order, by the ledger of its batch. */
interface FileLines {
  /** Where a line begins in what is given out: without the lines that a later entry has taken the place of. */
  readonly starts: readonly number[];
  /** Where it begins in the file. */
  readonly places: readonly number[];
  readonly lengths: readonly number[];
  readonly checksums: readonly number[];
  /** The bytes of lines at the beginning of the file of which each has an entry. */
  readonly covered: number;
}

/** Files whose lines stay in memory. */
const mostFiles = 4;
/** Read at a time, in bytes, unless one line is longer. */
const readBytes = 512 * 1024;

/** Some bytes of an answer file are not those that were written, or not known to be. */
export class DamagedAnswersError extends Error {
  override readonly name = "DamagedAnswersError";
}

/** Reads answer files, each line of which is compared with what its ledger has of it before any of its bytes is given out. */
export interface AnswerFileReader {
  /** How many bytes are given out of it: errors that were followed by an answer are left out. Null for a file that has no ledger. */
  size(file: FileRecord): Promise<number | null>;
  /**
   * The bytes `[start, end)` of what is given out; the lines that they are of are checked. Null for a file that has no ledger.
   * Throws a DamagedAnswersError at the first line that is not as it was written.
   */
  open(file: FileRecord, start: number, end: number): Promise<AsyncGenerator<Buffer> | null>;
}

/** `complete` enters in the ledger of a batch what its files have besides. */
export function createAnswerFileReader(
  store: Pick<Store, "batches" | "ledgerOf" | "pathOf">,
  complete: (batch: BatchRecord) => Promise<unknown>,
): AnswerFileReader {
  /** By file, the longest unused first. */
  const known = new Map<string, { readonly stamp: string; readonly lines: FileLines }>();

  async function findLines(batch: BatchRecord, fileId: string): Promise<FileLines | null> {
    const place = store.ledgerOf(batch.id);
    const stamp = await stat(place.path).then(
      ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
      () => null,
    );
    if (stamp === null) return null;
    const found = known.get(fileId);
    const which = batch.outputFileId === fileId ? "output" : "error";
    const lines = found?.stamp === stamp ? found.lines : await readLines(place, which);
    known.delete(fileId);
    known.set(fileId, { stamp, lines });
    for (const other of known.keys()) if (known.size > mostFiles) known.delete(other);
    return lines;
  }

  /** The lines, of which the first bytes on disk have entries. */
  async function findCovered(file: FileRecord, bytes: number): Promise<FileLines | null> {
    const batch = store.batches
      .list()
      .find(({ outputFileId, errorFileId }) => outputFileId === file.id || errorFileId === file.id);
    if (batch === undefined) return null;
    let lines = await findLines(batch, file.id);
    if (lines === null || lines.covered < bytes) {
      // The input may be gone, without which it can't be told whose lines they are.
      await complete(batch).catch(() => {});
      known.delete(file.id);
      lines = await findLines(batch, file.id);
    }
    return lines;
  }

  return {
    async size(file) {
      const lines = await findCovered(file, file.bytes);
      if (lines === null || lines.covered < file.bytes) return null;
      return lines.starts.length === 0 ? 0 : endOf(lines, lines.starts.length - 1);
    },
    async open(file, start, end) {
      const lines = await findCovered(file, end);
      return lines && readChecked(store.pathOf(file.id), lines, start, end);
    },
  };
}

async function readLines(place: ReturnType<Store["ledgerOf"]>, which: AnswerFile): Promise<FileLines> {
  const found = new Map<number, { line: number; start: number; length: number; checksum: number }>();
  /** The place of what counts for a line; -1 where that is in the other file. */
  const counts = new Map<number, number>();
  let [last, isAscending] = [-1, true];
  await readLedger(place, ({ answer: { line, file, start, length, checksum, damaged } }) => {
    counts.set(line, file === which ? start : -1);
    if (file !== which) return;
    found.set(start, { line, start, length, checksum: damaged ? Number.NaN : checksum });
    isAscending &&= start >= last;
    last = start;
  });
  const entered = [...found.values()];
  if (!isAscending) entered.sort((a, b) => a.start - b.start);
  const lines = entered.filter(({ line, start }) => counts.get(line) === start);
  const [places, lengths] = [lines.map(({ start }) => start), lines.map(({ length }) => length)];
  return {
    // Bytes without an entry stay where they are, so that they are found to be missing.
    starts: lines.length === entered.length ? places : joinUp(lengths),
    places,
    lengths,
    checksums: lines.map(({ checksum }) => checksum),
    covered: entered.reduce((covered, { start, length }) => (start <= covered ? start + length + 1 : covered), 0),
  };
}

/** Where lines of these lengths begin when nothing is between them. */
function joinUp(lengths: readonly number[]): number[] {
  let next = 0;
  return lengths.map((length) => {
    const start = next;
    next += length + 1;
    return start;
  });
}

/** Where the line after the one at a place begins. */
function endOf({ starts, lengths }: FileLines, at: number): number {
  return (starts[at] ?? 0) + (lengths[at] ?? 0) + 1;
}

/** The place of the line that a byte is in. */
function placeOf({ starts }: FileLines, byte: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= byte) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

async function* readChecked(path: string, lines: FileLines, start: number, most: number): AsyncGenerator<Buffer> {
  const last = lines.starts.length - 1;
  // What was left out is not there at the end.
  const end = lines.covered >= most ? Math.min(most, last < 0 ? 0 : endOf(lines, last)) : most;
  for (let [at, position] = [placeOf(lines, start), start]; position < end; ) {
    const first = at;
    const from = lines.starts[at] ?? Number.POSITIVE_INFINITY;
    if (from > position) throw new DamagedAnswersError(`Nothing is known of byte ${position}.`);
    const place = lines.places[at] ?? from;
    let to = endOf(lines, at++);
    while (to < end && to - from < readBytes && lines.starts[at] === to && lines.places[at] === place + to - from) {
      to = endOf(lines, at++);
    }
    const [bytes = Buffer.alloc(0)] = await readRanges(path, [{ start: place, end: place + to - from }]);
    refuseDamage(bytes, lines, first, at);
    yield bytes.subarray(position - from, Math.min(end, to) - from);
    position = to;
  }
}

/** Throws where a line from `first` on and before `end` is not as it was written; the bytes begin with the first. */
function refuseDamage(bytes: Buffer, { starts, lengths, checksums }: FileLines, first: number, end: number): void {
  const from = starts[first] ?? 0;
  for (let line = first; line < end; line++) {
    const place = { length: lengths[line] ?? 0, checksum: checksums[line] ?? 0 };
    const begin = (starts[line] ?? 0) - from;
    if (isSoundAnswer(bytes.subarray(begin, begin + place.length + 1), place)) continue;
    throw new DamagedAnswersError(`The line at byte ${begin + from} is damaged.`);
  }
}
