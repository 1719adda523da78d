import { useState } from "react";
import type { ChartGroup } from "#contract";
import { formatNumber } from "../../../components/index.ts";
import { lookOfColumn } from "../table/column-looks.tsx";
import { BarCard, type BarCardProps } from "./bar-card.tsx";
import { type Bar, showLines } from "./bar-chart.tsx";
import type { BarActions, BarLines } from "./narrow-filter.ts";

export interface ValueBarsProps
  extends Pick<BarActions, "onShow">,
    Pick<BarCardProps, "title" | "fileName" | "whole" | "note"> {
  readonly column: string;
  readonly groups: readonly (BarLines & Pick<ChartGroup, "value" | "count">)[];
}

/** Of lines without a value, or with a blank one. */
const emptyName = "Empty";
/** Values that are listed at first. One row stands for the others, and lists those that are known when it is opened. */
const mostListed = 12;

/** How many lines have which value of a column. */
export function ValueBars({ column, title, groups, whole, onShow, ...card }: ValueBarsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { wordOf, labelOf = wordOf, toneOf } = lookOfColumn(column);
  const [empty, values] = [groups.filter(({ isEmpty }) => isEmpty), groups.filter(({ isEmpty }) => !isEmpty)];
  // One value more takes no more room than the row that stands for it.
  const listed = showsAll || values.length <= mostListed + 1 ? values : values.slice(0, mostListed);
  const shown = [...listed, ...empty];
  const others = whole - shown.reduce((sum, { count }) => sum + count, 0);
  const bars: Bar[] = shown.map((group) => ({
    key: group.isEmpty ? "empty" : `value ${group.value}`,
    label: group.isEmpty ? <em>{emptyName}</em> : group.isCut ? `${group.value}…` : labelOf(group.value),
    count: group.count,
    tone: toneOf?.(group.value) ?? "accent",
    opens: showLines(group.isEmpty ? emptyName : wordOf(group.value), () => onShow(group)),
  }));
  return (
    <BarCard
      {...card}
      title={title}
      table={() => [
        [title, "lines"],
        ...groups.map(({ value, count, isEmpty }) => [isEmpty ? emptyName : wordOf(value), count]),
      ]}
      hasShares
      whole={whole}
      bars={
        others <= 0
          ? bars
          : [
              ...bars,
              {
                key: "others",
                label:
                  shown.length === groups.length
                    ? "others"
                    : `others, ${formatNumber(groups.length - shown.length)} or more`,
                count: others,
                tone: "accent",
                words: compareWithLargest(others, Math.max(...groups.map(({ count }) => count))),
                opens:
                  shown.length === groups.length
                    ? undefined
                    : { name: `Show more values of ${title}`, open: () => setShowsAll(true) },
              },
            ]
      }
    />
  );
}

/** How a count that is off the scale compares with the largest bar: `4.2 × the largest`. */
export function compareWithLargest(count: number, largest: number): string {
  return `${(count / largest).toFixed(1)} × the largest`;
}
