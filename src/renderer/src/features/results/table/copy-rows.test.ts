import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toTabbedText } from "./copy-rows.ts";
import { moveColumn, orderColumns, takeFields, toggleColumns, usualLayout } from "./result-layout.ts";

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

test("the fields of answers are next to the usual columns, and pinned columns come first", () => {
  const usual = ["verdict", "grade", "completion_tokens", "milliseconds"];
  expect(orderColumns(usualLayout, ["a", "b"])).toEqual(["line", "question", "answer.a", "answer.b", ...usual]);
  expect(orderColumns(usualLayout, [])).toEqual(["line", "question", "answer", ...usual]);
  const layout = { shown: ["line", "answer", "cost"], widths: {}, pinned: ["cost"] };
  expect(orderColumns(layout, ["a"])).toEqual(["cost", "line", "answer"]);
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
