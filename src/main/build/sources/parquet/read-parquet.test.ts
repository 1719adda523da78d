import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { indexSource } from "../index-source.ts";
import { readSomeRows } from "../read-rows.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-parquet-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(columnData: ColumnSource[], schema?: SchemaElement[]) {
  const path = join(folder, "content");
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData, ...(schema && { schema }) })));
  const last = (await Array.fromAsync(indexSource(path, "rows.parquet"))).at(-1);
  if (last?.phase !== "indexed") throw new Error("The reading ended without an index.");
  const rows = await readSomeRows(join(folder, last.index.content), last.index, 1, 20);
  return { source: last.index, cells: rows.map((row) => row.cells), rows };
}

/** One column that is stored as plain numbers or bytes, and means something else by its schema. */
async function readColumn(data: ColumnSource["data"], element: Omit<SchemaElement, "name" | "repetition_type">) {
  const leaf: SchemaElement = { name: "value", repetition_type: "REQUIRED", ...element };
  const schema: SchemaElement[] = [{ name: "root", num_children: 1 }, leaf];
  return (await read([{ name: "value", data }], schema)).cells.map(([cell]) => cell);
}

it("a Parquet file gives its rows with all digits, and nested values by their path", async () => {
  const { source, cells } = await read([
    { name: "id", data: [9007199254740993n, 2n], type: "INT64" },
    { name: "text", data: ["a", null], type: "STRING", nullable: true },
    { name: "meta", data: [{ lang: "en" }, { lang: "de" }], type: "JSON" },
    { name: "at", data: [new Date("2024-05-01T00:00:00Z"), new Date("2024-05-02T01:00:00.250Z")], type: "TIMESTAMP" },
  ]);
  expect(source).toMatchObject({ kind: "parquet", rowCount: 2, columns: ["id", "text", "meta.lang", "at"] });
  expect(cells).toEqual([
    ["9007199254740993", "a", "en", "2024-05-01T00:00:00Z"],
    ["2", "", "de", "2024-05-02T01:00:00.250Z"],
  ]);
});

it("its values keep their types", async () => {
  const { rows } = await read([
    { name: "n", data: [1.5, null], type: "DOUBLE", nullable: true },
    { name: "ok", data: [false, true], type: "BOOLEAN" },
    { name: "tags", data: [["a", "b"], []], type: "JSON" },
  ]);
  expect(rows.map(({ values }) => values)).toEqual([
    [1.5, false, ["a", "b"]],
    [null, true, []],
  ]);
});

it("its decimals keep their scale, however they are stored", async () => {
  const decimal = { converted_type: "DECIMAL", scale: 2, precision: 9 } as const;
  const numbers = [12.3, 0.05, -7];
  const printed = ["12.30", "0.05", "-7.00"];
  expect(await readColumn(numbers, { ...decimal, type: "INT32" })).toEqual(printed);
  expect(await readColumn(numbers, { ...decimal, type: "FIXED_LEN_BYTE_ARRAY", type_length: 5 })).toEqual(printed);
});

it("a timestamp without a zone gets none, and microseconds and nanoseconds are kept", async () => {
  const local = (unit: "MICROS" | "NANOS") =>
    ({ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit } }) as const;
  expect(await readColumn([1n, -1n], local("MICROS"))).toEqual([
    "1970-01-01T00:00:00.000001",
    "1969-12-31T23:59:59.999999",
  ]);
  expect(await readColumn([1_700_000_000_123_456_789n], local("NANOS"))).toEqual(["2023-11-14T22:13:20.123456789"]);
});

it("bytes are text where all of a column are, and base64 otherwise", async () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  expect(await readColumn([encode("Zürich"), encode("A")], { type: "BYTE_ARRAY" })).toEqual(["Zürich", "A"]);
  expect(await readColumn([Uint8Array.of(0, 255), encode("A")], { type: "BYTE_ARRAY" })).toEqual(["AP8=", "QQ=="]);
});
