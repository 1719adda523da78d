import { buildCommand, exportCommand, runCommand, validateCommand } from "./batch-commands.ts";
import { connectionCommands } from "./connection-commands.ts";
import type { CommandFamily, SheafCommand } from "./define-command.ts";
import { backupCommand, doctorCommand } from "./folder-commands.ts";
import { jobCommands } from "./job-commands.ts";
import { gradeCommand, verifyCommand } from "./judging-commands.ts";
import { serveCommand, webCommand } from "./server-commands.ts";

/** All commands, in the order of help. */
export const commands: readonly (SheafCommand | CommandFamily)[] = [
  serveCommand,
  buildCommand,
  validateCommand,
  runCommand,
  ...jobCommands,
  verifyCommand,
  gradeCommand,
  exportCommand,
  connectionCommands,
  webCommand,
  doctorCommand,
  backupCommand,
];
