/**
 * How long a table takes from its last byte to the count of its rows, each time in a new process: CSV beside one pass that
 * only looks for quotes and line ends, then the same rows as XLSX. `npm run bench -- tables 20000` takes fewer rows.
 */
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { writeCsv } from "../../src/main/exports/csv.ts";
import { writeXlsx } from "../../src/main/exports/xlsx.ts";
import { median } from "../statistics.ts";

const rows = Number(process.argv[3] ?? 1_000_000);
const rounds = 3;
const words = "The parcel reached the harbour three days late, and nobody could say where it had been. ";
const folder = await mkdtemp(join(tmpdir(), "sheaf-tables-"));

interface TableRow {
  readonly customId: string;
  readonly cells: readonly (string | number)[];
}

const columns = ["id", "letter", "stars", "city"].map((name, at) => ({
  name,
  read: ({ cells }: TableRow) => cells[at] ?? null,
}));

async function* makeRows(): AsyncGenerator<TableRow[]> {
  for (let from = 0; from < rows; from += 1_000) {
    yield Array.from({ length: Math.min(1_000, rows - from) }, (_, at) => {
      const row = from + at;
      return { customId: "", cells: [`line-${row}`, `${words}${words.slice(0, 15)}said "${row}"`, row % 5, "Oslo"] };
    });
  }
}

/** The floor: each byte is looked at once. */
async function countLines(path: string): Promise<number> {
  let lines = 0;
  let isQuoted = false;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes: Uint8Array = piece;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 0x22) isQuoted = !isQuoted;
      else if (byte === 0x0a && !isQuoted) lines += 1;
    }
  }
  return lines;
}

const takenSchema = z.object({
  milliseconds: z.number(),
  processor: z.number(),
  rows: z.number(),
  megabytes: z.number(),
});

async function readTable(path: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "read.ts"), path]);
  const taken = takenSchema.parse(JSON.parse(stdout));
  if (taken.rows !== rows) throw new Error(`${taken.rows} rows were counted in place of ${rows}.`);
  return taken;
}

async function measure(path: string): Promise<void> {
  const size = `${((await stat(path)).size / 1e6).toFixed(0)} MB`;
  const taken: z.infer<typeof takenSchema>[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await countLines(path);
    const floor = performance.now() - start;
    const read = await readTable(path);
    taken.push(read);
    ratios.push(read.milliseconds / floor);
  }
  const inSeconds = (times: readonly number[]) => (median(times) / 1_000).toFixed(2);
  const seconds = inSeconds(taken.map(({ milliseconds }) => milliseconds));
  const processor = inSeconds(taken.map((read) => read.processor));
  const megabytes = Math.max(...taken.map((read) => read.megabytes)).toFixed(0);
  const ofFloor = path.endsWith(".csv") ? `, ${median(ratios).toFixed(1)} × one pass over its bytes` : "";
  console.log(
    `${path.split(".").at(-1)}, ${size}: ${seconds} s, processor ${processor} s${ofFloor}, ${megabytes} MB of memory at most`,
  );
}

try {
  const [csv, xlsx] = [join(folder, "table.csv"), join(folder, "table.xlsx")];
  await pipeline(Readable.from(writeCsv(columns, makeRows())), createWriteStream(csv));
  await pipeline(Readable.from(writeXlsx(columns, makeRows())), createWriteStream(xlsx));
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load}, ${rows} rows`,
  );
  for (const path of [csv, xlsx]) await measure(path);
} finally {
  await rm(folder, { recursive: true });
}
