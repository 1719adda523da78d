import { existsSync } from "node:fs";
import { formatCount } from "#contract";
import {
  describeInUse,
  type Examined,
  type ExportedAnswers,
  examineFolder,
  exportAnswers,
  type Finding,
  FolderError,
  type Repaired,
} from "#main/doctor";
import { DataDirError } from "#main/storage";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import type { DoctorFlags } from "../folder-flags.ts";
import { repairWithJobs } from "../jobs/repair-with-jobs.ts";
import { createCommandLogger } from "../open-service.ts";

/** `sheaf doctor DIR`: what is wrong with a data folder on stdout, and a summary on stderr. */
export async function doctor(dir: string, flags: DoctorFlags, io: CommandProcess): Promise<ExitCode> {
  if (!existsSync(dir)) throw new CliError(`${dir}: there is no such folder.`, exitCodes.unusable);
  try {
    return await treat(dir, flags, io);
  } catch (error) {
    if (error instanceof DataDirError || error instanceof FolderError)
      throw new CliError(error.message, exitCodes.unusable);
    throw describeFileError(error, dir);
  }
}

async function treat(dir: string, { repair, export: out, json }: DoctorFlags, io: CommandProcess): Promise<ExitCode> {
  const { machine } = io;
  const done = repair ? await repairWithJobs(dir, { env: io.env, machine, logger: createCommandLogger(io) }) : nothing;
  const { findings: repaired, inUse } = done;
  const examined = await examineFolder(dir, machine);
  const exported = out === undefined ? [] : await exportAnswers(dir, out);
  const damages = examined.findings.filter(({ isDamage }) => isDamage).length;
  if (json) print(JSON.stringify({ folder: dir, sound: damages === 0, repaired, inUse, exported, ...examined }), io);
  else report(dir, { repaired, exported, ...examined }, io);
  const left = describeInUse(done);
  if (left !== null) {
    printError(left, io);
    return exitCodes.unusable;
  }
  return damages === 0 ? exitCodes.ok : exitCodes.failed;
}

const nothing: Repaired = { findings: [], inUse: [] };

interface Report extends Examined {
  readonly repaired: readonly Finding[];
  readonly exported: readonly ExportedAnswers[];
}

function report(
  dir: string,
  { repaired, exported, findings, batches, deleted, files }: Report,
  io: CommandProcess,
): void {
  for (const { path, message, repair } of repaired) print(`${path}: ${message}\n  Repaired: ${repair}.`, io);
  for (const { kind, path, line, message, repair, isDamage } of findings) {
    const place = line === null ? path : `${path}:${line}`;
    const adopting = kind === "journal_lost" ? "\n  --adopt at a start registers the uploads again." : "";
    const what = repair === null ? adopting : `\n  --repair: ${repair}.`;
    print(`${place}: ${isDamage ? "" : "note: "}${message}${what}`, io);
  }
  for (const { file, isDeleted, lines, leftOut } of exported) {
    const missing = leftOut === 0 ? "" : `, ${formatCount(leftOut, "damaged one")} left out`;
    const whose = isDeleted ? " of a deleted batch" : "";
    printError(`${file}: ${formatCount(lines, "answer")}${whose}${missing}.`, io);
  }
  const damages = findings.filter(({ isDamage }) => isDamage).length;
  const read = `${describeBatches(batches, deleted)}, ${formatCount(files, "file")}`;
  const verdict = damages === 0 ? "sound" : `damage in ${formatCount(damages, "place")}`;
  printError(`${dir}: ${verdict}; ${read}.`, io);
}

/** How many batches a folder has, deleted ones among them. */
export function describeBatches(batches: number, deleted: number): string {
  return (
    formatCount(batches, "batch", "batches") + (deleted > 0 ? ` (${formatCount(deleted, "deleted", "deleted")})` : "")
  );
}
