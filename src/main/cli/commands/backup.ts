import { formatBytes, formatCount } from "#contract";
import { backUpFolder, FolderError } from "#main/doctor";
import { DataDirError } from "#main/storage";
import { CliError, describeFileError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import type { BackupFlags } from "../folder-flags.ts";
import { describeBatches } from "./doctor.ts";

/** `sheaf backup DIR OUT`: a copy of a data folder, whatever works in it. */
export async function backup(dir: string, out: string, { json }: BackupFlags, io: CommandProcess): Promise<ExitCode> {
  const made = await backUpFolder(dir, out, io.machine).catch((error: unknown) => {
    if (error instanceof FolderError || error instanceof DataDirError) {
      const remedy =
        error instanceof FolderError && error.isDamage ? ` sheaf doctor ${dir} lists what is damaged.` : "";
      throw new CliError(`${error.message}${remedy}`, exitCodes.unusable);
    }
    throw describeFileError(error, out);
  });
  const damages = made.findings.filter(({ isDamage }) => isDamage);
  if (json) print(JSON.stringify({ folder: out, sound: damages.length === 0, ...made }), io);
  else {
    for (const { path, message } of damages) print(`${path}: ${message}`, io);
    if (made.swept.length > 0)
      printError(`Removed, half made by a backup that was ended: ${made.swept.join(", ")}.`, io);
    if (made.removed.length > 0) {
      printError(`Removed while it was copied, and not in it: ${made.removed.join(", ")}.`, io);
    }
    const what = `${describeBatches(made.batches, made.deleted)}, ${formatCount(made.files, "file")}, ${formatBytes(made.bytes)}`;
    const verdict =
      damages.length === 0 ? "whole and sound" : `whole, with damage in ${formatCount(damages.length, "place")}`;
    printError(`${out}: ${verdict}; ${what}. Keys are not in it: enter them again where it is used.`, io);
  }
  return damages.length === 0 ? exitCodes.ok : exitCodes.failed;
}
