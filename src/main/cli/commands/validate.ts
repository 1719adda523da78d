import { formatBytes, formatCount } from "#contract";
import type { ValidationReport } from "#main/requests";
import type { ValidateFlags } from "../batch-flags.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { engineDefaults } from "../engine-flags.ts";
import { formatProblem } from "../format.ts";
import { checkInputFile } from "../input-file.ts";
import { withService } from "../open-service.ts";
import { refuseTable } from "../open-table.ts";
import { createProgress } from "../progress.ts";

/** `sheaf validate FILE`: all problems of a batch file on stdout, and a summary on stderr. */
export async function validate(file: string, flags: ValidateFlags, io: CommandProcess): Promise<ExitCode> {
  await checkInputFile(file);
  await refuseTable(file, file, io);
  const report = await check(file, flags, io);
  if (flags.json) print(JSON.stringify(toJson(file, report)), io);
  else {
    for (const problem of report.problems) print(formatProblem(file, problem), io);
    printError(`${file}: ${summarize(report)}`, io);
  }
  return report.errorCount === 0 ? exitCodes.ok : exitCodes.unusable;
}

async function check(file: string, { json, ...flags }: ValidateFlags, io: CommandProcess): Promise<ValidationReport> {
  const progress = createProgress({
    label: "Checking",
    phrase: (done, total) => `${formatBytes(done)} of ${formatBytes(total)}`,
    silent: json,
    io,
  });
  try {
    return await withService({ ...engineDefaults, ...flags }, io, (service) =>
      service.validateFile(file, { onProgress: progress.update }),
    );
  } finally {
    progress.stop();
  }
}

function toJson(file: string, { requests, bytes, models, errorCount, warningCount, problems }: ValidationReport) {
  return {
    file,
    valid: errorCount === 0,
    requests,
    bytes,
    models,
    errors: errorCount,
    warnings: warningCount,
    problems,
  };
}

function summarize({ requests, bytes, errorCount, warningCount }: ValidationReport): string {
  const what = `${formatCount(requests, "request")} in ${formatBytes(bytes)}`;
  const warnings = warningCount === 0 ? "" : `, ${formatCount(warningCount, "warning")}`;
  return errorCount === 0 ? `valid, ${what}${warnings}.` : `${formatCount(errorCount, "problem")}${warnings}; ${what}.`;
}
