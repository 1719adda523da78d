import { Button, Checkbox, Modal, Radio } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import {
  type BatchView,
  type CsvOptions,
  type ExportFormat,
  type ExportProgress,
  findColumn,
  type ResultFilter,
  type ResultSort,
} from "#contract";
import classes from "../../../components/dialog-form.module.css";
import { formatCount, formatNumber, ProgressBar } from "../../../components/index.ts";
import { hasFilter } from "../search-params.ts";
import { type LayoutFacts, orderColumns, useResultLayout } from "../table/result-layout.ts";
import { CsvChoices } from "./csv-choices.tsx";
import { type ExportResults, useExportResults } from "./use-export-results.tsx";

export interface ExportDialog {
  readonly open: () => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** The rows that the page shows: in which order, and whether those of retries are among them. */
export interface ShownRows extends LayoutFacts {
  readonly filter: ResultFilter;
  readonly sort: ResultSort | undefined;
  readonly merged: boolean;
  readonly isVerified: boolean;
  readonly isGraded: boolean;
}

/** The dialog that writes the results of a batch to a file. */
export function useExportDialog(batch: BatchView, rows: ShownRows): ExportDialog {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  // The export continues when the dialog is closed, and is shown when it is opened again.
  const exporting = useExportResults(close);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Export the results of “${batch.name}”`} size={520}>
      <ExportForm batch={batch} rows={rows} exporting={exporting} onClose={close} />
    </Modal>
  );
  return { open: () => setOpened(true), dialog };
}

const formats: readonly { readonly format: ExportFormat; readonly label: string; readonly description: string }[] = [
  { format: "csv", label: "CSV", description: "A row for each request." },
  { format: "xlsx", label: "Excel workbook", description: "Cells over 32,767 characters are cut and listed." },
  { format: "parquet", label: "Parquet", description: "Numbers and booleans keep their types." },
  { format: "flat", label: "JSON Lines, flat", description: "An object for each request, a member for each column." },
  { format: "jsonl", label: "JSON Lines, unchanged", description: "The lines of the service, byte for byte." },
];

interface ExportFormProps {
  readonly batch: BatchView;
  readonly rows: ShownRows;
  readonly exporting: ExportResults;
  readonly onClose: () => void;
}

function ExportForm({ batch, rows, exporting, onClose }: ExportFormProps) {
  const { filter, sort, merged } = rows;
  const { layout, usual } = useResultLayout(batch.id, rows);
  // Which of these a batch has is known without its table.
  const has = { verdicts: rows.isVerified, grades: rows.isGraded, times: batch.remote === null, prices: true };
  const columns = orderColumns(layout, usual).filter((id) => {
    const { needs } = findColumn(id)?.page ?? {};
    return needs === undefined || has[needs];
  });
  const isFiltered = hasFilter(filter);
  const { exportResults, isPending, running, progress, cancel } = exporting;
  // Opened again while an export runs, the form shows what that one writes.
  const [format, setFormat] = useState<ExportFormat>(running?.format ?? "csv");
  const [onlyRows, setOnlyRows] = useState(running === null ? isFiltered : running.filter !== undefined);
  const [csv, setCsv] = useState<CsvOptions>(running?.csv ?? {});
  const [onlyColumns, setOnlyColumns] = useState(running?.columns !== undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    exportResults({
      id: batch.id,
      format,
      ...(merged && { merged }),
      ...(isFiltered && onlyRows && { filter }),
      ...(sort !== undefined && { sort }),
      ...(format === "csv" && { csv }),
      ...(onlyColumns && format !== "jsonl" && { columns }),
    });
  };

  return (
    <form className={classes.form} onSubmit={submit}>
      <Radio.Group
        label="Format"
        value={format}
        onChange={(value) => setFormat(formats.find((one) => one.format === value)?.format ?? "csv")}
      >
        {formats.map(({ format, label, description }) => (
          <Radio key={format} value={format} label={label} description={description} mt={8} disabled={isPending} />
        ))}
      </Radio.Group>
      {format === "csv" ? <CsvChoices options={csv} onChange={setCsv} disabled={isPending} /> : null}
      {isFiltered ? (
        <Checkbox
          label="Only the rows that are shown"
          checked={onlyRows}
          onChange={(event) => setOnlyRows(event.currentTarget.checked)}
          disabled={isPending}
        />
      ) : null}
      <Checkbox
        label="Only the columns that are shown"
        checked={onlyColumns && format !== "jsonl"}
        onChange={(event) => setOnlyColumns(event.currentTarget.checked)}
        disabled={isPending || format === "jsonl"}
      />
      {sort === undefined ? null : <span className={classes.about}>The rows are sorted as they are shown.</span>}
      {isPending ? <Progress progress={progress} isTable={format !== "jsonl"} /> : null}
      <div className={classes.actions}>
        {isPending ? (
          <Button variant="default" onClick={cancel}>
            Cancel the export
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        )}
        <Button type="submit" variant="filled" loading={isPending}>
          Export
        </Button>
      </div>
    </form>
  );
}

interface ProgressProps {
  readonly progress: ExportProgress | null;
  /** Whether the rows are read once more before, for the columns. */
  readonly isTable: boolean;
}

function Progress({ progress, isTable }: ProgressProps) {
  const { share, text } = describeProgress(progress, isTable);
  return (
    <div className={classes.progress}>
      <ProgressBar label="Export" share={share} text={text} />
      <span className={classes.about}>{text}</span>
    </div>
  );
}

function describeProgress(progress: ExportProgress | null, isTable: boolean): { share: number | null; text: string } {
  if (progress === null) return { share: null, text: "Starting" };
  const { step, rows, total } = progress;
  const isReading = step === "reading";
  const done = total === 0 ? 1 : rows / total;
  return {
    share: isTable ? (isReading ? done : 1 + done) / 2 : done,
    text: `${isReading ? "Looking for the columns" : "Writing"}: ${formatNumber(rows)} of ${formatCount(total, "row")}`,
  };
}
