import { z } from "zod";
import { graderSchema } from "#contract";
import { engineFlags } from "./engine-flags.ts";
import { type FlagsOf, flag, inGroup, toggle } from "./flag.ts";
import { oneOf, path, text, tolerance } from "./flag-types.ts";
import { judgeFlags, judgeSourceFlags } from "./judge-flags.ts";
import { modelFlags } from "./shared-flags.ts";
import { prefixedTableFlags } from "./table-flags.ts";

const answersFile = "output file of the batch, as sheaf run and the service write it";

/** What is verified and who judges; an engine is needed where a model does. */
export const verifyFlags = {
  prompt: flag("<TEXT>", "prompt that was answered", z.string()),
  promptFile: flag("<FILE>", "file that holds the prompt", path),
  response: flag("<TEXT>", "response to check", z.string()),
  responseFile: flag("<FILE>", "file that holds the response", path),
  document: flag("<FILE>", "source document of the response", path, { otherwise: "the prompt alone" }),
  json: toggle("print the result as one JSON object, as the MCP tools return it; of a batch, the counts"),
  ...judgeFlags,
  judgeSystem: flag("<FILE>", "system message that the model was trained with, word for word", path),
  strict: toggle("count claims that are not in the document as wrong, too"),
  ignoreForm: toggle("do not check sentences, words and format that the prompt asks for"),
  ...modelFlags,
  ...inGroup("Batch:", {
    batch: flag("<FILE>", `verify all answers of a batch: ${answersFile}`, path),
    input: flag("<FILE>", "input file of the batch, joined by custom_id", path),
    output: flag(
      "<FILE>",
      "file for the verdicts, one JSON object a line, in the order of the input; - is standard output",
      path,
      { short: "-o" },
    ),
    systemAsDocument: toggle("the system message of each request is the document of its answer"),
  }),
  ...judgeSourceFlags,
  ...engineFlags,
};
export type VerifyFlags = FlagsOf<typeof verifyFlags>;

/** True where the flag is given without a separator. */
const separator = z.union([z.literal(true), z.string().min(1).max(20)], "a separator of 1 to 20 characters");
const cellParts = "a JSON list, else split at | or ; or ,";

/** What is graded and how; an engine is needed where a model does. */
export const gradeFlags = {
  batch: flag("<ANSWERS>", answersFile, path, { required: true }),
  as: flag("<GRADER>", "how (see below)", oneOf(graderSchema.options.map(({ shape }) => shape.name.value)), {
    required: true,
  }),
  expected: flag("<TABLE>", "table with the expected answers: CSV, XLSX, JSON, JSONL or Parquet", path),
  id: flag("<COLUMN>", "its column with the custom_id", z.string()),
  column: flag("<COLUMN>", "its column with the expected answer", z.string()),
  tolerance: flag("<N>", "of number: largest difference", tolerance, { otherwise: "0" }),
  path: flag("<JSONPATH>", "of json: where the value stands, such as $.items[0].name", text("a path such as $.answer")),
  ordered: toggle("of json: lists must have the same order"),
  wholeWords: toggle("of contains: match whole words only"),
  anyOf: flag("[SEP]", "accept any of the answers in a cell, split at SEP", separator, { otherwise: cellParts }),
  set: flag("[SEP]", "require all values in a cell and no others, split at SEP", separator, {
    otherwise: cellParts,
  }),
  requests: flag("<BATCH>", "input file of the batch: the schemas of schema, the questions for model", path),
  rubric: flag("<FILE>", "of model: the text that says when an answer passes", path),
  judgeModel: flag("<NAME>", "of model: its name", text("the name of a model")),
  output: flag(
    "<GRADES>",
    "file for one JSON object a line: custom_id, expected, given, grade, why; - is standard output",
    path,
    { short: "-o" },
  ),
  json: toggle(
    'print {"graded", "passed", "failed", "no_answer", "no_expected", "accuracy", "interval", "saved", "usage", "cost"}, and no progress',
  ),
  ...modelFlags,
  ...prefixedTableFlags,
  ...judgeSourceFlags,
  ...engineFlags,
};
export type GradeFlags = FlagsOf<typeof gradeFlags>;
