import { stat } from "node:fs/promises";
import {
  type CsvOptions,
  describeMissing,
  describeTextColumns,
  type ExportNotes,
  excelCsvOptions,
  formatCount,
} from "#contract";
import { listTextColumns, noteMissing, writeTable } from "#main/exports";
import { type AnswerFindings, openFindings } from "../answer-findings.ts";
import { nameOutput, openOutput } from "../atomic-file.ts";
import { delimiterNames, type ExportFlags } from "../batch-flags.ts";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { type ExportFiles, openExportFiles } from "../export-files.ts";
import { refuseOverwriting, refuseSharedOutput } from "../input-file.ts";
import { findJobsFolder, requireJob } from "../jobs/job-folder.ts";
import { withFoldersRead } from "../jobs/read-folders.ts";
import { createProgress } from "../progress.ts";
import { withoutPrefix } from "../table-flags.ts";
import { describeReading, toLayout } from "../table-reading.ts";
import { type OnStop, withTemporaryFolder } from "../temporary-folder.ts";
import { openConnectionStore } from "./connections.ts";

/** `sheaf export ANSWERS.jsonl --format F -o OUT`: the app's exports without the app. */
export async function exportAnswers(answers: string, flags: ExportFlags, io: CommandProcess): Promise<ExitCode> {
  const { input, table, id, verdicts, grades, output, json, format } = flags;
  if ((table === undefined) !== (id === undefined)) {
    throw new CliError(
      "--table and --id go together: which table, and its column with the custom_id.",
      exitCodes.unusable,
    );
  }
  if (format === "jsonl" && (verdicts !== undefined || grades !== undefined)) {
    throw new CliError(
      "--verdicts and --grades add columns, and jsonl has none: use csv, xlsx, parquet or flat.",
      exitCodes.unusable,
    );
  }
  const csv = toCsvOptions(flags);
  if (format !== "csv" && Object.keys(csv).length > 0) {
    throw new CliError("--excel, --delimiter, --bom and --formulas are of --format csv.", exitCodes.unusable);
  }
  refuseSharedOutput(json, [output]);
  for (const path of [answers, input, table, verdicts, grades]) if (path) await refuseOverwriting(path, [output]);
  return await withTemporaryFolder(io, async (folder, onStop) => {
    const costs = flags.job === undefined ? undefined : await readCosts(flags.job, flags, io);
    const findings = await openFindings({ folder, verdicts, grades });
    try {
      const files = await openExportFiles({
        folder,
        join: (customId, answer) => ({
          ...(costs && { cost: costs.get(customId) ?? null }),
          ...findings.columnsOf(customId, answer),
        }),
        answers,
        input,
        table: table && id ? { path: table, id, layout: await toLayout(withoutPrefix(flags)) } : undefined,
        onTable: (opened) => {
          for (const line of describeReading(table ?? "", opened)) printError(line, io);
        },
        asTable: format !== "jsonl",
      });
      try {
        await write(files, flags, csv, onStop, io);
      } finally {
        files.close();
      }
      return await report(files, findings, flags, io);
    } finally {
      findings.close();
    }
  });
}

/** What the answers of a job cost, by their custom_id. */
async function readCosts(
  id: string,
  flags: ExportFlags,
  io: CommandProcess,
): Promise<ReadonlyMap<string, number | null>> {
  await requireJob(findJobsFolder(flags, io), id);
  const store = await openConnectionStore(flags, io);
  return await withFoldersRead({ dataDir: flags.dataDir, store }, io, async ({ results }) => {
    const view = { merged: true };
    const costs = new Map<string, number | null>();
    const lines = await results.numbers(id, {}, view);
    for await (const rows of results.exportRows(id, lines, view)) {
      for (const { customId, cost } of rows) costs.set(customId, cost);
    }
    return costs;
  });
}

function toCsvOptions({ excel, delimiter, bom, formulas }: ExportFlags): CsvOptions {
  return {
    ...(excel && excelCsvOptions(typeof excel === "string" ? excel : undefined)),
    ...(bom && { byteOrderMark: true }),
    ...(delimiter && { delimiter: delimiterNames[delimiter] }),
    ...(formulas && { escapeFormulas: false }),
  };
}

async function write(
  files: ExportFiles,
  flags: ExportFlags,
  csv: CsvOptions,
  onStop: OnStop,
  io: CommandProcess,
): Promise<void> {
  const file = await openOutput(flags.output, io);
  onStop(file.discard);
  try {
    for await (const bytes of readBytes(files, flags, csv, io)) await file.write(bytes);
    await file.commit();
  } finally {
    await file.discard();
  }
}

function readBytes(
  files: ExportFiles,
  { format, json }: ExportFlags,
  csv: CsvOptions,
  io: CommandProcess,
): AsyncIterable<Uint8Array> {
  if (format === "jsonl") return files.lines();
  const progress = createProgress({
    label: "Writing",
    phrase: (done, total) => `${done.toLocaleString("en")} of ${formatCount(total, "row")}`,
    silent: json,
    io,
  });
  const rows = async function* () {
    let done = 0;
    for await (const some of files.rows()) {
      yield some;
      done += some.length;
      progress.update(done, files.count);
    }
    progress.stop();
  };
  return writeTable({ format, columns: files.survey.columns(), rows: rows(), csv });
}

/** Reports what was written and what is missing, also in a note beside the file. Returns the exit code. */
async function report(
  files: ExportFiles,
  findings: AnswerFindings,
  { output, json, input, table, format }: ExportFlags,
  io: CommandProcess,
): Promise<ExitCode> {
  const { count, surplus, survey, faulty } = files;
  const isTable = format !== "jsonl";
  const notes: ExportNotes = isTable
    ? {
        textColumns: listTextColumns(format, survey.columns()),
        rowsWithoutTable: files.rowsWithoutTable,
        fieldsLeftOut: survey.fieldsLeftOut(),
      }
    : {};
  const missing = [...describeMissing(notes, table), ...findings.describeMissing()];
  if (isTable && faulty !== null) {
    const rows = formatCount(faulty.count, "row");
    missing.push(`${rows} of ${table} can't be read in full. Row ${faulty.row}: ${faulty.fault}`);
  }
  const note = await writeNote(output, missing, io);
  const isComplete = missing.length === 0;
  if (surplus > 0) printError(`${formatCount(surplus, "answer")} not in ${input ?? table ?? ""}: the last rows.`, io);
  for (const sentence of findings.describeOthers()) printError(sentence, io);
  if (json) {
    const { textColumns = [] } = notes;
    const found = textColumns.length > 0 && { text_columns: textColumns };
    print(JSON.stringify({ rows: count, output, ...found, ...(!isComplete && { missing, note }) }), io);
  } else {
    for (const sentence of describeTextColumns(notes.textColumns ?? [])) printError(sentence, io);
    for (const sentence of missing) printError(sentence, io);
    printError(`${nameOutput(output)}: ${formatCount(count, "row")}.`, io);
    if (note !== null) printError(`The missing data is also listed in ${note}.`, io);
  }
  return isComplete ? exitCodes.ok : exitCodes.failed;
}

/** Writes the note beside the file, and returns its path; null without one. Prints a failure: the export is written by now. */
async function writeNote(output: string, missing: readonly string[], io: CommandProcess): Promise<string | null> {
  const file = output === "-" ? undefined : await stat(output).catch(() => undefined);
  if (!file?.isFile()) return null;
  try {
    return await noteMissing(output, missing);
  } catch (error) {
    const what = missing.length > 0 ? "The note of the missing data" : "The note of an earlier export";
    const how = missing.length > 0 ? "written" : "removed";
    printError(`${what} could not be ${how}: ${describeFileError(error, `${output}.missing.txt`).message}`, io);
    return null;
  }
}
