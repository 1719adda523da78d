import { Command, Option } from "commander";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { withModels, withTier, withTierAndRates } from "./common-flags.ts";
import { addConnectionCommands, addJobCommands, outputMissing, withRows } from "./connection-commands.ts";
import { withEngineChoice } from "./engine-flags.ts";
import { withFaults } from "./fault-flags.ts";
import {
  exportFlags,
  gradeFlags,
  parseFlags,
  runFlags,
  serveFlags,
  validateFlags,
  verifyFlags,
  webFlags,
} from "./flags.ts";
import { withJudge, withMcpJudge } from "./judge-flags.ts";

const examples = {
  sheaf: `
Examples:
  sheaf serve                                  a mock server on port 4747, its key printed
  sheaf validate batch.jsonl                   every problem of a file, with its line
  sheaf run batch.jsonl -o answers.jsonl       a whole batch in one go
  sheaf status                                 how far jobs on real models are
  sheaf verify --prompt … --response …         each claim of an answer, with its evidence
  sheaf grade --batch answers.jsonl …          how many answers are the expected ones
  sheaf <command> --help                       all flags of a command

In a checkout of the project, sheaf is: npm run -s sheaf --`,
  serve: `
Any client of the OpenAI API can use the server: its base URL is the printed address with /v1 at the end. Every
request needs the key. SHEAF_API_KEY keeps the key out of the list of processes, where --api-key can be read. A key that
the server made itself is printed once, and kept in the system's keychain, or in a file under SHEAF_PASSPHRASE.

Examples:
  sheaf serve --port 0 --ephemeral --json      for a test: reads the address and the key from the first line
  sheaf serve --pace realistic --seed 7        the latencies of a hosted model, the same answers every time
  sheaf serve --dialect openai                 integers for all times, as strict clients expect
  sheaf serve --models models.yaml             other models than the built-in four (docs/mock-server.md)
  sheaf serve --tier free                      1 direct call a minute, 2 at a time, 32k of context
  sheaf serve --no-rate-limit                  as many direct calls as a test likes
  sheaf serve --clock-speed 3600               an hour in a second: windows end, files expire
  sheaf serve --rules rules.yaml               answers by rules (docs/scripted-rules.md)
  sheaf serve --failure-rate 0.05 --failure-statuses 500,503 --latency 200
  sheaf serve --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'

Exit codes: 0 stopped by a signal, 1 could not start (port in use, data in use), 2 wrong flags, rules or models with
mistakes (all of them on stderr as file:line: message).`,
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
  verify: `
Each claim is Contradicted, Not in the document, Supported or Not checkable. The rules judge with no network and no model:
sums, units, what the prompt asks for, and the numbers, dates, names and quotations of the document or the prompt. A model
can judge instead, or all but sums, units, quotations and form (both); the flags under Engine say where it is. In a file's
place, - means standard input.

Examples:
  sheaf verify --prompt 'What is 6 times 7?' --response '6 × 7 = 43'
  sheaf verify --prompt 'Who wrote it?' --response 'Grace wrote it.' --document letter.txt
  sheaf verify --prompt-file prompt.txt --response-file - --json < response.txt | jq .is_hallucination
  sheaf verify --prompt-file prompt.txt --response-file answer.txt --judge both \\
    --judge-model deepseek-ai/DeepSeek-R1 --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'
  sheaf verify --batch answers.jsonl --input batch.jsonl -o verdicts.jsonl

Exit codes: 0 no claim is contradicted, 1 a claim is (with --strict also: is not in the document), 2 wrong flags, or a file
that cannot be read or joined (what is wrong is on stderr as file:line: message).`,
  grade: `
Rows of TABLE (CSV or JSONL) meet the answers by custom_id. A row without an answered line has no answer, and counts for
nothing: accuracy is passed / (passed + failed), with its 95 % interval.

  exact     the answer is the expected text
  text      the same, but for case, spaces and punctuation
  number    its last number, or the one after ####, is the expected one
  contains  the expected text stands in it
  label     it names one of the column's values, the expected one
  regex     it matches the expected pattern (RE2)
  json      it is JSON, and what stands at --path is the expected value
  schema    it is JSON that is valid by its request's own schema
  model     a model says that it passes, by a rubric

Examples:
  sheaf grade --batch answers.jsonl --expected questions.csv --id id --column answer --as number
  sheaf grade --batch answers.jsonl --expected reviews.csv --id id --column mood --as label -o grades.jsonl
  sheaf grade --batch answers.jsonl --requests batch.jsonl --as schema --json | jq .accuracy
  sheaf grade --batch answers.jsonl --requests batch.jsonl --as model --rubric rubric.txt \\
    --judge-model deepseek-ai/DeepSeek-R1 --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'

Exit codes: 0 graded, 1 a model's grades could not be read, 2 wrong flags, or a file that cannot be read or joined (what
is wrong is on stderr as file:line: message).`,
  export: `
Columns are custom_id, those of TABLE, the answer, the values of answers that are JSON objects (answer.score), finish_reason,
status, error, prompt_tokens and completion_tokens; verdict and grade where there are some. A column of TABLE whose name is
taken is called table.NAME. Rows stand in the order of BATCH, else of TABLE, else of ANSWERS.

In CSV a text that a spreadsheet would take for a formula begins with '. XLSX cuts a cell at 32,767 characters and lists the
cut cells on a sheet of its own; numbers beyond 15 digits are text. Parquet has a type for each column.

Examples:
  sheaf export answers.jsonl --format csv -o answers.csv
  sheaf export answers.jsonl --input batch.jsonl --table questions.xlsx --id id --format xlsx -o answers.xlsx
  sheaf export answers.jsonl --format flat -o - | jq .answer

Exit codes: 0 written, 2 wrong flags, or a file that cannot be read (what is wrong is on stderr as file:line: message).`,
  web: `
The address holds a code that works once, for the browser it is opened in.

Examples:
  sheaf web
  sheaf web --no-open --port 8080 --ephemeral

Exit codes: 0 stopped by a signal, 1 could not start (port in use, data in use), 2 wrong flags.`,
} as const;

/** The `sheaf` command: flags and help. What a command does is loaded only when it is asked for. */
export function createProgram(version: string, io: CommandProcess, finish: (code: ExitCode) => void): Command {
  const program = new Command("sheaf")
    .description("Build, run, read and verify batches of chat-completion requests on one machine.")
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .addHelpText("after", examples.sheaf)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });

  const serveCommand = program
    .command("serve")
    .summary("run the mock server")
    .description("Run the service headless: a mock server with the API of the hosted one.")
    .option("--port <N>", "port to listen on, 0 for any free one (default: 4747)")
    .option("--host <ADDRESS>", "address to listen on (default: 127.0.0.1, this machine only)")
    .option(
      "--api-key <KEY>",
      "key that requests must carry (default: SHEAF_API_KEY, else the one that was made at the first start)",
    )
    .option("--dialect <NAME>", "service or openai: how times and lists look (default: service)")
    .option("--clock-speed <X>", "seconds of the server's time in one of yours, 0 to stand still (default: 1)");
  withTierAndRates(withModels(withStorage(withMcpJudge(serveCommand)))).option(
    "--json",
    'print one JSON object first: {"url", "apiKey", "pid"}',
  );
  withFaults(withEngineChoice(serveCommand))
    .addHelpText("after", examples.serve)
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(serveFlags, given);
      const { serve } = await import("./commands/serve.ts");
      finish(await serve(flags, io));
    });

  withTier(withModels(program.command("validate")))
    .argument("<FILE>", "batch file, one request per line (JSONL)")
    .summary("check a batch file")
    .description("Check a batch file of any size and list every problem in it.")
    .option("--json", "print one JSON object with the counts and all problems, and no progress")
    .addHelpText("after", examples.validate)
    .action(async (file: string, given: Record<string, unknown>) => {
      const flags = parseFlags(validateFlags, given);
      const { validate } = await import("./commands/validate.ts");
      finish(await validate(file, flags, io));
    });

  const runCommand = withTier(withModels(program.command("run")))
    .argument("<FILE>", "batch file, one request per line (JSONL); - is standard input, and in OUT's place output")
    .summary("run a whole batch in one go")
    .description("Check a batch file, answer every request in it and write the answers, without a server.")
    .option("-o, --output <OUT>", "file for the answers")
    .option("--errors <ERR>", "file for the requests that failed (default: they go to OUT too)")
    .option("--connection <NAME>", "answer it with real models: a connection of sheaf connections")
    .option("--dry-run", "with a connection: say the plan and the cost, and ask nothing")
    .option("--fresh", "with a connection: start anew, and not where the same command was stopped")
    .option("--reuse", "with a connection: take the answers that the same requests have in earlier jobs and in the app")
    .option("--deadline <TIME>", "with a batch service: when it still runs at 18:00, after 2h …, ask the rest directly")
    .option("--data-dir <DIR>", "with a connection: the folder that it is kept in (default: the app's)")
    .option("--json", "print one JSON object with the counts, and no progress");
  withEngineChoice(withRows(runCommand))
    .addHelpText("after", examples.run)
    .action(async (file: string, given: Record<string, unknown>) => {
      const flags = parseFlags(runFlags, given);
      if (flags.output === undefined && !flags.dryRun) runCommand.error(outputMissing);
      const { run } = await import("./commands/run.ts");
      finish(await run(file, flags, io));
    });

  addJobCommands(program, io, finish);

  const verifyCommand = program
    .command("verify")
    .summary("check an answer, claim by claim")
    .description("Say which claims of a response are supported, which are contradicted, and what could not be checked.")
    .option("--prompt <TEXT>", "prompt that was answered")
    .option("--prompt-file <FILE>", "file that holds the prompt")
    .option("--response <TEXT>", "response to check")
    .option("--response-file <FILE>", "file that holds the response")
    .option("--document <FILE>", "file that the response must keep to (default: the prompt alone)")
    .option("--json", "print the result as one JSON object, as the MCP tools answer it; of a batch, the counts");
  withEngineChoice(withBatchFiles(withModels(withJudge(verifyCommand))))
    .addHelpText("after", examples.verify)
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(verifyFlags, given);
      if (flags.batch === undefined) {
        const { verify } = await import("./commands/verify.ts");
        finish(await verify(flags, io));
      } else {
        const { verifyBatch } = await import("./commands/verify-batch.ts");
        finish(await verifyBatch(flags, io));
      }
    });

  const gradeCommand = program
    .command("grade")
    .summary("count the right answers of a batch")
    .description("Hold the answers of a batch against the expected ones, and say how many are right.")
    .requiredOption("--batch <ANSWERS>", "output file of the batch, as sheaf run and the service write it")
    .requiredOption(
      "--as <GRADER>",
      "how: exact, text, number, contains, label, regex, json, schema or model (see below)",
    )
    .option("--expected <TABLE>", "table with the expected answers, CSV or JSONL")
    .option("--id <COLUMN>", "its column with the custom_id")
    .option("--column <COLUMN>", "its column with the expected answer")
    .option("--tolerance <N>", "of number: how far it may be off (default: 0)")
    .option("--path <JSONPATH>", "of json: where the value stands, such as $.items[0].name")
    .option("--requests <BATCH>", "input file of the batch: the schemas of schema, the questions for model")
    .option("--rubric <FILE>", "of model: the text that says when an answer passes")
    .option("--judge-model <NAME>", "of model: its name, answered by the engine")
    .option("-o, --output <GRADES>", "file for one JSON object a line: custom_id, expected, given, grade, why")
    .option("--json", 'print {"graded","passed","failed","no_answer","accuracy","interval"}, and no progress');
  withEngineChoice(withModels(gradeCommand))
    .addHelpText("after", examples.grade)
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(gradeFlags, given);
      const { grade } = await import("./commands/grade.ts");
      finish(await grade(flags, io));
    });

  program
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
    .option("--json", 'print {"rows","output"}, and no progress')
    .addHelpText("after", examples.export)
    .action(async (answers: string, given: Record<string, unknown>) => {
      const flags = parseFlags(exportFlags, given);
      const { exportAnswers } = await import("./commands/export.ts");
      finish(await exportAnswers(answers, flags, io));
    });

  addConnectionCommands(program, io, finish);

  withStorage(withMockEngine(program.command("web")))
    .summary("open the app in the browser")
    .description("Run the app in the browser instead of a window of its own.")
    .option("--port <N>", "port to listen on, 0 for any free one (default: 4700 or the next that is free)")
    .option("--no-open", "print the address, open nothing")
    .option("--json", 'print one JSON object first and open nothing: {"url", "pid"}')
    .addHelpText("after", examples.web)
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(webFlags, given);
      const { web } = await import("./commands/web.ts");
      finish(await web(flags, io));
    });

  return program;
}

/** What `verify` needs for a whole batch. */
function withBatchFiles(command: Command): Command {
  return command
    .optionsGroup("Batch:")
    .option("--batch <FILE>", "verify all answers of a batch: its output file, as sheaf run and the service write it")
    .option("--input <FILE>", "input file of the batch, joined by custom_id")
    .option("-o, --output <FILE>", "where the verdicts go: one JSON object a line, in the order of the input")
    .option("--system-as-document", "the system message of each request is the document of its answer");
}

function withMockEngine(command: Command): Command {
  return command
    .option("--engine <NAME>", "what answers: mock (default: mock)")
    .option("--pace <PACE>", "instant, realistic or milliseconds per answer (default: realistic)")
    .option("--seed <N>", "same seed and request, same answer (default: 1)");
}

function withStorage(command: Command): Command {
  return command
    .option("--data-dir <DIR>", "folder for files and batches (default: Sheaf's own in your home folder)")
    .addOption(
      new Option("--ephemeral", "keep everything in a temporary folder that is removed at the end").conflicts(
        "dataDir",
      ),
    )
    .option("--adopt", "where the journal of the data folder is lost: register the uploads in it again")
    .option(
      "--secrets <PLACE>",
      "where keys are kept: keychain, file, memory, or auto for the best of them (default: SHEAF_SECRETS, else auto)",
    );
}
