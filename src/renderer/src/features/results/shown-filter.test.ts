import { expect, test } from "vitest";
import { labelPaths } from "#contract";
import { readShownFilter } from "./shown-filter.ts";

const search = {
  verdicts: ["contradicted" as const],
  grades: ["fail" as const],
  columns: [
    { path: labelPaths.expected, op: "equals" as const, value: "spam" },
    { path: "answer", op: "contains" as const, value: "a" },
  ],
};
const none = { run: null, isKnown: true };

test("an address filters by what the runs of the batch found, and what can't be filtered by is named", () => {
  const all = readShownFilter(
    search,
    { run: { isEarlier: false }, isKnown: true },
    { run: { summary: { labels: {} } }, isKnown: true },
  );
  expect(all).toEqual({ filter: search, ignored: [] });

  const { filter, ignored } = readShownFilter(search, none, none);
  expect(filter).toEqual({ columns: [search.columns[1]] });
  expect(ignored).toEqual([
    "Not filtered by verdict: verify the answers first.",
    "Not filtered by grade: grade the answers first.",
    "Not filtered by label: grade the answers against a column first.",
  ]);

  const earlier = { run: { isEarlier: true }, isKnown: true };
  const byOther = { run: { summary: { labels: null } }, isKnown: true };
  expect(readShownFilter(search, earlier, byOther)).toEqual({
    filter: { grades: ["fail"], columns: [search.columns[1]] },
    ignored: [ignored[0], ignored[2]],
  });
});

test("until the runs are known, nothing is said of the filter", () => {
  const unknown = { run: null, isKnown: false };
  expect(readShownFilter(search, unknown, unknown)).toEqual({ filter: { columns: [search.columns[1]] }, ignored: [] });
});
