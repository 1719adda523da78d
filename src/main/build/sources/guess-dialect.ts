import type { CsvLayout } from "#contract";
import { type CsvDialect, createCsvScanner, plainDialect } from "./csv-scanner.ts";
import { isDate, isNumber } from "./guess-types.ts";
import { rateHeader } from "./rate-header.ts";

/** How many records decide how a table is written. */
export const sampleRecords = 200;
const delimiters = [",", ";", "\t", "|", "\u001f", "\u0001"] as const;

/** A record of the sample. Blank lines are records without cells. */
export interface SampleRecord {
  readonly cells: readonly string[];
  readonly isBroken: boolean;
  /** The cells that have quotes around them, by their number. */
  readonly quoted: ReadonlySet<number>;
}

/** The first records of a sample in a dialect, blank lines and comments among them; `isWhole` where the text ends with it. */
export function cutSample(sample: Buffer, dialect: CsvDialect, isWhole: boolean): SampleRecord[] {
  const scanner = createCsvScanner(dialect);
  const records: SampleRecord[] = [];
  const blank: SampleRecord = { cells: [], isBroken: false, quoted: new Set() };
  for (let at = 0; records.length < sampleRecords; at = scanner.end) {
    const found = scanner.next(sample, at, isWhole);
    if (found !== "record" && found !== "broken") break;
    for (let line = scanner.blankLines + scanner.comments; line > 0; line--) records.push(blank);
    const places = Array.from({ length: scanner.width }, (_, cell) => cell);
    records.push({
      cells: places.map((cell) => scanner.text(sample, cell)),
      isBroken: found === "broken",
      quoted: new Set(places.filter((cell) => scanner.isQuoted(cell))),
    });
  }
  return records;
}

/** A text whose records are less alike than that is no table. */
const leastScore = 0.5;

interface Rated {
  readonly dialect: CsvDialect;
  /** From 0 to 1: how many records have the same number of cells, and how much these look like cells. */
  readonly score: number;
  readonly width: number;
  /** How many records have a quote that is wrong in this dialect. */
  readonly broken: number;
  /** How many cells below the first row are neither empty nor numbers. */
  readonly texts: number;
  /** How many cells have quotes around them. */
  readonly quoted: number;
}

/** The records of a table below a few titles of one cell each; all of them where there are none. */
function withoutTitles(
  records: readonly SampleRecord[],
  width: number,
  rateCells: (records: readonly SampleRecord[]) => number,
): readonly SampleRecord[] {
  const start = records.findIndex(({ cells }) => cells.length > 1);
  const table = records.slice(Math.max(0, start));
  const isTable = start > 0 && table.length > 2 && table.length * 2 >= records.length;
  if (!isTable || table.some(({ cells }) => cells.length !== width)) return records;
  // One column of texts with a delimiter in each has the name of the column for a title.
  const [header = [], ...rows] = table.map(({ cells }) => cells.map((cell) => cell.trim()));
  return rateHeader(header, rows) > 0 || rateCells(table) > 0.95 ? table : records;
}

/** The number of cells of most records. */
function findWidth(records: readonly SampleRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** How much a text looks like a whole cell, from 0 to 1: less where it starts with a space or has another delimiter in it. */
function rateCell(text: string, isQuoted: boolean, delimiter: string): number {
  if (isQuoted || text === "") return 1;
  const isValue = isNumber(text.trim()) || isDate(text.trim());
  if (text.startsWith(" ")) return isValue ? 0.6 : 0.3;
  if (isValue) return 1;
  return delimiters.some((other) => other !== delimiter && text.includes(other)) ? 0.7 : 0.95;
}

/** Rates what a dialect makes of a sample. A delimiter that doesn't cut the first row of the table is none. */
function rate(sample: Buffer, dialect: CsvDialect, isWhole: boolean): Rated {
  const records = cutSample(sample, dialect, isWhole).filter(({ cells }) => cells.length > 0);
  // Lines that begin with a number sign are comments or notes, whether or not they are left out later.
  const start = records.findIndex(({ cells }) => !cells[0]?.startsWith("#"));
  const sound = records.slice(Math.max(0, start)).filter(({ isBroken }) => !isBroken);
  const broken = records.filter(({ isBroken }) => isBroken).length;
  const rateCells = (some: readonly SampleRecord[]) => {
    const rates = some.flatMap(({ cells, quoted }) =>
      cells.map((cell, at) => rateCell(cell, quoted.has(at), dialect.delimiter)),
    );
    return rates.reduce((sum, value) => sum + value, 0) / Math.max(1, rates.length);
  };
  const width = findWidth(sound);
  const table = withoutTitles(sound, width, rateCells);
  const first = table[0]?.cells.length ?? 0;
  const texts = table.slice(1).flatMap(({ cells }) => cells.filter((cell) => cell !== "" && !isNumber(cell.trim())));
  const quoted = records.reduce((sum, record) => sum + record.quoted.size, 0);
  const found = { dialect, width, broken, texts: texts.length, quoted };
  // Spaces are text, unless quotes come after them.
  if (first < 2 || (dialect.trim && quoted === 0)) return { ...found, score: 0 };
  if (width < 2) return { ...found, score: 0.1, width: first };
  const fitting = table.filter(({ cells }) => cells.length === width);
  const fit = fitting.length / (table.length + broken);
  // Titles above a table may as well be its header, which this delimiter does not cut.
  return { ...found, score: fit * rateCells(fitting) * (table.length < sound.length ? 0.75 : 1) };
}

/** What is known of a dialect already. */
export type KnownDialect = { readonly [Name in keyof CsvDialect]?: CsvDialect[Name] | undefined };

/**
 * Guesses how a table of text is written, from its first part: candidates cut it, and the one wins whose records are most
 * alike, first row included. What is known is not guessed. `name` decides between delimiters where none of them cuts.
 */
export function guessDialect(sample: Buffer, isWhole: boolean, name: string, known: KnownDialect = {}): CsvDialect {
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const base: CsvDialect = { ...plainDialect, ...given };
  const rateOf = (changes: Partial<CsvDialect>) => rate(sample, { ...base, ...changes, ...given }, isWhole);
  const found = known.delimiter ?? guessDelimiter(sample, isWhole, name, rateOf);
  const plain = rateOf({ delimiter: found });
  let best = plain;
  for (const variant of [{ escape: "\\" }, { trim: true }, { trim: true, escape: "\\" }]) {
    const rated = rateOf({ delimiter: found, ...variant });
    const losesFewer = rated.broken < best.broken && rated.score >= best.score - 0.05;
    const quotesMore = !("escape" in variant) && rated.score >= best.score - 0.02 && rated.quoted > best.quoted;
    if (rated.broken <= best.broken && (losesFewer || quotesMore || rated.score > best.score + 0.02)) best = rated;
  }
  if (best.quoted > 0 || best.broken > 0) return best.dialect;
  const single = rateOf({ delimiter: found, quote: "'" });
  const isQuoted = single.broken === 0 && single.score >= best.score && single.quoted * 2 > single.texts;
  return (isQuoted ? single : best).dialect;
}

function guessDelimiter(
  sample: Buffer,
  isWhole: boolean,
  name: string,
  rateOf: (changes: Partial<CsvDialect>) => Rated,
): CsvLayout["delimiter"] {
  const preferred = /\.(tsv|tab)$/i.test(name) ? "\t" : ",";
  const candidates = [preferred, ...delimiters.filter((delimiter) => delimiter !== preferred)];
  // A file that is named as a table is cut, however badly; any other may have texts, one on each line.
  const least = /\.(csv|tsv|tab)$/i.test(name) ? 0 : leastScore;
  let best = { delimiter: "", score: least, width: 1 };
  for (const delimiter of candidates) {
    // Quotes may be written in another way than usual: what matters here is what lies between the delimiters.
    const variants = [rateOf({ delimiter }), rateOf({ delimiter, escape: "\\" }), rateOf({ delimiter, trim: true })];
    const { score, width } = variants.reduce((a, b) => (b.score > a.score ? b : a));
    const isWider = score > Math.max(least, best.score - 0.02) && width > best.width;
    if (score > best.score + 0.02 || isWider) best = { delimiter, score, width };
  }
  // A delimiter that none of the texts has leaves them whole.
  const leavesWhole = (delimiter: string) =>
    cutSample(sample, { ...plainDialect, delimiter }, isWhole).every(({ cells }) => cells.length < 2);
  return best.delimiter || (candidates.find(leavesWhole) ?? "\u001f");
}
