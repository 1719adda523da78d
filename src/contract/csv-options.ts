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

/** A spreadsheet runs a cell as a formula if it begins with one of these. */
const formulaStart = /^[=+\-@\t\r]/;
/** Numbers with a sign begin like a formula, and are none. */
const plainNumber = /^[+-]?(\d[\d.,' ]*%?|(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)$/;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
export function escapeFormula(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/**
 * What Excel opens by a double click, as Windows has the locale by default: its decimal mark, and its list separator, which
 * does not follow from it. Swiss German has semicolons and decimal points.
 */
export function excelCsvOptions(locale?: string): CsvOptions {
  const format = new Intl.NumberFormat(locale);
  const decimalComma = format.formatToParts(1.5).some(({ type, value }) => type === "decimal" && value === ",");
  return { byteOrderMark: true, delimiter: findListSeparator(format.resolvedOptions().locale), decimalComma };
}

/**
 * Locales whose list separator is a comma in Windows, and within their languages those with a semicolon; all others have a
 * semicolon. The table is that of .NET, which has Windows' defaults for 864 locales: byte 14 of each row of
 * `NameIndexToNumericData` in dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Globalization/IcuLocaleData.cs,
 * commit 0931fb3beae0, read on 28 November 2026. Persian, Kurdish, Dhivehi and N'Ko have Arabic marks there, by which no CSV
 * file is written: here they have a semicolon.
 */
const commaLocales: ReadonlySet<string> = new Set(
  (
    "arn as bn bo chr en es-MX es-US gn gu he hi hy iu ja km kn ko kok ks-Deva la mi mn-Mong mni moh mr ne or pa pap quc quz " +
    "sa sd-Deva swc syr ta th ug vi yue zh"
  ).split(" "),
);
const semicolonLocales: ReadonlySet<string> = new Set(
  "bo-IN en-ID ko-KP ne-IN pa-Arab swc-CD ta-LK ta-MY ta-SG zh-Hans-HK zh-Hans-MO".split(" "),
);

function findListSeparator(locale: string): "," | ";" {
  const { language, script, region } = new Intl.Locale(locale).maximize();
  const names = [`${language}-${script}-${region}`, `${language}-${region}`, `${language}-${script}`, language];
  const known = names.find((name) => commaLocales.has(name) || semicolonLocales.has(name));
  return known !== undefined && commaLocales.has(known) ? "," : ";";
}
