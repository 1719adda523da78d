import { z } from "zod";
import { csvChoiceSchema } from "#contract";
import { type FlagsOf, flag, inGroup, toggle } from "./flag.ts";
import { text, wholeNumber } from "./flag-types.ts";

const named: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t", "\\t": "\t", bar: "|" };
const characterExpected = "one character, or comma, semicolon, tab or bar";
const signExpected = "one visible character of ASCII, or none";
const rowExpected = "the number of a row, or none";

const character = z
  .string()
  .transform((typed) => named[typed] ?? typed)
  .refine((typed) => csvChoiceSchema.safeParse({ delimiter: typed }).success, characterExpected);
const sign = z
  .string()
  .transform((typed) => (typed === "none" ? null : typed))
  .refine((typed) => csvChoiceSchema.safeParse({ quote: typed }).success, signExpected);
const headerRow = z
  .string()
  .regex(/^([1-9]\d{0,9}|none)$/, rowExpected)
  .transform((typed) => (typed === "none" ? null : Number(typed)));

/** How a table is read, where the guess is not right. */
export const tableFlags = inGroup("How the table is read (guessed, where it is not given):", {
  delimiter: flag("<CHAR>", "between cells: one character, or comma, semicolon, tab or bar", character),
  quote: flag("<CHAR>", "around cells with delimiters in them; none where quotes are text", sign),
  escape: flag("<CHAR>", "before a quote that is text, such as \\; none where it is doubled", sign),
  comment: flag("<CHAR>", "at the start of lines that are left out", character),
  encoding: flag(
    "<NAME>",
    "of the text: utf-8, windows-1252, koi8-r, cp850, macintosh …",
    text("the name of an encoding"),
  ),
  sheet: flag("<NAME>", "of a workbook", text("the name of a sheet")),
  headerRow: flag("<N>", "row that names the columns, as the file counts; none where none does", headerRow),
  skipRows: flag(
    "<N>",
    "rows to leave out below the header; without a header, at the start",
    wholeNumber(0, 1_000_000),
  ),
  valuesAsShown: toggle("of a workbook: numbers and dates by the formats of their cells"),
  visibleRowsOnly: toggle("of a workbook: without the rows that it hides"),
});
export type TableFlags = FlagsOf<typeof tableFlags>;

type Prefixed<F> = { readonly [K in keyof F & string as `table${Capitalize<K>}`]: F[K] };

const withPrefix = (name: string) => `table${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/**
 * The same for commands that have other flags of these names: `--table-delimiter` … The cast: `Object.fromEntries` forgets
 * which name has which row.
 */
export const prefixedTableFlags = Object.fromEntries(
  Object.entries(tableFlags).map(([name, row]) => [withPrefix(name), row]),
) as unknown as Prefixed<typeof tableFlags>;

export function withoutPrefix(flags: FlagsOf<typeof prefixedTableFlags>): TableFlags {
  const given: Readonly<Record<string, unknown>> = flags;
  return Object.fromEntries(Object.keys(tableFlags).map((name) => [name, given[withPrefix(name)]])) as TableFlags;
}
