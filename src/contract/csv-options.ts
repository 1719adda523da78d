import { z } from "zod";

export const csvDelimiters = [",", ";", "\t"] as const;

/** How a CSV file is written: UTF-8 with commas by default, and formulas as text. */
export const csvOptionsSchema = z.object({
  /** A byte-order mark, by which Excel recognises UTF-8. */
  byteOrderMark: z.boolean().optional(),
  delimiter: z.enum(csvDelimiters).optional(),
  /** Whether numbers have a comma before their decimals. */
  decimalComma: z.boolean().optional(),
  /** Whether an apostrophe precedes text that a spreadsheet would read as a formula; default: true. */
  escapeFormulas: z.boolean().optional(),
});
export type CsvOptions = z.infer<typeof csvOptionsSchema>;

/** What Excel opens by a double click: its fields are divided by a semicolon where a comma precedes decimals. */
export function excelCsvOptions(locale?: string): CsvOptions {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const decimalComma = parts.some(({ type, value }) => type === "decimal" && value === ",");
  return { byteOrderMark: true, delimiter: decimalComma ? ";" : ",", decimalComma };
}
