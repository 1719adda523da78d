import { buildFlags, exportFlags, runFlags, validateFlags } from "./batch-flags.ts";
import { CliError, exitCodes } from "./cli-error.ts";
import { defineCommand } from "./define-command.ts";

export const buildCommand = defineCommand({
  name: "build",
  summary: "make a batch file from a table",
  description: "Fill a prompt from each row of a table, and write the requests as a batch file.",
  arguments: { "<TABLE>": "table with a row for each request: CSV, XLSX, JSON, JSONL or Parquet" },
  flags: buildFlags,
  details: `
Each row of TABLE (CSV, XLSX, JSON, JSON Lines or Parquet) becomes a request. {{ column }} in a text stands for the row's cell;
{{ ["my column"] }} names a column of several words. Faulty rows are left out and named on stderr.

Examples:
  sheaf build questions.csv --prompt '{{ question }}' --model llama3.2 -o batch.jsonl
  sheaf build reviews.xlsx --system 'Answer in JSON.' --prompt 'Rate: {{ text }}' --schema rating.json --id id \\
    --model llama3.2 -o batch.jsonl
  sheaf build questions.csv --prompt '{{ question }}' --model llama3.2 -o - | sheaf run - -o answers.jsonl --connection Ollama

Exit codes: 0 every row is a request, 1 rows were left out, 2 no batch was written: wrong flags, a file that cannot be read, or a
text that fits no row.`,
  run: async (flags, io, table: string) => {
    const { build } = await import("./commands/build.ts");
    return await build(table, flags, io);
  },
});

export const validateCommand = defineCommand({
  name: "validate",
  summary: "check a batch file",
  description: "Check a batch file of any size and list every problem in it.",
  arguments: { "<FILE>": "batch file, one request per line (JSONL)" },
  flags: validateFlags,
  details: `
Problems go to stdout, one line each, as file:line: code: message. The summary goes to stderr. The same code checks
files in the server and in the app.

Examples:
  sheaf validate batch.jsonl
  sheaf validate batch.jsonl --tier free
  sheaf validate batch.jsonl --json | jq '.problems[] | select(.code == "duplicate_custom_id")'

Exit codes: 0 valid, 2 problems found or the file cannot be read.`,
  run: async (flags, io, file: string) => {
    const { validate } = await import("./commands/validate.ts");
    return await validate(file, flags, io);
  },
});

export const runCommand = defineCommand({
  name: "run",
  summary: "run a whole batch in one go",
  description: "Check a batch file, answer every request in it and write the answers, without a server.",
  arguments: { "<FILE>": "batch file, one request per line (JSONL); - is standard input" },
  flags: runFlags,
  details: `
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
  run: async (flags, io, file: string) => {
    if (flags.output === undefined && !flags.dryRun) {
      throw new CliError("required option '-o, --output <OUT>' not specified", exitCodes.unusable);
    }
    const { run } = await import("./commands/run.ts");
    return await run(file, flags, io);
  },
});

export const exportCommand = defineCommand({
  name: "export",
  summary: "write answers as a table",
  description: "Write the answers of a batch as CSV, XLSX, Parquet or JSON Lines, beside the table of their requests.",
  arguments: { "<ANSWERS>": "output file of a batch, as sheaf run and the service write it" },
  flags: exportFlags,
  details: `
Columns are custom_id, those of TABLE, the answer, the values of answers that are JSON objects (answer.score), finish_reason,
status, error, prompt_tokens and completion_tokens; verdict and grade where there are some. Calls of tools are tool.NAME and
their fields (tool.weather.city). Other choices are choice.2 and on. reasoning has the model's reasoning, answer a refusal.
If a name is taken, the column of TABLE is called table.NAME. Rows have the order of BATCH, else of TABLE, else of ANSWERS.

In CSV a text that a spreadsheet would take for a formula begins with '. XLSX cuts a cell at 32,767 characters and lists the
cut cells on a second sheet. In XLSX, integers beyond 15 digits are text. Parquet has a type for each column. A column of
numbers is text if one of them is neither a 64-bit integer nor a double that prints the same; stderr names such columns.

Examples:
  sheaf export answers.jsonl --format csv -o answers.csv
  sheaf export answers.jsonl --format csv --excel de -o answers.csv
  sheaf export answers.jsonl --input batch.jsonl --table questions.xlsx --id id --format xlsx -o answers.xlsx
  sheaf export answers.jsonl --verdicts verdicts.jsonl --grades grades.jsonl --format xlsx -o answers.xlsx
  sheaf export answers.jsonl --format flat -o - | jq .answer

--verdicts adds verdict, form, agreement, verify.reason, verify.claim and verify.passage; --grades adds grade. A verdict is left out
if its answer has changed since.

If something is missing in OUT, OUT.missing.txt lists it: rows that TABLE lacks, fields beyond the 500th, or answers without a
verdict or grade.

Exit codes: 0 written; 1 written, but something is missing; 2 wrong flags, or a file that cannot be read. Errors are on
stderr as file:line: message, for TABLE as file: row N: message.`,
  run: async (flags, io, answers: string) => {
    const { exportAnswers } = await import("./commands/export.ts");
    return await exportAnswers(answers, flags, io);
  },
});
