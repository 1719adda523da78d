import { type Grade, type LineGrade, summarizeGravest, type Verdict, type VerifyResult } from "#contract";
import type { BatchRecord, StoredFolder } from "#main/storage";
import { readRanges } from "#main/storage";
import type { Costs } from "./batch-costs.ts";
import { pathsOf } from "./batch-paths.ts";
import { readExported } from "./export-lines.ts";
import type { IndexCache } from "./index-cache.ts";
import { agreementOfLine, claimsOfLine, formOfLine, type IndexedLines, type MarkIndex } from "./index-columns.ts";
import type { LineText } from "./join-line.ts";
import type { LineIndex } from "./line-index.ts";
import { createMemo } from "./lru-cache.ts";
import type { MergedBatches, MergedLines } from "./merged.ts";
import { type MergedIndex, mergeIndexes } from "./merged-index.ts";
import { readAnswers } from "./read-lines.ts";
import { dependenciesOf } from "./select-lines.ts";

/** Lines that are read as one: those of a batch, or those with what its retries have answered since. */
export interface LineView extends IndexedLines {
  /** What is kept of them is kept by it. */
  readonly key: string;
  /** The batches whose files hold the lines, the root first. */
  readonly parts: readonly ViewPart[];
}

/** One batch of a view. */
export interface ViewPart {
  readonly batch: BatchRecord;
  /** Its own. */
  readonly index: LineIndex;
  /** Which line of the view one of its lines is; 0 where another batch has the better outcome. */
  readonly lineOf: (own: number) => number;
}

/** The result of the lines of a batch in a run over it. */
interface LineMarks<Mark extends string, Result> {
  readonly index: MarkIndex<Mark>;
  /** The results of these lines, in their order; null where there is none. */
  results(lines: readonly number[]): Promise<readonly (Result | null)[]>;
}

export interface LineViewDeps {
  readonly store: StoredFolder;
  readonly indexes: IndexCache;
  readonly costs: Pick<Costs, "ofLines">;
  readonly merged: MergedBatches;
  readonly verdicts: { get(batch: BatchRecord): Promise<LineMarks<Verdict, VerifyResult> | null> };
  readonly grades: { get(batch: BatchRecord): Promise<LineMarks<Grade, LineGrade> | null> };
}

/** The lines of a batch, by itself or with its retries. */
export interface BatchLines {
  readonly total: number;
  /** To choose and to count them. */
  view(): Promise<LineView>;
  /** These lines as text, in their order. `withReasons`: with what shows why they have their verdicts. */
  read(lines: readonly number[], options?: { readonly withReasons?: boolean }): Promise<LineText[]>;
  /** The same as they are exported: as on the wire, with what was found of them. Without those that have no answer. */
  readWire(lines: readonly number[]): Promise<(Uint8Array | "damaged")[]>;
}

/** Merged lines are some bytes a line: those of a few batches that are looked at in turn. */
const mostMerged = 4;

/** Opens the lines of batches; `index` is that of the batch itself. */
export function createLineOpener({
  store,
  merged: retryGroups,
  verdicts,
  grades,
  costs: { ofLines: costsOf },
}: LineViewDeps) {
  const knownMerged = createMemo<MergedIndex>(mostMerged);

  async function indexLines(batch: BatchRecord, index: LineIndex): Promise<IndexedLines> {
    const [judged, graded, costs] = await Promise.all([verdicts.get(batch), grades.get(batch), costsOf(batch, index)]);
    return { index, marks: { verdicts: judged?.index ?? null, grades: graded?.index ?? null }, costs };
  }

  async function openMerged(batch: BatchRecord): Promise<LineView> {
    const retryGroup = await retryGroups.get(batch);
    const lines = await Promise.all(
      retryGroup.batches.map((one, at) => {
        const index = retryGroup.indexes[at] ?? null;
        return index === null ? null : indexLines(one, index);
      }),
    );
    const dependencies = lines.flatMap((one) =>
      one === null ? [null] : [...dependenciesOf(one.index, one.marks), one.costs],
    );
    const merged = knownMerged.get(batch.id, dependencies, () => mergeIndexes(retryGroup, lines));
    const parts = retryGroup.batches.flatMap((one, at) => {
      const index = retryGroup.indexes[at] ?? null;
      return index === null ? [] : [{ batch: one, index, lineOf: (own: number) => merged.lineOf(at, own) }];
    });
    return { ...merged, key: `${batch.id} merged`, parts };
  }

  async function readOwn(
    batch: BatchRecord,
    index: LineIndex,
    lines: readonly number[],
    withReasons = false,
  ): Promise<LineText[]> {
    const answers = lines.map((line) => index.answer(line));
    const paths = pathsOf(batch, store);
    const [costs, requests, responses, judged, graded] = await Promise.all([
      costsOf(batch, index),
      readRanges(paths.input, lines.map(index.request)),
      readAnswers(paths, index, lines),
      verdicts.get(batch),
      grades.get(batch),
    ]);
    const verified = withReasons ? await judged?.results(lines) : undefined;
    return lines.map((line, at) => ({
      line,
      request: textOf(requests[at]) ?? "",
      isRequestDamaged: !index.isSoundRequest(line, requests[at] ?? Buffer.alloc(0)),
      response: responses[at] === "damaged" ? null : textOf(responses[at]),
      isDamaged: responses[at] === "damaged",
      asked: { batchId: batch.id, line },
      milliseconds: answers[at]?.milliseconds ?? null,
      cost: toNullable(costs?.(line - 1)),
      reused: answers[at]?.reused ?? false,
      verdict: judged?.index.mark(line) ?? null,
      claims: claimsOfLine(judged?.index ?? null, line),
      form: formOfLine(judged?.index ?? null, line),
      agreement: agreementOfLine(judged?.index ?? null, line),
      ...reasonOf(verified?.[at]),
      grade: graded?.index.mark(line) ?? null,
    }));
  }

  async function readOwnWire(batch: BatchRecord, index: LineIndex, lines: readonly number[]) {
    const [judged, graded] = await Promise.all([verdicts.get(batch), grades.get(batch)]);
    // The paths are asked each time: a file may be deleted meanwhile.
    return readExported({ index, paths: pathsOf(batch, store), verdicts: judged, grades: graded }, lines);
  }

  return (batch: BatchRecord, index: LineIndex, merged: boolean): BatchLines => ({
    total: index.total,
    async view() {
      if (merged) return openMerged(batch);
      const part = { batch, index, lineOf: (own: number) => own };
      return { ...(await indexLines(batch, index)), key: batch.id, parts: [part] };
    },
    async read(lines, { withReasons = false } = {}) {
      if (!merged) return readOwn(batch, index, lines, withReasons);
      const readSome = (one: BatchRecord, ofOne: LineIndex, own: readonly number[]) =>
        readOwn(one, ofOne, own, withReasons);
      const texts = await gatherLines(await retryGroups.get(batch), lines, readSome);
      return texts.flatMap((text, at) => (text === null ? [] : [{ ...text, line: lines[at] ?? text.line }]));
    },
    async readWire(lines) {
      const found = merged
        ? await gatherLines(await retryGroups.get(batch), lines, readOwnWire)
        : await readOwnWire(batch, index, lines);
      return found.filter((line) => line !== null);
    },
  });
}

/**
 * What `read` has for lines of the root, in their order, each read from the batch that has its best outcome. Null for lines
 * that no batch has.
 */
async function gatherLines<T>(
  { batches, indexes, place }: MergedLines,
  lines: readonly number[],
  read: (batch: BatchRecord, index: LineIndex, lines: readonly number[]) => Promise<readonly T[]>,
): Promise<(T | null)[]> {
  const gathered = new Array<T | null>(lines.length).fill(null);
  const placesByBatch = Map.groupBy(
    lines.map((line, at) => ({ at, ...place(line) })),
    ({ batch }) => batch,
  );
  const readings = Array.from(placesByBatch, async ([which, places]) => {
    const [batch, index] = [batches[which], indexes[which] ?? null];
    if (batch === undefined || index === null) return;
    const found = await read(
      batch,
      index,
      places.map(({ line }) => line),
    );
    places.forEach(({ at }, nth) => {
      gathered[at] = found[nth] ?? null;
    });
  });
  await Promise.all(readings);
  return gathered;
}

/** What shows why a line has its verdict. */
function reasonOf(result: VerifyResult | null | undefined): Partial<LineText> {
  const summary = result ? summarizeGravest(result) : null;
  if (summary === null) return {};
  return { verifyReason: summary.reason, verifyClaim: summary.claim, verifyPassage: summary.passage };
}

function toNullable(value = Number.NaN): number | null {
  return Number.isNaN(value) ? null : value;
}

function textOf(bytes: Buffer | null | undefined): string | null {
  return bytes?.toString().replace(/[\r\n]+$/, "") ?? null;
}
