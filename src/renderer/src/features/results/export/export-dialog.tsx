import { Button, Checkbox, Modal, Radio } from "@mantine/core";
import { type FormEvent, type ReactNode, useCallback, useState } from "react";
import {
  type BatchView,
  type CsvOptions,
  type ExportFormat,
  type ExportProgress,
  findColumn,
  listColumnNames,
  pictureColumn,
  type ResultFilter,
  type ResultSort,
  resultColumns,
  sourcePrefix,
} from "#contract";
import classes from "../../../components/dialog-form.module.css";
import { formatCount, formatNumber, ProgressBar } from "../../../components/index.ts";
import { useAnswerFields } from "../../../queries/batch-queries.ts";
import { useGrading, useVerification } from "../../../queries/run-queries.ts";
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
      <ExportForm batches={[batch]} rows={rows} exporting={exporting} onClose={close} />
    </Modal>
  );
  return { open: () => setOpened(true), dialog };
}

/** The same dialog for batches whose results are not on screen; of several, each gets a file. */
export function useBatchesExport() {
  const [batches, setBatches] = useState<readonly [BatchView, ...BatchView[]] | null>(null);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const exporting = useExportResults(close);
  const dialog =
    batches === null ? null : (
      <Modal opened={opened} onClose={close} title={`Export the results of ${describeBatches(batches)}`} size={520}>
        <KnownExportForm batches={batches} exporting={exporting} onClose={close} />
      </Modal>
    );
  const { isPending } = exporting;
  const open = useCallback(
    ([first, ...others]: readonly BatchView[]) => {
      // While an export runs, its form is shown.
      if (first !== undefined && !isPending) setBatches([first, ...others]);
      setOpened(true);
    },
    [isPending],
  );
  return { open, dialog };
}

function describeBatches([first, ...others]: readonly [BatchView, ...BatchView[]]): string {
  return others.length === 0 ? `“${first.name}”` : formatCount(others.length + 1, "batch", "batches");
}

function KnownExportForm(props: Omit<ExportFormProps, "rows">) {
  const [first] = props.batches;
  const { found } = useAnswerFields(first);
  const verification = useVerification(first.id);
  const grading = useGrading(first.id);
  const rows = {
    filter: {},
    sort: undefined,
    merged: false,
    fields: found ?? [],
    gradedColumn: grading.run?.column ?? null,
    isVerified: verification.run !== null && !verification.run.isEarlier,
    isGraded: grading.run !== null,
  };
  return <ExportForm {...props} rows={rows} />;
}

const formats: readonly { readonly format: ExportFormat; readonly label: string; readonly description: string }[] = [
  { format: "csv", label: "CSV", description: "A row for each request." },
  { format: "xlsx", label: "Excel workbook", description: "Cells over 32,767 characters are cut and listed." },
  { format: "parquet", label: "Parquet", description: "Numbers and booleans keep their types." },
  { format: "flat", label: "JSON Lines, flat", description: "An object for each request, a member for each column." },
  { format: "jsonl", label: "JSON Lines, unchanged", description: "The lines of the service, byte for byte." },
];

interface ExportFormProps {
  readonly batches: readonly [BatchView, ...BatchView[]];
  readonly rows: ShownRows;
  readonly exporting: ExportResults;
  readonly onClose: () => void;
}

function ExportForm({ batches, rows, exporting, onClose }: ExportFormProps) {
  const { filter, sort, merged } = rows;
  const [batch, ...others] = batches;
  const { layout, pictures, usual } = useResultLayout(batch.id, rows);
  // Which of these a batch has is known without its table.
  const has = {
    verdicts: rows.isVerified,
    grades: rows.isGraded,
    times: batch.remote === null,
    prices: true,
    pictures: pictures.includes(pictureColumn),
  };
  const columns = orderColumns(layout, usual).filter((id) => {
    const { needs } = findColumn(id)?.page ?? {};
    return needs === undefined || has[needs];
  });
  const isOne = others.length === 0;
  const isFiltered = hasFilter(filter);
  const { exportResults, isPending, running, progress, cancel } = exporting;
  // Opened again while an export runs, the form shows what that one writes.
  const [format, setFormat] = useState<ExportFormat>(running?.format ?? "csv");
  const [onlyRows, setOnlyRows] = useState(running === null ? isFiltered : running.filter !== undefined);
  const [csv, setCsv] = useState<CsvOptions>(running?.csv ?? {});
  const [onlyColumns, setOnlyColumns] = useState(running?.columns !== undefined && running.withOthers !== true);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const choiceOf = ({ remote }: BatchView) => {
      if (format === "jsonl") return {};
      if (onlyColumns) return { columns };
      return { columns: listAllColumns({ hasTimes: remote === null }, isOne ? columns : []), withOthers: true };
    };
    exportResults(
      batches.map((one) => ({
        id: one.id,
        format,
        ...(merged && { merged }),
        ...(isFiltered && onlyRows && { filter }),
        ...(sort !== undefined && { sort }),
        ...(format === "csv" && { csv }),
        ...choiceOf(one),
      })),
    );
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
      {isOne ? (
        <Checkbox
          label="Only the columns that are shown"
          checked={onlyColumns && format !== "jsonl"}
          onChange={(event) => setOnlyColumns(event.currentTarget.checked)}
          disabled={isPending || format === "jsonl"}
        />
      ) : null}
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

/** The columns that an export of all has beside those that it finds: the shown ones, and those that it has on request alone. */
function listAllColumns({ hasTimes }: { readonly hasTimes: boolean }, shown: readonly string[]): string[] {
  const asked = listColumnNames().filter((name) => {
    const { page, exported } = resultColumns[name];
    return page !== undefined && exported?.when === "asked" && (page.needs !== "times" || hasTimes);
  });
  // Those of the table come in any case.
  return [...new Set([...asked, ...shown.filter((path) => !path.startsWith(sourcePrefix))])];
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
