import { defineCommand } from "./define-command.ts";
import { backupFlags, doctorFlags } from "./folder-flags.ts";

export const doctorCommand = defineCommand({
  name: "doctor",
  summary: "find and repair damage in a data folder",
  description: "Check every file of a data folder and list the damage.",
  arguments: { "<DIR>": "data folder" },
  flags: doctorFlags,
  details: `
Each finding is a line on stdout: the file, its line, and what is wrong. Without --repair and --export nothing is written,
so it may be used beside a running Sheaf.

Examples:
  sheaf doctor ~/.local/share/sheaf/app
  sheaf doctor DIR --repair                    with no Sheaf running on it; what it takes away is in DIR/quarantine
  sheaf doctor DIR --export answers/           the undamaged answers of each batch
  sheaf doctor DIR --json | jq '.findings[].path'

Exit codes: 0 sound, 1 damage found, 2 it cannot be read, is in use (--repair), or wrong flags.`,
  run: async (flags, io, dir: string) => {
    const { doctor } = await import("./commands/doctor.ts");
    return await doctor(dir, flags, io);
  },
});

export const backupCommand = defineCommand({
  name: "backup",
  summary: "copy a data folder while it is in use",
  description: "Make a copy of a data folder that can be used as --data-dir.",
  arguments: {
    "<DIR>": "data folder, also of a running Sheaf",
    "<OUT>": "folder for the copy: empty or not there yet",
  },
  flags: backupFlags,
  details: `
OUT has all records, uploads, answers, tables, drafts and jobs as they were at one moment, and is checked by sheaf doctor. Keys are not in it.
Batches at a service that had not ended wait in it for your decision: the original may have gone on with them.

Examples:
  sheaf backup ~/.local/share/sheaf/app ~/backups/today
  sheaf web --data-dir ~/backups/today

Exit codes: 0 made and sound, 1 made, with damage that was in DIR, 2 it could not be made: there is no OUT then.`,
  run: async (flags, io, dir: string, out: string) => {
    const { backup } = await import("./commands/backup.ts");
    return await backup(dir, out, flags, io);
  },
});
