import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { type Cell, textOf } from "./cells.ts";
import type { ColumnType, ExportColumn, StoredRow } from "./columns.ts";

/** Most rows and characters of a row group: that much is in memory at a time. */
const groupRows = 5_000;
const groupLength = 4 * 1024 * 1024;

const parquetTypes = { text: "STRING", integer: "INT64", decimal: "DOUBLE", boolean: "BOOLEAN" } as const;

/** Parquet: numbers and booleans as such where a column has nothing else, lists and objects as JSON text. */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly StoredRow[]>,
): AsyncGenerator<Uint8Array> {
  const newGroup = () =>
    columns.map(({ name, type }) => ({ name, type: parquetTypes[type], nullable: true, data: [] as Value[] }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: newGroup() }) });
  let group = newGroup();
  let count = 0;
  let length = 0;

  function add(row: StoredRow): void {
    for (const [at, { read, type }] of columns.entries()) {
      const value = toValue(read(row), type);
      group[at]?.data.push(value);
      if (typeof value === "string") length += value.length;
    }
    count += 1;
  }

  /** The bytes that were written since the last time. */
  function takeBytes(): Uint8Array {
    const bytes = new Uint8Array(writer.buffer.slice(0, writer.index));
    writer.index = 0;
    return bytes;
  }

  async function writeGroup(): Promise<Uint8Array> {
    await file.write({ columnData: group, rowGroupSize: count });
    group = newGroup();
    count = 0;
    length = 0;
    return takeBytes();
  }

  for await (const some of rows) {
    for (const row of some) {
      add(row);
      if (count >= groupRows || length >= groupLength) yield await writeGroup();
    }
  }
  if (count > 0) yield await writeGroup();
  await file.finish();
  yield takeBytes();
}

type Value = string | number | bigint | boolean | null;

function toValue(cell: Cell, type: ColumnType): Value {
  if (cell === null) return null;
  if (type === "integer") return BigInt(textOf(cell));
  if (type === "decimal") return Number(textOf(cell));
  return typeof cell === "boolean" && type === "boolean" ? cell : textOf(cell);
}
