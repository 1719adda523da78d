import { defineCommand } from "./define-command.ts";
import { gradeFlags, verifyFlags } from "./judging-flags.ts";

export const verifyCommand = defineCommand({
  name: "verify",
  summary: "check an answer, claim by claim",
  description: "List which claims of a response are supported, which are contradicted, and what could not be checked.",
  flags: verifyFlags,
  details: `
Each claim is Contradicted, Not in the document, Supported or Not checkable. The rules judge with no network and no model:
sums, units, what the prompt asks for, and the numbers, dates and quotations of the document or the prompt. A model
can judge instead, or all but sums, units, quotations and form (both): that of a connection, or of the engine flags. In a
file's place, - means standard input.

The verdicts of a model on a batch are saved as they come. The same command asks only for missing verdicts, also after
Ctrl+C. --fresh starts over.

Examples:
  sheaf verify --prompt 'What is 6 times 7?' --response '6 × 7 = 43'
  sheaf verify --prompt 'Who wrote it?' --response 'Grace wrote it.' --document letter.txt
  sheaf verify --prompt-file prompt.txt --response-file - --json < response.txt | jq .is_hallucination
  sheaf verify --prompt-file prompt.txt --response-file answer.txt --judge both \\
    --judge-model deepseek-ai/DeepSeek-R1 --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'
  sheaf verify --batch answers.jsonl --input batch.jsonl -o verdicts.jsonl
  sheaf verify --batch answers.jsonl --input batch.jsonl -o verdicts.jsonl --judge-model gpt-5-mini --connection OpenAI

Exit codes: 0 no claim is contradicted, 1 a claim is (with --strict, or where a model judges, also: is not in the document),
or a model that was to judge judged nothing, 130 stopped, 2 wrong flags, or a file that cannot be read or joined (what is wrong is on
stderr as file:line: message).`,
  run: async (flags, io) => {
    if (flags.batch === undefined) {
      const { verify } = await import("./commands/verify.ts");
      return await verify(flags, io);
    }
    const { verifyBatch } = await import("./commands/verify-batch.ts");
    return await verifyBatch(flags, io);
  },
});

export const gradeCommand = defineCommand({
  name: "grade",
  summary: "count the right answers of a batch",
  description: "Compare the answers of a batch with the expected ones, and count how many are right.",
  flags: gradeFlags,
  details: `
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

The grades of a model are saved as they come. The same command asks only for missing grades, also after Ctrl+C. --fresh
starts over.

Examples:
  sheaf grade --batch answers.jsonl --expected questions.csv --id id --column answer --as number
  sheaf grade --batch answers.jsonl --expected reviews.csv --id id --column mood --as label -o grades.jsonl
  sheaf grade --batch answers.jsonl --requests batch.jsonl --as schema --json | jq .accuracy
  sheaf grade --batch answers.jsonl --requests batch.jsonl --as model --rubric rubric.txt \\
    --judge-model deepseek-ai/DeepSeek-R1 --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'

Exit codes: 0 graded, 1 a model gave some answers no grade, 130 stopped, 2 wrong flags, or a file that cannot be read or
joined. What is wrong is on stderr as file:line: message, for TABLE as file: row N: message.`,
  run: async (flags, io) => {
    const { grade } = await import("./commands/grade.ts");
    return await grade(flags, io);
  },
});
