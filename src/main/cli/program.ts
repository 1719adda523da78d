import { Command } from "commander";
import { addBatchCommands, addExportCommand } from "./batch-commands.ts";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { addConnectionCommands, addJobCommands } from "./connection-commands.ts";
import { addFolderCommands } from "./folder-commands.ts";
import { helpAfter } from "./help-text.ts";
import { addJudgingCommands } from "./judging-commands.ts";
import { addServeCommand, addWebCommand } from "./server-commands.ts";

const examples = `
Examples:
  sheaf serve                                  a mock server on port 4747, its key printed
  sheaf build questions.csv --prompt … -o …    a batch file from a table
  sheaf validate batch.jsonl                   every problem of a file, with its line
  sheaf run batch.jsonl -o answers.jsonl       a whole batch in one go
  sheaf status                                 how far jobs on real models are
  sheaf verify --prompt … --response …         each claim of an answer, with its evidence
  sheaf grade --batch answers.jsonl …          how many answers are the expected ones
  sheaf <command> --help                       all flags of a command

In a checkout of the project, sheaf is: npm run -s sheaf --`;

/** The `sheaf` command: flags and help. The code of a command is loaded only when it runs. */
export function createProgram(version: string, io: CommandProcess, finish: (code: ExitCode) => void): Command {
  const program = new Command("sheaf")
    .description("Build, run, read and verify batches of chat-completion requests on one machine.")
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .addHelpText("after", helpAfter(examples))
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });

  addServeCommand(program, io, finish);
  addBatchCommands(program, io, finish);
  addJobCommands(program, io, finish);
  addJudgingCommands(program, io, finish);
  addExportCommand(program, io, finish);
  addConnectionCommands(program, io, finish);
  addWebCommand(program, io, finish);
  addFolderCommands(program, io, finish);
  return program;
}
