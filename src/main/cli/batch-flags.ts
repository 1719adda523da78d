import { z } from "zod";
import { engineFlags } from "./engine-flags.ts";
import { type FlagsOf, flag, inGroup, toggle } from "./flag.ts";
import { deadline, locale, oneOf, path, text } from "./flag-types.ts";
import { modelFlags, rowFlags, secretFlags, tierFlags } from "./shared-flags.ts";
import { prefixedTableFlags, tableFlags } from "./table-flags.ts";

/** What a batch is built from; the table itself is the command's argument. */
export const buildFlags = {
  prompt: flag("<TEXT>", "user message of each request, such as 'Translate: {{ text }}'", z.string(), {
    required: true,
  }),
  model: flag("<NAME>", "model that the requests name", text("the name of a model"), { required: true }),
  output: flag("<OUT>", "batch file to write; - is standard output", path, { short: "-o", required: true }),
  system: flag("<TEXT>", "system message; it may name columns, too", z.string()),
  schema: flag("<FILE>", "JSON schema of the answers", path),
  id: flag("<COLUMN>", "column with the custom_id", text("a column"), { otherwise: "line-1, line-2 …" }),
  ...tableFlags,
};
export type BuildFlags = FlagsOf<typeof buildFlags>;

export const validateFlags = {
  ...modelFlags,
  ...tierFlags,
  json: toggle("print one JSON object with the counts and all problems, and no progress"),
};
export type ValidateFlags = FlagsOf<typeof validateFlags>;

export const answersFlags = {
  output: flag("<OUT>", "file for the answers; - is standard output", path, { short: "-o" }),
  errors: flag("<ERR>", "file for the failed requests", path, { otherwise: "they go to OUT, too" }),
};

/** Of commands that begin a job on a connection. */
export const newJobFlags = {
  fresh: toggle("ignore saved progress and start over"),
  reuse: toggle("take the answers that the same requests have in earlier jobs and in the app"),
};

export const connectionName = text("the name of a connection");

/** The moment from which the rest of a batch is sent directly. */
export const deadlineFlag = flag(
  "<TIME>",
  "when a service's batch still runs at 18:00, after 2h …, send the rest directly",
  deadline,
);

export const jobFolder = flag("<DIR>", "folder with the connections and their jobs", path, { otherwise: "the app's" });

export const runFlags = {
  ...answersFlags,
  ...rowFlags,
  ...modelFlags,
  ...tierFlags,
  json: toggle("print one JSON object with the counts, and no progress"),
  ...inGroup("With real models:", {
    connection: flag("<NAME>", "the connection that answers, as sheaf connections lists it", connectionName),
    dryRun: toggle("print the plan and the cost, and send nothing"),
    ...newJobFlags,
    deadline: deadlineFlag,
    dataDir: jobFolder,
    ...secretFlags,
  }),
  ...engineFlags,
};
export type RunFlags = FlagsOf<typeof runFlags>;

/** The delimiters of CSV files by their names. */
export const delimiterNames = { comma: ",", semicolon: ";", tab: "\t" } as const;
const delimiters = Object.keys(delimiterNames) as (keyof typeof delimiterNames)[];

export const exportFlags = {
  format: flag(
    "<FORMAT>",
    "jsonl is as on the wire, flat is JSON Lines",
    oneOf(["jsonl", "flat", "csv", "xlsx", "parquet"]),
    { required: true },
  ),
  output: flag("<OUT>", "file to write; - is standard output", path, { short: "-o", required: true }),
  input: flag("<BATCH>", "input file of the batch: its order is the order of the rows", path),
  table: flag("<TABLE>", "table that the batch was made from: CSV, XLSX, JSON, JSONL or Parquet", path),
  id: flag("<COLUMN>", "its column with the custom_id", z.string()),
  verdicts: flag("<FILE>", "verdicts of these answers, as sheaf verify --batch writes them", path),
  grades: flag("<FILE>", "grades of these answers, as sheaf grade writes them", path),
  job: flag("<ID>", "job of these answers, for their cost", text("the id of a batch")),
  dataDir: jobFolder,
  ...secretFlags,
  excel: flag(
    "[LOCALE]",
    "CSV for Excel: --bom, with the delimiter and decimal mark of the locale in Windows",
    z.union([z.boolean(), locale]),
  ),
  delimiter: flag("<NAME>", "delimiter of CSV", oneOf(delimiters), { otherwise: "comma" }),
  bom: toggle("begin CSV with a byte-order mark"),
  formulas: toggle("leave formulas in CSV as they are, without an apostrophe"),
  json: toggle('print {"rows","output"}, and no progress; of XLSX and Parquet also "text_columns"'),
  ...prefixedTableFlags,
};
export type ExportFlags = FlagsOf<typeof exportFlags>;
