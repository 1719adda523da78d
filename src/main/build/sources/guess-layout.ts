import type { CsvChoice, CsvLayout } from "#contract";
import { type CsvDialect, plainDialect } from "./csv-scanner.ts";
import { cutSample, guessDialect } from "./guess-dialect.ts";
import { guessHeader } from "./guess-header.ts";

/** The first part of a table of UTF-8 text. */
export interface CsvSample {
  readonly bytes: Buffer;
  /** Whether it is the whole table. */
  readonly isWhole: boolean;
  /** The file's name, which decides where the content does not. */
  readonly name: string;
}

/** A line at the start that tells Excel the delimiter. */
const separatorLine = /^"?sep=(.)"?\r?\n/i;

export interface GuessedLayout {
  readonly csv: CsvLayout;
  /** Whether the first row may be data as well as a header. */
  readonly isDoubtful: boolean;
}

/** Guesses how a table of text is laid out, but for what is chosen. */
export function guessLayout(sample: CsvSample, choice: CsvChoice): GuessedLayout {
  const separator = separatorLine.exec(sample.bytes.toString("utf8", 0, 20));
  const { header: _, skip: __, ...known } = choice;
  const rest = sample.bytes.subarray(Buffer.byteLength(separator?.[0] ?? ""));
  const delimiter = known.delimiter ?? separator?.[1];
  const dialect = guessDialect(rest, sample.isWhole, sample.name, { ...known, delimiter });
  const rows = cutSample(rest, dialect, sample.isWhole).map(({ cells }) => cells);
  return findHeader(rows, dialect, choice, separator === null ? 0 : 1);
}

/** The same for a sheet of a workbook, by its first rows. */
export function guessSheetLayout(rows: readonly (readonly string[])[], choice: CsvChoice): GuessedLayout {
  return findHeader(rows, plainDialect, choice, 0);
}

function findHeader(
  rows: readonly (readonly string[])[],
  dialect: CsvDialect,
  choice: CsvChoice,
  linesAbove: number,
): GuessedLayout {
  const guessed = guessHeader([...Array.from({ length: linesAbove }, () => []), ...rows]);
  const header = choice.header === undefined ? guessed.header : choice.header;
  // What is above the header stays left out without it.
  const above = Math.max(guessed.header === null ? guessed.skip : guessed.header - 1, linesAbove);
  const skip = choice.skip ?? (header === null ? above : header === guessed.header ? guessed.skip : 0);
  return { csv: { ...dialect, header, skip }, isDoubtful: guessed.isDoubtful && choice.header === undefined };
}
