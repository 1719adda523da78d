import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvChoiceSchema, describeNotes, type SourceLayout } from "#contract";
import { BuildError } from "../errors.ts";
import { compileRequestTemplate } from "../rendering/request-template.ts";
import { questionTemplate } from "../testing/build-fixture.ts";
import { listOddTables, nameOddTable, type OddTable, tablesFolder } from "../testing/odd-tables.ts";
import { findEncoding } from "./encodings.ts";
import { indexSource } from "./index-source.ts";
import { readRows } from "./read-rows.ts";
import type { Row } from "./stored-source.ts";

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

function toLayout({
  encoding = "",
  sheet = null,
  ...csv
}: OddTable["options"] & { sheet?: string | null }): SourceLayout {
  return { csv: csvChoiceSchema.strict().parse(csv), encoding: findEncoding(encoding) ?? null, sheet };
}

/** Reads a table, and fills a prompt of all columns that it should have with the rows that are compared. */
async function read({ file, options, header = [], cells }: OddTable): Promise<ReadTable> {
  const path = join(folder, "content");
  await copyFile(join(tablesFolder, file), path);
  const last = (await Array.fromAsync(indexSource(path, file, toLayout(options)))).at(-1);
  if (last?.phase !== "indexed") throw new Error("The reading ended without an index.");
  const { index } = last;
  if (index.rowCount === 0) throw new BuildError("refused", "The table has no rows.");
  const content = header.map(placeholder).join(separator);
  const template = compileRequestTemplate(questionTemplate({ messages: [{ role: "user", content }] }), index.columns);
  const textsOf = (row: Row): string[] =>
    JSON.parse(template.render(row).line ?? "").body.messages[0].content.split(separator);
  const rows = new Map<number, readonly string[]>();
  const isCompared = (row: number) => `${row}` in cells || row === index.rowCount - 1;
  for await (const batch of readRows(join(folder, index.content), index)) {
    for (const row of batch.filter(({ fault }) => fault === null)) {
      rows.set(row.number - 1, isCompared(row.number - 1) ? textsOf(row) : []);
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
    it(`${nameOddTable(table)} · ${table.kind}`, () => expectRight(table));
  }
});
