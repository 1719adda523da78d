import { foldText } from "#contract";

/** Whether a text is cells of a spreadsheet, which are apart by tabs and line ends, and not a list with commas. */
export function isOfCells(text: string): boolean {
  return /[\t\r\n]/.test(text);
}

/** A cell that holds a tab, a line end or a quotation mark is quoted. */
const cells = /(?:^|[\t\n])(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))/g;

/** The values of pasted cells without blank ones. */
export function readPastedCells(text: string): string[] {
  return [...text.replaceAll(/\r\n?/g, "\n").matchAll(cells)]
    .map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? "").trim())
    .filter((cell) => cell !== "");
}

/** Values each once, as filters compare them; the first writing of each stays. */
export function unlikeValues(values: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const value of values) if (!known.has(foldText(value))) known.set(foldText(value), value);
  return [...known.values()];
}
