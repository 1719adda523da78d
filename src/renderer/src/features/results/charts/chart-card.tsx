import { Button } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Boundary } from "../../../components/index.ts";
import classes from "./charts.module.css";
import { saveText } from "./save-file.ts";

export interface ChartCardProps {
  readonly title: string;
  /** For the names of files: `reviews-time`. */
  readonly fileName: string;
  /** The figures, as they are handed out: first the heads of the columns. */
  readonly table: () => readonly (readonly (string | number | null)[])[];
  /** Null where it has no picture. */
  readonly onPicture: (() => void) | null;
  /** Stands in its head. */
  readonly beside?: ReactNode;
  /** Whether its content goes to its edges. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

/** A chart with its title, and what hands it out. */
export function ChartCard({ title, fileName, table, onPicture, beside, isFlush = false, children }: ChartCardProps) {
  const id = useId();
  return (
    <section className={classes.card} data-flush={isFlush || undefined} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.title} id={id} dir="auto">
          {title}
        </h2>
        {beside}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={`Save as CSV: ${title}`}
          onClick={() => saveText(`${fileName}.csv`, table().map(toCsvLine).join("\n"))}
        >
          CSV
        </Button>
        {onPicture === null ? null : (
          <Button size="xs" variant="subtle" color="gray" aria-label={`Save as PNG: ${title}`} onClick={onPicture}>
            PNG
          </Button>
        )}
      </div>
      <Boundary title="The chart could not be shown">{children}</Boundary>
    </section>
  );
}

function toCsvLine(cells: readonly (string | number | null)[]): string {
  return cells.map((cell) => (typeof cell === "string" ? `"${cell.replaceAll('"', '""')}"` : (cell ?? ""))).join(",");
}
