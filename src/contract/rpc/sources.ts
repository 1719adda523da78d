import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

const characterSchema = z
  .string()
  .refine((text) => [...text].length === 1 && !/[\r\n]/.test(text), "This is one character, and no line break.");
/** What quotes, and what escapes a quote: characters of ASCII. */
const asciiSchema = z.string().regex(/^[!-~]$/, "This is one character of ASCII.");

const csvFields = {
  delimiter: characterSchema,
  /** Around cells with delimiters or line breaks in them; null where quotes are text. */
  quote: asciiSchema.nullable(),
  /** Before a quote that is text; null where such a quote is doubled. */
  escape: asciiSchema.nullable(),
  /** What a line begins with that is left out; null where each line is a row. */
  comment: characterSchema.nullable(),
  /** Whether spaces after a delimiter are left out, so that a quote may follow them. */
  trim: z.boolean(),
  /**
   * The row that names the columns, by its number in the file or sheet, blank rows counted; null where none does. The rows
   * above it are left out.
   */
  header: z.int().min(1).nullable(),
  /** How many rows after the header are left out; without a header, at the start. Blank rows count. */
  skip: z.int().min(0),
};

/** How a table of text is laid out. Guessed from its first bytes; what the user sets wins. */
export const csvLayoutSchema = z.object({
  ...csvFields,
  quote: csvFields.quote.default('"'),
  escape: csvFields.escape.default(null),
  comment: csvFields.comment.default(null),
  trim: csvFields.trim.default(false),
  skip: csvFields.skip.default(0),
});
export type CsvLayout = z.infer<typeof csvLayoutSchema>;

/** What is known of a layout; the rest is guessed. */
export const csvChoiceSchema = z.object(csvFields).partial();
export type CsvChoice = z.infer<typeof csvChoiceSchema>;

/** The encodings of text that can be chosen, by the names of the Encoding Standard, or by their code page. */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "utf-32le",
  "utf-32be",
  "windows-1252",
  "iso-8859-15",
  "macintosh",
  "cp437",
  "cp850",
  "cp858",
  "windows-1250",
  "iso-8859-2",
  "cp852",
  "windows-1257",
  "iso-8859-4",
  "iso-8859-13",
  "windows-1251",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "iso-8859-5",
  "x-mac-cyrillic",
  "windows-1253",
  "iso-8859-7",
  "cp737",
  "windows-1254",
  "cp857",
  "windows-1255",
  "iso-8859-8",
  "cp862",
  "windows-1256",
  "iso-8859-6",
  "windows-874",
  "windows-1258",
  "iso-8859-3",
  "iso-8859-10",
  "iso-8859-14",
  "iso-8859-16",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "gb18030",
  "big5",
  "euc-kr",
] as const;
export const encodingSchema = z.enum(encodings);
export type Encoding = z.infer<typeof encodingSchema>;

/** The cells of a sheet that something is noticed about: how many, and the first of them by reference. */
const noticedCellsSchema = z.object({ count: z.int(), first: z.array(z.string()) }).default({ count: 0, first: [] });

/** What a first pass noticed about a table. The counts are null where it does not look at every cell. */
export const sourceNotesSchema = z.object({
  emptyCells: z.int().nullable(),
  /** Rows with more or fewer cells than there are columns. */
  raggedRows: z.int().nullable(),
  /** Columns whose name in the file is that of one before them, by the name they were given: `name_2`. */
  renamed: z.array(z.string()),
  /** What was guessed and may well be otherwise: which row names the columns, or the encoding. */
  doubts: z.array(z.enum(["header", "encoding"])).default([]),
  /** Lines that begin with the comment character, and are left out. */
  comments: z.int().default(0),
  /** Formulas of the sheet whose value the workbook does not have: their cells are empty. */
  formulas: noticedCellsSchema,
  /** Formulas that failed: their cells are empty. Each has its error: `C3 (#DIV/0!)`. */
  failedFormulas: noticedCellsSchema,
  /** Whole numbers of more than the 15 digits that spreadsheets have. */
  roundedNumbers: noticedCellsSchema,
  /** Rows with cells that the sheet hides. */
  hiddenRows: z.int().default(0),
});
export type SourceNotes = z.infer<typeof sourceNotesSchema>;

/** A value that is replaced in all lines of a file of requests. */
export const replacementSchema = z.object({
  /** `body.model`, `body.messages[0].content`. */
  path: z.string().min(1).max(200),
  /** A text as it is, any other value as its JSON. */
  from: z.string(),
  to: z.string(),
});
export type Replacement = z.infer<typeof replacementSchema>;

/** The most replacements of a file. */
const mostReplacements = 20;

/** Kinds of workbooks: an XML spreadsheet of 2003 and a web page with tables are often named .xls. */
const workbookKinds = ["xlsx", "xlsb", "xls", "ods", "html", "xml"] as const;

/** Whether a file has sheets with cells that are laid out already. */
export function isWorkbook({ kind }: Pick<Source, "kind">): boolean {
  return workbookKinds.some((one) => one === kind);
}

/**
 * A file of questions that Build reads. `rows` fill a prompt; `requests` is a file that is a batch input
 * already and is sent as it is.
 */
export const sourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["csv", "jsonl", "json", "parquet", ...workbookKinds]),
  holds: z.enum(["rows", "requests"]),
  bytes: z.int(),
  rowCount: z.int(),
  columns: z.array(z.string()),
  /** Of text with delimiters and of workbooks, whose delimiter has no meaning. */
  csv: csvLayoutSchema.nullable(),
  /** Null for a file that is not text. */
  encoding: encodingSchema.nullable(),
  /** The sheet of a workbook that is read, and all that it has. */
  sheet: z.string().nullable().default(null),
  sheets: z.array(z.string()).default([]),
  /** Whether numbers and days are read as the sheet shows them, by the formats of their cells. */
  valuesAsShown: z.boolean().default(false),
  /** Whether rows that the sheet hides are left out. */
  visibleRowsOnly: z.boolean().default(false),
  notes: sourceNotesSchema.prefault({ emptyCells: null, raggedRows: null, renamed: [] }),
  /** The lines of a file of requests that were edited here, in their order. */
  editedLines: z.array(z.int()).default([]),
  /** What is replaced in a file of requests, in this order, each with the number of lines that have it. */
  replacements: z.array(replacementSchema.extend({ lines: z.int() })).default([]),
});
export type Source = z.infer<typeof sourceSchema>;

/** How a file is read: guessed at first, and what the user sets wins. What `csv` does not have is guessed again. */
export const sourceLayoutSchema = sourceSchema.pick({ encoding: true, sheet: true }).extend({
  csv: csvChoiceSchema.nullable(),
  valuesAsShown: z.boolean().optional(),
  visibleRowsOnly: z.boolean().optional(),
});
export type SourceLayout = z.infer<typeof sourceLayoutSchema>;

/** How far the reading of an uploaded file is, in bytes and rows; the source at its end. */
export const sourceProgressSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("reading"), bytes: z.int(), total: z.int(), rows: z.int() }),
  z.object({ phase: z.literal("read"), source: sourceSchema }),
]);
export type SourceProgress = z.infer<typeof sourceProgressSchema>;

/** The same for a file of this computer, which is copied first. */
export const sourceCopyProgressSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("copying"), bytes: z.int() }),
  ...sourceProgressSchema.options,
]);
export type SourceCopyProgress = z.infer<typeof sourceCopyProgressSchema>;

/** One row: the text of each cell by column; for a file of requests, the raw line under `line`. */
export const sourceRowSchema = z.object({ row: z.int(), cells: z.record(z.string(), z.string()) });
export type SourceRow = z.infer<typeof sourceRowSchema>;

/** The first rows of a file that is still on its way in, or still being read. */
export const sourceHeadSchema = z.object({ columns: z.array(z.string()), rows: z.array(sourceRowSchema) });
export type SourceHead = z.infer<typeof sourceHeadSchema>;

/** The most bytes of one `append`. */
export const sourceChunkBytes = 1024 * 1024;

/** The most characters of a line that is edited. */
const longestEditedLine = 4 * 1024 * 1024;

/** The tables that ship with the app, with what they ask. */
export const exampleNameSchema = z.enum(["gsm8k-200", "reviews-200", "halueval-qa-200"]);
export type ExampleName = z.infer<typeof exampleNameSchema>;

export const sourcesContract = {
  /** Starts the upload of a dropped file. The name decides between the kinds where the content does not. */
  begin: procedure.input(z.object({ name: z.string().min(1).max(255) })).output(z.object({ id: z.string() })),
  /** The next bytes, in order: `offset` is how many went before. */
  append: procedure
    .input(
      z.object({
        id: z.string(),
        offset: z.int().min(0),
        chunk: z.instanceof(Blob).refine((blob) => blob.size <= sourceChunkBytes, "A chunk holds at most 1 MiB."),
      }),
    )
    .output(z.object({ bytes: z.int() })),
  /**
   * Ends the upload: guesses the layout, counts and indexes the rows. Ends after the event that has the source. Abort it to
   * stop the work: nothing is left of the file then.
   */
  finish: procedure.input(z.object({ id: z.string() })).output(eventIterator(sourceProgressSchema)),
  /** Drops an upload that is not finished, or a source that no draft uses. */
  discard: procedure.input(z.object({ id: z.string() })),
  get: procedure.input(z.object({ id: z.string() })).output(sourceSchema),
  /** Reads the source again in another layout: delimiter and header row, encoding, sheet, or how its cells are read. */
  setLayout: procedure.input(sourceLayoutSchema.extend({ id: z.string() })).output(sourceSchema),
  /** The first rows of an upload, from the part that has arrived; null where that is not enough to read them. */
  head: procedure.input(z.object({ id: z.string() })).output(sourceHeadSchema.nullable()),
  /** Puts a text in the place of a line of a file of requests; null puts back what the file has. */
  editLine: procedure
    .input(z.object({ id: z.string(), line: z.int().min(1), text: z.string().max(longestEditedLine).nullable() }))
    .output(sourceSchema),
  /** The values that a path has in the lines of a file of requests, as they are sent: the most frequent ones first. */
  values: procedure
    .input(z.object({ id: z.string(), path: replacementSchema.shape.path }))
    .output(z.array(z.object({ value: z.string(), lines: z.int() }))),
  /** Sets what is replaced in all lines of a file of requests, edited ones included. The file itself stays as it is. */
  setReplacements: procedure
    .input(z.object({ id: z.string(), replacements: z.array(replacementSchema).max(mostReplacements) }))
    .output(sourceSchema),
  rows: procedure
    .input(z.object({ id: z.string(), offset: z.int().min(0), limit: z.int().min(1).max(200) }))
    .output(z.object({ total: z.int(), rows: z.array(sourceRowSchema) })),
  /** Makes a source of a file that was opened with the desktop app, by the id of `OpenedFile`. */
  open: procedure.input(z.object({ id: z.string() })).output(eventIterator(sourceCopyProgressSchema)),
  /** Copies a shipped example in as a source. */
  example: procedure.input(z.object({ name: exampleNameSchema })).output(sourceSchema),
};
