import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toTabbedText } from "./copy-rows.ts";
import { listUsualColumns, moveColumn, orderColumns, takeFields, toggleColumns, usualLayout } from "./result-layout.ts";

test("copied rows are read by others as what they were", () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom("a\tb", 'say "yes"', "two\nlines", "\r\n", "=1+1", ""));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = toTabbedText(rows);
      expect(parse(text, { delimiter: "\t", record_delimiter: "\n", skip_empty_lines: false })).toEqual(rows);
    }),
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
  const run = ["verdict", "grade", "completion_tokens", "milliseconds"];
  expect(orderColumns(usualLayout, usual)).toEqual(["line", "custom_id", "source.text", "answer.a", ...run]);
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
