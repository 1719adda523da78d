import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { writeCsv } from "../../src/main/exports/csv.ts";
import { writeXlsx } from "../../src/main/exports/xlsx.ts";
import { measureServiceMemory } from "./memory.ts";

/** Most memory at the end, as a multiple of that before. */
const most = 1.3;

test("two minutes after four minutes of load, a service has at most 1.3 times the memory that it had after its warm-up", async () => {
  const memory = await measureServiceMemory({ warmUp: 30_000, load: 240_000, idle: 120_000 });
  process.stdout.write(`${JSON.stringify(memory)}\n`);
  expect(memory.idle / memory.warm).toBeLessThanOrEqual(most);
});

interface TableRow {
  readonly customId: string;
  readonly cells: readonly (string | number)[];
}

const words = "The parcel reached the harbour three days late, and nobody could say where it had been. ";
const columns = ["id", "letter", "stars"].map((name, at) => ({
  name,
  read: ({ cells }: TableRow) => cells[at] ?? null,
}));

async function* makeRows(rows: number): AsyncGenerator<TableRow[]> {
  for (let from = 0; from < rows; from += 1_000) {
    const cells = (row: number) => [`r-${row}`, `Letter ${row}: ${words}`, row % 7];
    yield Array.from({ length: 1_000 }, (_, at) => ({ customId: "", cells: cells(from + at) }));
  }
}

const importedSchema = z.object({
  before: z.number(),
  most: z.number(),
  idle: z.number(),
  usedBefore: z.number(),
  usedIdle: z.number(),
});

test.each([
  { name: "letters.xlsx", rows: 100_000, write: (rows: number) => writeXlsx(columns, makeRows(rows)) },
  { name: "letters.csv", rows: 1_000_000, write: (rows: number) => writeCsv(columns, makeRows(rows)) },
])(
  "two minutes after Build has read $name with $rows rows, the memory for it is given back",
  async ({ name, rows, write }) => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-import-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, name);
    await pipeline(Readable.from(write(rows)), createWriteStream(path));
    const script = join(import.meta.dirname, "import-memory.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script, path, "120"]);
    const memory = importedSchema.parse(JSON.parse(stdout));
    process.stdout.write(`${name}: ${stdout}`);
    // The first ratio also counts freed memory that the C library keeps.
    const ratios = [memory.idle / memory.before, memory.usedIdle / memory.usedBefore];
    expect(Math.min(...ratios)).toBeLessThanOrEqual(most);
  },
);
