import { expect, it } from "vitest";
import { exportRequestSchema } from "./exports.ts";
import { wantedSourceColumns } from "./results.ts";

it("takes the columns of a wide table, with long names", () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `${"long ".repeat(120)}${at}`);
  const columns = names.map((name) => `source.${name}`);
  const request = { what: "results", batchId: "batch_1", format: "csv", columns };
  expect(exportRequestSchema.parse(request)).toEqual(request);
  expect(wantedSourceColumns.parse(names)).toEqual(names);
});
