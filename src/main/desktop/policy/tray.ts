import { formatNumber } from "#contract";
import { describeBatches, type RunningBatch } from "./running-batch.ts";

/** The tray's hint, and its menu. */
export interface TrayDescription {
  readonly tooltip: string;
  readonly items: readonly TrayItem[];
}

export type TrayItem =
  | { readonly kind: "batch"; readonly id: string; readonly label: string }
  | { readonly kind: "more"; readonly label: string }
  | { readonly kind: "separator" }
  | { readonly kind: "show" | "quit"; readonly label: string };

/** The most batches in the menu: the app has a page for the rest. */
const mostBatches = 5;
/** Longer names are cut: a menu is as wide as its widest item. */
const longestName = 40;

/** What the tray says of the batches that run. */
export function describeTray(running: readonly RunningBatch[]): TrayDescription {
  const total = sum(running, ({ total }) => total);
  const tooltip =
    running.length === 0
      ? "Sheaf"
      : `Sheaf: ${describeBatches(running.map(withShortName))}, ${percent(
          sum(running, ({ done }) => done),
          total,
        )}`;
  const shown = running.slice(0, mostBatches);
  const more = running.length - shown.length;
  const items: TrayItem[] = [
    ...shown.map((batch): TrayItem => {
      const { id, name, done, total: lines, failed } = withShortName(batch);
      const failures = failed === 0 ? "" : `, ${formatNumber(failed)} failed`;
      return { kind: "batch", id, label: `${name}: ${percent(done, lines)}${failures}` };
    }),
    ...(more === 0 ? [] : [{ kind: "more" as const, label: `and ${more} more` }]),
    ...(running.length === 0 ? [] : [{ kind: "separator" as const }]),
    { kind: "show", label: "Show Sheaf" },
    { kind: "quit", label: "Quit" },
  ];
  return { tooltip, items };
}

function withShortName(batch: RunningBatch): RunningBatch {
  return batch.name.length <= longestName ? batch : { ...batch, name: `${batch.name.slice(0, longestName - 1)}…` };
}

function sum(running: readonly RunningBatch[], valueIn: (batch: RunningBatch) => number): number {
  return running.reduce((all, batch) => all + valueIn(batch), 0);
}

/** Rounded down: 100 % is whole. */
function percent(done: number, total: number): string {
  return `${total === 0 ? 0 : Math.floor((100 * done) / total)} %`;
}
