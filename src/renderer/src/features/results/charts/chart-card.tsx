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
  readonly onPicture: () => void;
  readonly children: ReactNode;
}

/** A chart with its title, and what hands it out. */
export function ChartCard({ title, fileName, table, onPicture, children }: ChartCardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.title} id={id} dir="auto">
          {title}
        </h2>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={`Save as CSV: ${title}`}
          onClick={() => saveText(`${fileName}.csv`, table().map(toCsvLine).join("\n"))}
        >
          CSV
        </Button>
        <Button size="xs" variant="subtle" color="gray" aria-label={`Save as PNG: ${title}`} onClick={onPicture}>
          PNG
        </Button>
      </div>
      <Boundary title="The chart could not be shown">{children}</Boundary>
    </section>
  );
}

function toCsvLine(cells: readonly (string | number | null)[]): string {
  return cells.map((cell) => (typeof cell === "string" ? `"${cell.replaceAll('"', '""')}"` : (cell ?? ""))).join(",");
}
