import { expect, test } from "vitest";
import { batchSearchSchema, filterOf, searchOf } from "./search-params.ts";

test("what is odd in the address of a batch is dropped, and the rest of it holds", () => {
  expect(batchSearchSchema.parse({ tab: "colours", line: -3, verdicts: ["maybe"], grades: "A" })).toEqual({});
  expect(batchSearchSchema.parse({ tab: "raw", line: 7, more: true })).toEqual({ tab: "raw", line: 7 });
});

test("a filter comes back from its address, and nothing of another one", () => {
  const filter = {
    states: ["failed"],
    errors: ["http_502"],
    columns: [
      { path: "milliseconds", op: "greater", value: "9" },
      { path: "source.city", op: "one_of", values: ["Rome", "Oslo"] },
      { path: "answer", op: "breaks_schema" },
    ],
  };
  const sort = { by: "answer.score", descending: true };
  const search = batchSearchSchema.parse({ tab: "errors", line: 3, q: "x", sort, ...filter });
  expect(search.sort).toEqual(sort);
  expect(filterOf(search)).toEqual(filter);
  expect(filterOf({ ...search, columns: [...(search.columns ?? []), ...filter.columns.slice(1)] as never })).toEqual(
    filter,
  );
  expect({ ...search, ...searchOf({ verdicts: ["supported"] }) }).toMatchObject({
    line: 3,
    states: undefined,
    errors: undefined,
    verdicts: ["supported"],
  });
});
