import { type BatchQuality, type BatchView, batchStatuses, foldText } from "#contract";
import { describeModels, shareEnded } from "../describe-batch.ts";
import type { BatchesSearch, SortColumn } from "../search-params.ts";
import { shareOfQuality } from "./quality.tsx";

/** The order of the list when the address has none. */
export const usualSort: { readonly sort: SortColumn; readonly order: "asc" | "desc" } = {
  sort: "created",
  order: "desc",
};

type Qualities = ReadonlyMap<string, BatchQuality>;

/** What each column is sorted by; null comes last in either order. */
const values: Record<SortColumn, (batch: BatchView, qualities: Qualities) => string | number | null> = {
  name: ({ name }) => name,
  status: ({ status }) => batchStatuses.indexOf(status),
  progress: shareEnded,
  failed: ({ counts }) => counts.failed + counts.damaged,
  timeLeft: ({ timeLeft }) => timeLeft,
  quality: ({ id }, qualities) => {
    const quality = qualities.get(id);
    return quality === undefined ? null : shareOfQuality(quality);
  },
  model: ({ models }) => describeModels(models),
  connection: ({ connection }) => connection?.name ?? "This computer",
  cost: ({ cost }) => cost?.usd ?? null,
  created: ({ times }) => times.created,
};

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The batches that the filters leave, in the order asked for. */
export function sortBatches(
  batches: readonly BatchView[],
  search: BatchesSearch,
  qualities: Qualities,
): readonly BatchView[] {
  const { status, sort = usualSort.sort, order = usualSort.order } = search;
  const wanted = search.find === undefined ? undefined : foldText(search.find);
  const readValue = values[sort];
  const direction = order === "asc" ? 1 : -1;
  return batches
    .filter((batch) => status === undefined || status.includes(batch.status))
    .filter((batch) => wanted === undefined || textOf(batch).includes(wanted))
    .map((batch) => ({ batch, value: readValue(batch, qualities) }))
    .sort((one, other) => {
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
      return direction * compare(one.value, other.value);
    })
    .map(({ batch }) => batch);
}

function textOf({ id, name, models }: BatchView): string {
  return foldText([name, id, ...models].join("\n"));
}

function compare(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : collator.compare(String(one), String(other));
}
