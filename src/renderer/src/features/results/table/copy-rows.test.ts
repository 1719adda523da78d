import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRow } from "../../../queries/make-batch.ts";
import { describeCopied, mostCopiedRows, readRowsToCopy, toTabbedText } from "./copy-rows.ts";
import { listResultColumns } from "./result-columns.tsx";
import { listUsualColumns, moveColumn, orderColumns, takeFields, toggleColumns, usualLayout } from "./result-layout.ts";

test("copied rows are read by others as what they were", () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom("a\tb", 'say "yes"', "two\nlines", "\r\n", "=1+1", ""));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = toTabbedText(rows);
      expect(parse(text, { delimiter: "\t", record_delimiter: "\n", skip_empty_lines: false })).toEqual(
        rows.map((cells) => cells.map((cell) => (isFormula(cell) ? `'${cell}` : cell))),
      );
    }),
  );
  expect(toTabbedText([["=1+1", "-5", "- a list", "@sum(1)", "+49 30 123", "a=b"]])).toBe(
    "'=1+1\t-5\t'- a list\t'@sum(1)\t+49 30 123\ta=b",
  );
});

/** As the export as CSV has it (write-export.test.ts). */
const isFormula = (cell: string) =>
  /^[=+\-@\t\r]/.test(cell) && !/^[+-]?(\d[\d.,' ]*%?|(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)$/.test(cell);

test("all chosen rows are copied, whole and with times as they are shown; what is not copied is counted", async () => {
  const long = "long ".repeat(200);
  const columns = listResultColumns({
    isVerified: false,
    isGraded: false,
    hasCost: false,
    paths: ["answer.note"],
    sources: ["city"],
  }).filter(({ id }) => ["line", "milliseconds", "answer.note", "source.city"].includes(id));
  const asked: unknown[] = [];
  const read = (there: number, first: number, last: number) => {
    const wholeRows = async (input: { offset: number; limit: number }) => {
      asked.push(input);
      return Array.from({ length: Math.max(0, Math.min(there - input.offset, input.limit)) }, (_, at) => {
        const line = input.offset + at + 1;
        return makeRow({ line, milliseconds: 604.3217, values: { "answer.note": long, "source.city": "=1+1" } });
      });
    };
    const wanted = { batchId: "batch_1", filter: {}, sort: null, merged: false, first, last };
    return readRowsToCopy({ results: { wholeRows } }, wanted, columns);
  };
  const { text, count } = await read(1_000, 10, 459);
  expect(count).toBe(450);
  const records: string[][] = parse(text, { delimiter: "\t" });
  expect(records).toHaveLength(451);
  expect(records[0]).toEqual(["Line", "city", "note", "Time in milliseconds"]);
  expect(records[1]).toEqual(["11", "'=1+1", long, "600"]);
  expect(asked).toEqual(
    [10, 210, 410].map((offset) =>
      expect.objectContaining({ offset, limit: Math.min(200, 460 - offset), sourceColumns: ["city"] }),
    ),
  );
  expect((await read(3, 0, 5)).count).toBe(3);
  expect((await read(9_000, 0, 8_000)).count).toBe(mostCopiedRows);
  expect(describeCopied(1, 1)).toBe("1 row copied");
  expect(describeCopied(6, 6)).toBe("6 rows copied");
  expect(describeCopied(3, 6)).toBe("3 of 6 rows copied: the others no longer fit the filters.");
  expect(describeCopied(5_000, 8_000)).toBe(
    "The first 5,000 of 8,000 rows copied. Export the results to get all of them.",
  );
});

test("columns are shown, hidden and moved, and none is lost", () => {
  const columns = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 });
  fc.assert(
    fc.property(columns, fc.integer({ min: 0, max: 4 }), fc.integer({ min: -6, max: 6 }), (shown, at, by) => {
      const id = shown[at] ?? "none";
      expect(moveColumn(shown, id, by).toSorted()).toEqual(shown.toSorted());
      const moved = moveColumn(shown, id, by);
      if (moved !== shown) expect(moveColumn(moved, id, -by)).toEqual(shown);
    }),
  );
  expect(moveColumn(["a", "b", "c"], "a", 1)).toEqual(["b", "a", "c"]);
  expect(toggleColumns(["a", "b", "c"], ["a", "c"], false)).toEqual(["b"]);
  expect(toggleColumns(["a"], ["b", "a"], true)).toEqual(["a", "b"]);
});

test("the usual columns come without a choice, and pinned columns come first", () => {
  const usual = listUsualColumns(["custom_id", "source.text", "answer.a"]);
  const run = ["verdict", "completion_tokens", "milliseconds"];
  expect(orderColumns(usualLayout, usual)).toEqual(["line", "grade", "custom_id", "source.text", "answer.a", ...run]);
  const layout = { shown: ["line", "answer", "cost"], widths: {}, pinned: ["cost"] };
  expect(orderColumns(layout, usual)).toEqual(["cost", "line", "answer"]);
});

test("a layout of a like table keeps its columns of the table and the run, and takes the fields of this batch", () => {
  const shown = ["line", "source.city", "answer.score", "answer", "answer.label", "verdict"];
  expect(takeFields(shown, ["topic"])).toEqual(["line", "source.city", "answer.topic", "verdict"]);
  expect(takeFields(shown, [])).toEqual(["line", "source.city", "answer", "verdict"]);
  expect(takeFields(["line", "source.city", "cost"], ["a", "b"])).toEqual([
    "line",
    "source.city",
    "answer.a",
    "answer.b",
    "cost",
  ]);
});
