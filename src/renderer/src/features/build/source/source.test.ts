import { expect, test } from "vitest";
import type { Source } from "#contract";
import { describeSource } from "./describe-source.ts";
import { explainUnreadable, readPastedRows } from "./readable-files.ts";

const source: Source = {
  id: "source_1",
  name: "reviews.csv",
  kind: "csv",
  holds: "rows",
  bytes: 10,
  rowCount: 12_408,
  columns: ["id", "product", "review"],
  csv: { delimiter: ",", header: true },
  encoding: "utf-8",
};

test("a source is described in short", () => {
  expect(describeSource(source)).toEqual(["12,408 rows", "3 columns", "comma", "UTF-8"]);
  expect(describeSource({ ...source, kind: "jsonl", csv: null, rowCount: 1, columns: ["question"] })).toEqual([
    "1 row",
    "1 column",
    "JSON Lines",
    "UTF-8",
  ]);
  expect(describeSource({ ...source, kind: "jsonl", csv: null, holds: "requests" })).toEqual([
    "12,408 requests",
    "JSON Lines",
    "UTF-8",
  ]);
});

test.each(["table.csv", "table.TSV", "rows.jsonl", "rows.ndjson", "notes.txt", "no-extension"])(
  "%s may be a source",
  (name) => expect(explainUnreadable({ name, size: 1 })).toBeNull(),
);

test.each(["book.xlsx", "rows.csv.gz", "report.pdf", "photo.JPG", "rows.parquet"])("%s is refused by name", (name) =>
  expect(explainUnreadable({ name, size: 1 })).toContain(`${name} can’t be used.`),
);

test("an empty file is refused before it is sent", () => {
  expect(explainUnreadable({ name: "table.csv", size: 0 })).toContain("is empty");
});

test("pasted rows become a file, and a pasted word does not", async () => {
  const table = readPastedRows("id,question\n1,Why\n");
  expect(table?.name).toBe("Pasted rows.csv");
  expect(await table?.text()).toBe("id,question\n1,Why\n");
  expect(readPastedRows('{"question":"Why"}')?.name).toBe("Pasted rows.jsonl");
  expect(readPastedRows("just a word")).toBeNull();
  expect(readPastedRows("")).toBeNull();
});
