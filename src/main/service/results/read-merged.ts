import type { BatchRecord } from "../store/index.ts";
import type { LineIndex } from "./line-index.ts";
import type { MergedLines } from "./merged.ts";

/**
 * What `read` has for lines of the root, in their order, each read from the batch that has its best outcome. Null for lines
 * that no batch has.
 */
export async function gatherLines<T>(
  { batches, indexes, place }: Pick<MergedLines, "batches" | "indexes" | "place">,
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

/** The lines of the root whose best outcome is among those that `select` chooses of its batch. */
export async function selectMerged(
  { batches, indexes, total, place }: Pick<MergedLines, "batches" | "indexes" | "total" | "place">,
  select: (batch: BatchRecord, index: LineIndex) => Promise<Iterable<number>>,
): Promise<number[]> {
  const chosen = await Promise.all(
    batches.map(async (batch, which) => {
      const index = indexes[which] ?? null;
      const isChosen = new Uint8Array((index?.total ?? 0) + 1);
      if (index !== null) for (const line of await select(batch, index)) isChosen[line] = 1;
      return isChosen;
    }),
  );
  const lines: number[] = [];
  for (let line = 1; line <= total; line++) {
    const { batch, line: own } = place(line);
    if (chosen[batch]?.[own] === 1) lines.push(line);
  }
  return lines;
}
