import { expect, test } from "vitest";
import { batchesSearchSchema } from "./search-params.ts";

test("an address of the list is read", () => {
  expect(batchesSearchSchema.parse({ status: ["failed"], find: "math", sort: "created", order: "asc" })).toEqual({
    status: ["failed"],
    find: "math",
    sort: "created",
    order: "asc",
  });
});

test("what is odd in an address is dropped, and the rest of it holds", () => {
  expect(batchesSearchSchema.parse({ status: ["done"], find: 5, sort: "colour", order: "asc" })).toEqual({
    order: "asc",
  });
});
