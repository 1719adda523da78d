import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeNotes, encodingSchema, type SourceLayout } from "#contract";
import { BuildError } from "../errors.ts";
import { compileRequestTemplate } from "../rendering/request-template.ts";
import { questionTemplate } from "../testing/build-fixture.ts";
import { listOddTables, nameOddTable, type OddTable, tablesFolder } from "../testing/odd-tables.ts";
import { indexSource } from "./index-source.ts";
import { readRows } from "./read-rows.ts";

/** Tables that are not read right yet. The test fails for one that is, so that it is taken off the list. */
const unread: readonly string[] = [
  "backslash-escaped-quotes.csv",
  "cp850-msdos.csv cp850",
  "header-with-dots.csv",
  "header-with-line-break.csv",
  "header-with-years.csv",
  "koi8r.csv",
  "koi8r.csv koi8-r",
  "macroman.csv macintosh",
  "nul-padded-cells.csv",
  "one-column-unquoted-commas.csv",
  "one-nul-even-position.csv",
  "one-nul-odd-position.csv",
  "pipes-lastname-firstname.csv",
  "qualtrics-three-header-rows.csv",
  "semicolons-3col-lastname-firstname-and-city.csv",
  "semicolons-decimal-commas.csv",
  "semicolons-lastname-firstname.csv",
  "sep-line-4-columns.csv",
  "short-cp1252.csv",
  "space-after-comma-quotes.csv",
  "survey-google-forms-questions.csv",
  "survey-long-header.csv",
  "survey-text-only-questions.csv",
  "tabs-excel-unicode-text-decimal.txt",
  "tabs-lastname-firstname.txt",
  "tis620-thai.csv windows-874",
  "unit-sep.csv ^",
  "utf8-with-one-latin1-byte.csv",
  "win1253-greek.csv",
  "win1253-greek.csv windows-1253",
  "win1254-turkish.csv windows-1254",
  "win1255-hebrew.csv",
  "win1255-hebrew.csv windows-1255",
  "win1256-arabic.csv",
  "win1256-arabic.csv windows-1256",
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-odd-tables-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface ReadTable {
  /** The texts of the rows that can be used, by their number from 0. */
  readonly rows: ReadonlyMap<number, readonly string[]>;
  readonly rowCount: number;
  readonly said: string;
}

const separator = "␟";
/** The bracket form works for every name: with dots, spaces, quotes and line breaks, too. */
const placeholder = (name: string) => `{{ [${JSON.stringify(name)}] }}`;

function toLayout(options: OddTable["options"]): SourceLayout {
  const { encoding, sheet, ...others } = options;
  if (Object.keys(others).length > 0) throw new Error(`No such choice yet: ${Object.keys(others).join(", ")}`);
  return { csv: null, encoding: encoding === undefined ? null : encodingSchema.parse(encoding), sheet: sheet ?? null };
}

/** Reads a table, and fills a prompt of all columns that it should have with each of its rows. */
async function read({ file, options, header = [] }: OddTable): Promise<ReadTable> {
  const path = join(folder, "content");
  await copyFile(join(tablesFolder, file), path);
  const last = (await Array.fromAsync(indexSource(path, file, toLayout(options)))).at(-1);
  if (last?.phase !== "indexed") throw new Error("The reading ended without an index.");
  const { index } = last;
  if (index.rowCount === 0) throw new BuildError("refused", "The table has no rows.");
  const content = header.length === 0 ? "x" : header.map(placeholder).join(separator);
  const template = compileRequestTemplate(questionTemplate({ messages: [{ role: "user", content }] }), index.columns);
  const rows = new Map<number, readonly string[]>();
  for await (const batch of readRows(join(folder, index.content), index)) {
    for (const row of batch) {
      const { line } = template.render(row);
      if (line !== null) rows.set(row.number - 1, JSON.parse(line).body.messages[0].content.split(separator));
    }
  }
  return { rows, rowCount: index.rowCount, said: describeNotes(index.notes).join("\n") };
}

async function expectRight(table: OddTable): Promise<void> {
  const { header, rows: count = 0, cells, refused, faults, says } = table;
  const found = await read(table).catch((error: unknown) => {
    if (!(error instanceof BuildError) || refused === undefined) throw error;
    expect(error.message).toMatch(new RegExp(refused, "i"));
  });
  if (found === undefined) return;
  expect(header, "the table is read, and not refused").toBeDefined();
  expect(found.rowCount).toBe(count);
  const isFaulty = (row: number) => faults.some(([from, to]) => from <= row && row <= to);
  const missing = Array.from({ length: count }, (_, row) => row).filter((row) => !found.rows.has(row));
  expect(
    missing.filter((row) => !isFaulty(row)),
    "rows that can't be used",
  ).toEqual([]);
  for (const [key, wanted] of Object.entries(cells)) {
    const row = found.rows.get(key === "last" ? count - 1 : Number(key)) ?? [];
    const compared = wanted.map((right, at) =>
      right === null || [right].flat().includes(row[at] ?? "") ? (row[at] ?? "") : [right].flat()[0],
    );
    expect(row, `row ${key}`).toEqual(compared);
  }
  if (says !== undefined) expect(found.said).toMatch(new RegExp(says, "i"));
}

describe("an odd table is read right, or refused by name", () => {
  for (const table of listOddTables()) {
    const name = nameOddTable(table);
    const test = unread.includes(name) ? it.fails : it;
    test(`${name} · ${table.kind}`, () => expectRight(table));
  }
});
