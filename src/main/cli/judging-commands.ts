import type { Command } from "commander";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { withModels } from "./common-flags.ts";
import { withEngineChoice } from "./engine-flags.ts";
import { gradeFlags, parseFlags, verifyFlags } from "./flags.ts";
import { helpAfter } from "./help-text.ts";
import { withJudge } from "./judge-flags.ts";
import { withTable } from "./table-flags.ts";

const examples = {
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

Exit codes: 0 no claim is contradicted, 1 a claim is (with --strict, or where a model judges, also: is not in the document),
or a model that was to judge judged nothing, 2 wrong flags, or a file that cannot be read or joined (what is wrong is on
stderr as file:line: message).`,
  grade: `
Rows of TABLE meet the answers by custom_id. A row without an answered line has no answer, and counts for
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

Exit codes: 0 graded, 1 a model gave some answers no grade, 2 wrong flags, or a file that cannot be read or joined (what
is wrong is on stderr as file:line: message).`,
} as const;

/** `sheaf verify` and `sheaf grade`. */
export function addJudgingCommands(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
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
    .addHelpText("after", helpAfter(examples.verify))
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
    .option("--expected <TABLE>", "table with the expected answers: CSV, XLSX, JSON, JSONL or Parquet")
    .option("--id <COLUMN>", "its column with the custom_id")
    .option("--column <COLUMN>", "its column with the expected answer")
    .option("--tolerance <N>", "of number: how far it may be off (default: 0)")
    .option("--path <JSONPATH>", "of json: where the value stands, such as $.items[0].name")
    .option("--requests <BATCH>", "input file of the batch: the schemas of schema, the questions for model")
    .option("--rubric <FILE>", "of model: the text that says when an answer passes")
    .option("--judge-model <NAME>", "of model: its name, answered by the engine")
    .option(
      "-o, --output <GRADES>",
      "file for one JSON object a line: custom_id, expected, given, grade, why; - is standard output",
    )
    .option("--json", 'print {"graded", "passed", "failed", "no_answer", "accuracy", "interval"}, and no progress');
  withTable(withEngineChoice(withModels(gradeCommand)), "table-")
    .addHelpText("after", helpAfter(examples.grade))
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(gradeFlags, given);
      const { grade } = await import("./commands/grade.ts");
      finish(await grade(flags, io));
    });
}

/** What `verify` needs for a whole batch. */
function withBatchFiles(command: Command): Command {
  return command
    .optionsGroup("Batch:")
    .option("--batch <FILE>", "verify all answers of a batch: its output file, as sheaf run and the service write it")
    .option("--input <FILE>", "input file of the batch, joined by custom_id")
    .option(
      "-o, --output <FILE>",
      "file for the verdicts, one JSON object a line, in the order of the input; - is standard output",
    )
    .option("--system-as-document", "the system message of each request is the document of its answer");
}
