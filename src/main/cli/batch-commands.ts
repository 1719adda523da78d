import type { Command } from "commander";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { withModels, withTier } from "./common-flags.ts";
import { outputMissing, withRows } from "./connection-commands.ts";
import { withEngineChoice } from "./engine-flags.ts";
import { buildFlags, createRunFlags, exportFlags, parseFlags, validateFlags } from "./flags.ts";
import { helpAfter } from "./help-text.ts";
import { withTable } from "./table-flags.ts";

const examples = {
  build: `
Each row of TABLE (CSV, XLSX, JSON, JSON Lines or Parquet) becomes a request. {{ column }} in a text stands for the row's cell;
{{ ["my column"] }} names a column of several words. Faulty rows are left out and named on stderr.

Examples:
  sheaf build questions.csv --prompt '{{ question }}' --model llama3.2 -o batch.jsonl
  sheaf build reviews.xlsx --system 'Answer in JSON.' --prompt 'Rate: {{ text }}' --schema rating.json --id id \\
    --model llama3.2 -o batch.jsonl
  sheaf build questions.csv --prompt '{{ question }}' --model llama3.2 -o - | sheaf run - -o answers.jsonl --connection Ollama

Exit codes: 0 every row is a request, 1 rows were left out, 2 no batch was written: wrong flags, a file that cannot be read, or a
text that fits no row.`,
  validate: `
Problems go to stdout, one line each, as file:line: code: message. The summary goes to stderr. The same code checks
files in the server and in the app.

Examples:
  sheaf validate batch.jsonl
  sheaf validate batch.jsonl --tier free
  sheaf validate batch.jsonl --json | jq '.problems[] | select(.code == "duplicate_custom_id")'

Exit codes: 0 valid, 2 problems found or the file cannot be read.`,
  run: `
OUT gets one line for each request, in the order of FILE. With --errors, the requests that failed go to ERR instead.
Both files are written beside their place and moved there when whole: there is never half a file.

Examples:
  sheaf run batch.jsonl -o answers.jsonl
  sheaf run batch.jsonl -o answers.jsonl --errors failed.jsonl --pace realistic
  sheaf run batch.jsonl -o answers.jsonl --json | jq .completed
  sheaf run batch.jsonl -o answers.jsonl --connection Ollama
  sheaf run batch.jsonl --connection OpenAI --dry-run
  sheaf run batch.jsonl -o sample.jsonl --connection OpenAI --random 20
  sheaf run batch.jsonl -o answers.jsonl --connection OpenAI --reuse --deadline 18:00
  sheaf run - -o - --connection Ollama < batch.jsonl | jq -r '.response.body.choices[0].message.content'
  sheaf run batch.jsonl -o answers.jsonl --upstream-url https://api.example.com/v1 --upstream-key-env EXAMPLE_API_KEY

With --connection the same command goes on where it was stopped, and asks nothing again that is answered; sheaf status lists
these jobs. At its deadline a batch is cancelled; once its service says that it has ended, what it answered is kept, and the rest
is asked with direct calls, at their price.

Exit codes: 0 all requests were answered, 1 some failed or it was stopped, 2 FILE does not validate (all its problems are on stderr as
file:line: code: message) or cannot be read.`,
  export: `
Columns are custom_id, those of TABLE, the answer, the values of answers that are JSON objects (answer.score), finish_reason,
status, error, prompt_tokens and completion_tokens; verdict and grade where there are some. A column of TABLE whose name is
taken is called table.NAME. Rows stand in the order of BATCH, else of TABLE, else of ANSWERS.

In CSV a text that a spreadsheet would take for a formula begins with '. XLSX cuts a cell at 32,767 characters and lists the
cut cells on a sheet of its own; numbers beyond 15 digits are text. Parquet has a type for each column; one of numbers is text
where a number is neither an integer of 64 bits nor a double that prints the same, and stderr names such a column.

Examples:
  sheaf export answers.jsonl --format csv -o answers.csv
  sheaf export answers.jsonl --format csv --excel de -o answers.csv
  sheaf export answers.jsonl --input batch.jsonl --table questions.xlsx --id id --format xlsx -o answers.xlsx
  sheaf export answers.jsonl --format flat -o - | jq .answer

Exit codes: 0 written, 2 wrong flags, or a file that cannot be read (what is wrong is on stderr as file:line: message).`,
} as const;

/** `sheaf build`, `sheaf validate` and `sheaf run`. */
export function addBatchCommands(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  const buildCommand = program
    .command("build")
    .argument("<TABLE>", "table with a row for each request: CSV, XLSX, JSON, JSONL or Parquet")
    .summary("make a batch file from a table")
    .description("Fill a prompt from each row of a table, and write the requests as a batch file.")
    .requiredOption("--prompt <TEXT>", "user message of each request, such as 'Translate: {{ text }}'")
    .requiredOption("--model <NAME>", "model that the requests name")
    .requiredOption("-o, --output <OUT>", "batch file to write; - is standard output")
    .option("--system <TEXT>", "system message, in which columns stand, too")
    .option("--schema <FILE>", "JSON schema of the answers")
    .option("--id <COLUMN>", "column with the custom_id (default: line-1, line-2 …)");
  withTable(buildCommand, "")
    .addHelpText("after", helpAfter(examples.build))
    .action(async (table: string, given: Record<string, unknown>) => {
      const flags = parseFlags(buildFlags, given);
      const { build } = await import("./commands/build.ts");
      finish(await build(table, flags, io));
    });

  withTier(withModels(program.command("validate")))
    .argument("<FILE>", "batch file, one request per line (JSONL)")
    .summary("check a batch file")
    .description("Check a batch file of any size and list every problem in it.")
    .option("--json", "print one JSON object with the counts and all problems, and no progress")
    .addHelpText("after", helpAfter(examples.validate))
    .action(async (file: string, given: Record<string, unknown>) => {
      const flags = parseFlags(validateFlags, given);
      const { validate } = await import("./commands/validate.ts");
      finish(await validate(file, flags, io));
    });

  const runCommand = withTier(withModels(program.command("run")))
    .argument("<FILE>", "batch file, one request per line (JSONL); - is standard input")
    .summary("run a whole batch in one go")
    .description("Check a batch file, answer every request in it and write the answers, without a server.")
    .option("-o, --output <OUT>", "file for the answers; - is standard output")
    .option("--errors <ERR>", "file for the requests that failed (default: they go to OUT too)")
    .option("--connection <NAME>", "answer it with real models: a connection of sheaf connections")
    .option("--dry-run", "with a connection: say the plan and the cost, and ask nothing")
    .option("--fresh", "with a connection: start anew, and not where the same command was stopped")
    .option("--reuse", "with a connection: take the answers that the same requests have in earlier jobs and in the app")
    .option("--deadline <TIME>", "with a batch service: when it still runs at 18:00, after 2h …, ask the rest directly")
    .option("--data-dir <DIR>", "with a connection: the folder that it is kept in (default: the app's)")
    .option("--json", "print one JSON object with the counts, and no progress");
  withEngineChoice(withRows(runCommand))
    .addHelpText("after", helpAfter(examples.run))
    .action(async (file: string, given: Record<string, unknown>) => {
      const flags = parseFlags(createRunFlags(io.machine.wall()), given);
      if (flags.output === undefined && !flags.dryRun) runCommand.error(outputMissing);
      const { run } = await import("./commands/run.ts");
      finish(await run(file, flags, io));
    });
}

/** `sheaf export`. */
export function addExportCommand(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  const exportCommand = program
    .command("export")
    .argument("<ANSWERS>", "output file of a batch, as sheaf run and the service write it")
    .summary("write answers as a table")
    .description(
      "Write the answers of a batch as CSV, XLSX, Parquet or JSON Lines, beside the table they were asked from.",
    )
    .requiredOption("--format <FORMAT>", "jsonl (as on the wire), flat (JSON Lines), csv, xlsx or parquet")
    .requiredOption("-o, --output <OUT>", "file to write; - is standard output")
    .option("--input <BATCH>", "input file of the batch: its order is the order of the rows")
    .option("--table <TABLE>", "table that the batch was made from: CSV, XLSX, JSON, JSONL or Parquet")
    .option("--id <COLUMN>", "its column with the custom_id")
    .option("--excel [LOCALE]", "CSV for Excel: --bom, and in a locale with decimal commas these and semicolons")
    .option("--delimiter <NAME>", "of CSV: comma (default), semicolon or tab")
    .option("--bom", "begin CSV with a byte-order mark")
    .option("--formulas", "leave formulas in CSV as they are, without an apostrophe")
    .option("--json", 'print {"rows","output"}, and no progress; of Parquet also "text_columns"');
  withTable(exportCommand, "table-")
    .addHelpText("after", helpAfter(examples.export))
    .action(async (answers: string, given: Record<string, unknown>) => {
      const flags = parseFlags(exportFlags, given);
      const { exportAnswers } = await import("./commands/export.ts");
      finish(await exportAnswers(answers, flags, io));
    });
}
