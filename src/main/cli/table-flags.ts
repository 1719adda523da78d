import type { Command } from "commander";
import { z } from "zod";
import { csvChoiceSchema } from "#contract";
import { wholeNumber } from "./common-flags.ts";

const named: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t", "\\t": "\t", bar: "|" };
const characterExpected = "one character, or comma, semicolon, tab or bar";
const signExpected = "one visible character of ASCII, or none";
const rowExpected = "the number of a row, or none";

const character = z
  .string()
  .transform((text) => named[text] ?? text)
  .refine((text) => csvChoiceSchema.safeParse({ delimiter: text }).success, characterExpected)
  .optional();
const sign = z
  .string()
  .transform((text) => (text === "none" ? null : text))
  .refine((text) => csvChoiceSchema.safeParse({ quote: text }).success, signExpected)
  .optional();
const headerRow = z
  .string()
  .regex(/^([1-9]\d{0,9}|none)$/, rowExpected)
  .transform((text) => (text === "none" ? null : Number(text)))
  .optional();
const encoding = z.string().min(1, "the name of an encoding").optional();

/** How a table is read, where the guess is not right. */
export const tableFlags = {
  delimiter: character,
  quote: sign,
  escape: sign,
  comment: character,
  encoding,
  sheet: z.string().min(1, "the name of a sheet").optional(),
  headerRow,
  skipRows: wholeNumber(0, 1_000_000).optional(),
};
const tableFlagsSchema = z.object(tableFlags);
export type TableFlags = z.infer<typeof tableFlagsSchema>;

/** The same for commands that have other flags of these names: `--table-delimiter` … */
export const prefixedTableFlags = {
  tableDelimiter: character,
  tableQuote: sign,
  tableEscape: sign,
  tableComment: character,
  tableEncoding: encoding,
  tableSheet: tableFlags.sheet,
  tableHeaderRow: headerRow,
  tableSkipRows: tableFlags.skipRows,
};
const prefixedTableFlagsSchema = z.object(prefixedTableFlags);

export function withoutPrefix(flags: z.infer<typeof prefixedTableFlagsSchema>): TableFlags {
  return {
    delimiter: flags.tableDelimiter,
    quote: flags.tableQuote,
    escape: flags.tableEscape,
    comment: flags.tableComment,
    encoding: flags.tableEncoding,
    sheet: flags.tableSheet,
    headerRow: flags.tableHeaderRow,
    skipRows: flags.tableSkipRows,
  };
}

/** The flags under a heading of their own, each name after `prefix`. */
export function withTable(command: Command, prefix: "" | "table-"): Command {
  return command
    .optionsGroup("How the table is read (guessed, where it is not given):")
    .option(`--${prefix}delimiter <CHAR>`, "between cells: one character, or comma, semicolon, tab or bar")
    .option(`--${prefix}quote <CHAR>`, "around cells with delimiters in them; none where quotes are text")
    .option(`--${prefix}escape <CHAR>`, "before a quote that is text, such as \\; none where it is doubled")
    .option(`--${prefix}comment <CHAR>`, "at the start of lines that are left out")
    .option(`--${prefix}encoding <NAME>`, "of the text: utf-8, windows-1252, koi8-r, cp850, macintosh …")
    .option(`--${prefix}sheet <NAME>`, "of a workbook")
    .option(`--${prefix}header-row <N>`, "row that names the columns, as the file counts; none where none does")
    .option(`--${prefix}skip-rows <N>`, "rows to leave out below the header; without a header, at the start");
}
