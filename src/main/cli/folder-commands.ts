import type { Command } from "commander";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { backupFlags, doctorFlags, parseFlags } from "./flags.ts";
import { helpAfter } from "./help-text.ts";

const examples = {
  doctor: `
Each finding is a line on stdout: the file, its line, and what is wrong. docs/storage.md lists all kinds. Without --repair and
--export nothing is written, so it may be used beside a running Sheaf.

Examples:
  sheaf doctor ~/.local/share/sheaf/app
  sheaf doctor DIR --repair                    with no Sheaf running on it; what it takes away is in DIR/quarantine
  sheaf doctor DIR --export answers/           the answers of each batch that are as they were written
  sheaf doctor DIR --json | jq '.findings[].path'

Exit codes: 0 sound, 1 damage found, 2 it cannot be read, is in use (--repair), or wrong flags.`,
  backup: `
OUT has all records, uploads, answers, tables, drafts and jobs as they were at one moment, and is checked by sheaf doctor. Keys are not in it.
Batches at a service that had not ended wait in it for your decision: the original may have gone on with them.

Examples:
  sheaf backup ~/.local/share/sheaf/app ~/backups/today
  sheaf web --data-dir ~/backups/today

Exit codes: 0 made and sound, 1 made, with damage that was in DIR, 2 it could not be made: there is no OUT then.`,
} as const;

/** `sheaf doctor` and `sheaf backup`. */
export function addFolderCommands(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  program
    .command("doctor")
    .argument("<DIR>", "data folder")
    .summary("find and repair damage in a data folder")
    .description("Read everything in a data folder and say what is not as it was written.")
    .option("--repair", "do what is safe about it, say what was done, and confirm the damage")
    .option("--export <OUT>", "folder for the sound answers of each batch, as JSON Lines; empty or not there yet")
    .option("--json", "print one JSON object with all findings")
    .addHelpText("after", helpAfter(examples.doctor))
    .action(async (dir: string, given: Record<string, unknown>) => {
      const flags = parseFlags(doctorFlags, given);
      const { doctor } = await import("./commands/doctor.ts");
      finish(await doctor(dir, flags, io));
    });
  program
    .command("backup")
    .argument("<DIR>", "data folder, also of a running Sheaf")
    .argument("<OUT>", "folder for the copy: empty or not there yet")
    .summary("copy a data folder while it is in use")
    .description("Make a copy of a data folder that can be used as --data-dir.")
    .option("--json", "print one JSON object with what is in it")
    .addHelpText("after", helpAfter(examples.backup))
    .action(async (dir: string, out: string, given: Record<string, unknown>) => {
      const flags = parseFlags(backupFlags, given);
      const { backup } = await import("./commands/backup.ts");
      finish(await backup(dir, out, flags, io));
    });
}
