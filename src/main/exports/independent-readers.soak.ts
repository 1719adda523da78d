import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runNpm } from "../../../scripts/setup/npm.mjs";
import { nastyLines, nastyTable, writeNastyExports } from "./testing/nasty-exports.ts";
import { formatReadings, readingsFile } from "./testing/readings.ts";

const duckdb = "1.5.6-r.1";

/** A Python that has openpyxl. */
function findPython(): string {
  const found = ["python3", "/usr/bin/python3"].find((path) => spawnSync(path, ["-c", "import openpyxl"]).status === 0);
  if (found === undefined) throw new Error("No Python with openpyxl: apt-get install python3-openpyxl installs one.");
  return found;
}

/** The cells of a Parquet file as DuckDB has them: null, or their type and value. */
async function readWithDuckDb(folder: string, path: string) {
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--no-save"];
  const { code, output } = await runNpm(["install", ...flags, `@duckdb/node-api@${duckdb}`], { quiet: true });
  if (code !== 0) throw new Error(output);
  const entry = join(folder, "node_modules", "@duckdb", "node-api", "lib", "index.js");
  const { DuckDBInstance } = await import(pathToFileURL(entry).href);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const file = `read_parquet('${path}')`;
    const types = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${file}`);
    const described = types.getRows() as [column: string, type: string][];
    // As hexadecimal digits: the client's decoder of texts takes a mark of their byte order away.
    const wanted = described.map(([name, type]) => {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      return type === "VARCHAR" ? `hex(${quoted})` : quoted;
    });
    const reader = await connection.runAndReadAll(`SELECT ${wanted.join(", ")} FROM ${file}`);
    const rows: unknown[][] = reader.getRows();
    return {
      columns: described.map(([name]) => name),
      types: Object.fromEntries(described),
      rows: rows.map((row) => row.map(toTyped)),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function toTyped(cell: unknown) {
  if (cell === null) return null;
  if (typeof cell === "bigint") return ["integer", String(cell)];
  if (typeof cell === "number") return ["double", cell];
  if (typeof cell === "boolean") return ["boolean", cell];
  return ["text", Buffer.from(String(cell), "hex").toString()];
}

test("Python and DuckDB agree with every export, cell by cell, and read what they read before", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-readers-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const exports = await writeNastyExports();
  for (const [name, bytes] of exports) await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, "answers.jsonl"), nastyLines.map((line) => `${line}\n`).join(""));
  await writeFile(join(folder, "table.json"), JSON.stringify(nastyTable));
  const parquet = await readWithDuckDb(folder, join(folder, "table.parquet"));
  await writeFile(join(folder, "parquet.json"), JSON.stringify(parquet));
  const { problems, readings } = readWithPython(folder);
  expect(problems).toEqual([]);
  // With `-u` it is written anew.
  await expect(formatReadings(readings)).toMatchFileSnapshot(readingsFile);

  // A comparison that finds nothing may compare nothing: one wrong character in each file is found.
  for (const name of [...exports.keys(), "parquet.json"].filter((name) => /\.(csv|jsonl|json)$/.test(name))) {
    const sound = await readFile(join(folder, name), "utf8");
    for (const [from, to] of [
      ["Oslo", "Osl0"],
      [/0[.,]30000000000000004/, "0.3"],
      ["9223372036854775808", "9223372036854775807"],
    ] as const) {
      await writeFile(join(folder, name), sound.replace(from, to));
      expect([name, from, readWithPython(folder).problems.length > 0]).toEqual([name, from, true]);
    }
    await writeFile(join(folder, name), sound);
  }
});

/** What Python reads in a folder, and with what it disagrees. */
function readWithPython(folder: string) {
  const script = join(import.meta.dirname, "testing", "read-exports.py");
  const found = spawnSync(findPython(), [script, folder], { encoding: "utf8", maxBuffer: 2 ** 28 });
  expect([found.status, found.stderr]).toEqual([0, ""]);
  return JSON.parse(found.stdout);
}
