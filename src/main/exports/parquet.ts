import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { type Cell, textOf } from "./cells.ts";
import type { ColumnType, ExportColumn } from "./columns.ts";
import type { ExportRow } from "./export-row.ts";

/** Most rows and characters of a row group: that much is in memory at a time. */
const groupRows = 10_000;
const groupLength = 16 * 1024 * 1024;

const parquetTypes = { text: "STRING", integer: "INT64", decimal: "DOUBLE", boolean: "BOOLEAN" } as const;

/** Parquet: numbers and booleans as such where a column has nothing else, lists and objects as JSON text. */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<ExportRow>,
): AsyncGenerator<Uint8Array> {
  const specs = columns.map(({ name, type }) => ({ name, type: parquetTypes[type], nullable: true }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: withData([]) }) });
  let group: ExportRow[] = [];
  let length = 0;

  function withData(of: readonly ExportRow[]) {
    return specs.map((spec, at) => ({
      ...spec,
      data: of.map((row) => toValue(columns[at]?.read(row) ?? null, columns[at]?.type)),
    }));
  }

  /** The bytes that were written since the last time. */
  function takeBytes(): Uint8Array {
    const bytes = new Uint8Array(writer.buffer.slice(0, writer.index));
    writer.index = 0;
    return bytes;
  }

  async function writeGroup(): Promise<Uint8Array> {
    await file.write({ columnData: withData(group), rowGroupSize: group.length });
    group = [];
    length = 0;
    return takeBytes();
  }

  for await (const row of rows) {
    group.push(row);
    length +=
      (row.answer?.length ?? 0) +
      (row.question?.length ?? 0) +
      (row.cells?.reduce((sum, cell) => sum + cell.length, 0) ?? 0);
    if (group.length >= groupRows || length >= groupLength) yield await writeGroup();
  }
  if (group.length > 0) yield await writeGroup();
  await file.finish();
  yield takeBytes();
}

function toValue(cell: Cell, type: ColumnType | undefined): string | number | bigint | boolean | null {
  if (cell === null) return null;
  if (type === "integer") return BigInt(textOf(cell));
  if (type === "decimal") return Number(textOf(cell));
  return typeof cell === "boolean" && type === "boolean" ? cell : textOf(cell);
}
