import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CsvReadOptions, type CsvRecord, readCsvRecords } from "./csv-records.ts";
import { plainDialect } from "./csv-scanner.ts";

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-csv-"));
  path = join(folder, "content");
});
afterAll(() => rm(folder, { recursive: true }));

async function readAll(options: CsvReadOptions): Promise<CsvRecord[]> {
  return (await Array.fromAsync(readCsvRecords(path, options))).flat();
}

const cell = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", "é") }),
);

it("gives every cell as it was written, whatever the window, and can start after any record", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ row: fc.tuple(cell, cell, cell), blank: fc.nat(2) }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom(",", ";", "\t", "|"),
      fc.integer({ min: 16, max: 200 }),
      async (table, lineEnd, delimiter, windowBytes) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = table.map(({ row, blank }) => lineEnd.repeat(blank) + row.map(quote).join(delimiter) + lineEnd);
        await writeFile(path, lines.join(""));
        const records = await readAll({ dialect: { ...plainDialect, delimiter }, start: 0, windowBytes });
        const wellFormed = table.map(({ row }) => row.map((text) => text.toWellFormed()));
        expect(records.map(({ cells }) => cells)).toEqual(wellFormed);
        expect(records.map(({ blankLines }) => blankLines)).toEqual(table.map(({ blank }) => blank));
        expect(records.every(({ fault }) => fault === null)).toBe(true);
        const middle = records[Math.floor(records.length / 2)];
        const rest = await readAll({ dialect: { ...plainDialect, delimiter }, start: middle?.end ?? 0, windowBytes });
        expect(rest).toEqual(records.slice(Math.floor(records.length / 2) + 1));
      },
    ),
    { numRuns: 60 },
  );
});

it("takes a record beyond the longest one for a broken line, and goes on after it", async () => {
  await writeFile(path, `a,"${"x\n".repeat(300)}\nb,c\nd,e\n`);
  const records = await readAll({ dialect: plainDialect, start: 0, windowBytes: 32, maxRecordBytes: 128 });
  expect(records[0]).toMatchObject({ cells: ['a,"x'] });
  expect(records[0]?.fault).toContain("not closed");
  expect(records.slice(-2).map(({ cells }) => cells)).toEqual([
    ["b", "c"],
    ["d", "e"],
  ]);
});

it("ends at any bytes, without hanging and without losing its position", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 8, max: 64 }), async (bytes, windowBytes) => {
      await writeFile(path, bytes);
      const records = await readAll({ dialect: plainDialect, start: 0, windowBytes, maxRecordBytes: 64 });
      const ends = records.map(({ end }) => end);
      expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
      expect(ends.at(-1) ?? 0).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 60 },
  );
});
