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

/**
 * What Excel opens by a double click, as Windows has the locale by default: its decimal mark, and its list separator, which
 * does not follow from it. Swiss German has semicolons and decimal points.
 */
export function excelCsvOptions(locale?: string): CsvOptions {
  const format = new Intl.NumberFormat(locale);
  const decimalComma = format.formatToParts(1.5).some(({ type, value }) => type === "decimal" && value === ",");
  return { byteOrderMark: true, delimiter: findListSeparator(format.resolvedOptions().locale), decimalComma };
}

/** Languages whose list separator is a semicolon in Windows; of all others it is a comma. */
const semicolonLanguages: ReadonlySet<string> = new Set(
  (
    "af ar az ba be bg br bs ca co cs da de dsb el es et eu fa fi fo fr fy gl gsw hr hsb hu hy id is it ka kk kl ky lb lt lv mk " +
    "mn nb nl nn no oc pl ps pt rm ro ru sah se sk sl sq sr sv tg tk tr tt ug uk ur uz wo"
  ).split(" "),
);
/** Regions that differ from their language. */
const otherRegions: ReadonlySet<string> = new Set(
  "en-ZA es-DO es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-SV es-US es-419".split(" "),
);

function findListSeparator(locale: string): "," | ";" {
  const { language, region } = new Intl.Locale(locale).maximize();
  const isSemicolon = semicolonLanguages.has(language) !== otherRegions.has(`${language}-${region}`);
  return isSemicolon ? ";" : ",";
}
