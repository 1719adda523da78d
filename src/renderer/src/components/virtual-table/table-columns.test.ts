import { expect, test } from "vitest";
import { columnsThatFit, listCells, nextSort, rowAfterKey, type TableColumn } from "./table-columns.ts";

test.each([
  ["ArrowDown", null, 0],
  ["ArrowDown", 3, 4],
  ["ArrowDown", 99, 99],
  ["ArrowUp", 0, 0],
  ["PageDown", 5, 25],
  ["PageUp", 5, 0],
  ["Home", 50, 0],
  ["End", null, 99],
  ["a", 5, null],
])("%s on row %s of 100 leads to %s", (key, active, expected) => {
  expect(rowAfterKey(key, active, 100, 20)).toBe(expected);
});

test("there is nowhere to go in an empty table", () => {
  expect(rowAfterKey("ArrowDown", null, 0, 20)).toBeNull();
});

test("columns leave a narrow table, the others stay in order", () => {
  const column = (id: string, hideBelow?: number): TableColumn<string> => ({
    id,
    header: id,
    track: "1fr",
    render: (row) => row,
    ...(hideBelow === undefined ? {} : { hideBelow }),
  });
  const columns = [column("name"), column("rate", 800), column("status"), column("model", 600)];
  expect(columnsThatFit(columns, 700).map(({ id }) => id)).toEqual(["name", "status", "model"]);
  expect(columnsThatFit(columns, 0)).toBe(columns);
});

test("a column can be another one in a narrow table", () => {
  const narrow = { below: 500, track: "44px", hideHeader: true, render: () => "short" };
  const column: TableColumn<string> = { id: "a", header: "a", track: "180px", narrow, render: (row) => row };
  expect(columnsThatFit([column], 500)).toEqual([column]);
  expect(columnsThatFit([column], 499)[0]).toMatchObject({ id: "a", track: "44px", hideHeader: true });
});

test("a header sorts in its first order, then in the other", () => {
  const first = nextSort(null, "created", "desc");
  expect(first).toEqual({ column: "created", order: "desc" });
  expect(nextSort(first, "created", "desc")).toEqual({ column: "created", order: "asc" });
  expect(nextSort(first, "name")).toEqual({ column: "name", order: "asc" });
});

test("a cell has the room of those after it that give it away, never of pinned ones", () => {
  const column = (id: string, more: Partial<TableColumn<string>> = {}): TableColumn<string> => {
    return { id, header: id, track: "1fr", render: (row) => row, ...more };
  };
  const isSpanned = (row: string) => row === "failed";
  const columns = [column("line"), column("a"), column("b", { isSpanned }), column("c", { isSpanned }), column("time")];
  const spansOf = (row: string | undefined, some = columns) =>
    listCells(some, row).map(({ column: { id }, span }) => [id, span]);
  expect(spansOf("failed")).toEqual([
    ["line", 1],
    ["a", 3],
    ["time", 1],
  ]);
  for (const row of ["answered", undefined]) expect(spansOf(row).map(([, span]) => span)).toEqual([1, 1, 1, 1, 1]);
  const pinned = columns.map((one) => (one.id === "a" ? { ...one, pinned: true, width: 80 } : one));
  expect(spansOf("failed", pinned).map(([, span]) => span)).toEqual([1, 1, 2, 1]);
});
