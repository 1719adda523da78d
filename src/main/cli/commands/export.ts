import { formatCount } from "#contract";
import { writeTable } from "../../exports/index.ts";
import { openOutput } from "../atomic-file.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { type ExportFiles, openExportFiles } from "../export-files.ts";
import type { ExportFlags } from "../flags.ts";
import { refuseOverwriting, refuseSharedOutput } from "../input-file.ts";
import { createProgress } from "../progress.ts";

/** `sheaf export ANSWERS.jsonl --format F -o OUT`: the app's exports without the app. */
export async function exportAnswers(answers: string, flags: ExportFlags, io: CommandProcess): Promise<ExitCode> {
  const { input, table, id, output, json } = flags;
  if ((table === undefined) !== (id === undefined)) {
    throw new CliError(
      "--table and --id go together: which table, and its column with the custom_id.",
      exitCodes.unusable,
    );
  }
  refuseSharedOutput(json, [output]);
  if (output !== "-") for (const path of [answers, input, table]) if (path) await refuseOverwriting(path, [output]);
  const files = await openExportFiles({ answers, input, table: table && id ? { path: table, id } : undefined });
  try {
    await write(files, flags, io);
  } finally {
    await files.close();
  }
  report(files, flags, io);
  return exitCodes.ok;
}

async function write(files: ExportFiles, flags: ExportFlags, io: CommandProcess): Promise<void> {
  const file = await openOutput(flags.output, io);
  try {
    for await (const bytes of readBytes(files, flags, io)) await file.write(bytes);
    await file.commit();
  } finally {
    await file.discard();
  }
}

function readBytes(files: ExportFiles, { format, json }: ExportFlags, io: CommandProcess): AsyncIterable<Uint8Array> {
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
  return writeTable({ format, columns: files.survey.columns(), rows: rows() });
}

function report(files: ExportFiles, { output, json, input, table }: ExportFlags, io: CommandProcess): void {
  if (json) {
    print(JSON.stringify({ rows: files.count, output }), io);
    return;
  }
  if (files.surplus > 0) {
    const where = input ?? table ?? "";
    printError(`${formatCount(files.surplus, "answer")} not in ${where}: the last rows.`, io);
  }
  printError(`${output === "-" ? "standard output" : output}: ${formatCount(files.count, "row")}.`, io);
}
