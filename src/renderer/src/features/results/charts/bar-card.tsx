import { type ReactNode, useRef } from "react";
import { type Bar, BarChart } from "./bar-chart.tsx";
import { ChartCard, type ChartCardProps } from "./chart-card.tsx";
import classes from "./charts.module.css";
import { saveBars } from "./save-file.ts";

export interface BarCardProps extends Pick<ChartCardProps, "title" | "fileName" | "table"> {
  readonly bars: readonly Bar[];
  readonly whole: number;
  readonly longest?: number;
  readonly hasShares?: boolean;
  /** What the bars show. */
  readonly note?: string | undefined;
  readonly children?: ReactNode;
}

/** A chart of bars with their figures in words. */
export function BarCard({ title, fileName, table, bars, hasShares = false, note, children, ...scale }: BarCardProps) {
  const list = useRef<HTMLUListElement>(null);
  return (
    <ChartCard
      title={title}
      fileName={fileName}
      table={table}
      onPicture={() => list.current && saveBars(`${fileName}.png`, title, list.current)}
    >
      {note === undefined ? null : <p className={classes.figures}>{note}</p>}
      <BarChart listRef={list} label={title} bars={bars} hasShares={hasShares} {...scale} />
      {children}
    </ChartCard>
  );
}
