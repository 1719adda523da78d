import type { ChartGroup } from "#contract";
import { lookOfColumn } from "../table/column-looks.tsx";
import { BarCard, type BarCardProps } from "./bar-card.tsx";
import { ShowLines } from "./bar-chart.tsx";
import type { BarActions, BarLines } from "./narrow-filter.ts";

export interface ValueBarsProps extends BarActions, Pick<BarCardProps, "title" | "fileName" | "whole" | "note"> {
  readonly column: string;
  readonly groups: readonly (BarLines & Pick<ChartGroup, "value" | "count">)[];
}

/** Of lines without a value, or with a blank one. */
const emptyName = "Empty";

/** How many lines have which value of a column. */
export function ValueBars({ column, title, groups, onNarrow, onShow, ...card }: ValueBarsProps) {
  const { wordOf, labelOf = wordOf, toneOf } = lookOfColumn(column);
  return (
    <BarCard
      {...card}
      title={title}
      table={() => [
        [title, "lines"],
        ...groups.map(({ value, count, isEmpty }) => [isEmpty ? emptyName : wordOf(value), count]),
      ]}
      hasShares
      bars={groups.map((group) => ({
        key: group.isEmpty ? "\u0000" : group.value,
        label: group.isEmpty ? <em>{emptyName}</em> : group.isCut ? `${group.value}…` : labelOf(group.value),
        count: group.count,
        tone: toneOf?.(group.value) ?? "accent",
        onClick: () => onNarrow(group),
        action: <ShowLines of={group.isEmpty ? emptyName : wordOf(group.value)} onShow={() => onShow(group)} />,
      }))}
    />
  );
}
