import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toTabbedText } from "./copy-rows.ts";
import { moveColumn, toggleColumn } from "./result-layout.ts";

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
  expect(toggleColumn(["a", "b"], "a")).toEqual(["b"]);
  expect(toggleColumn(["a"], "b")).toEqual(["a", "b"]);
});
