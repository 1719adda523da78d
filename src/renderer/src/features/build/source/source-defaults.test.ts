import { expect, test } from "vitest";
import type { Source } from "#contract";
import type { DraftContent } from "../draft/draft-content.ts";
import { followColumns, nameFromFile, suggestCustomId, takeSource } from "./source-defaults.ts";

const source: Source = {
  id: "source_1",
  name: "reviews.csv",
  kind: "csv",
  holds: "rows",
  bytes: 10,
  rowCount: 2,
  columns: ["id", "review"],
  csv: { delimiter: ",", header: true },
  encoding: "utf-8",
};
const other: Source = { ...source, id: "source_2", name: "questions.jsonl", columns: ["question"] };
const empty: DraftContent = {
  name: "",
  sourceId: null,
  layout: null,
  messages: [],
  model: "m",
  temperature: null,
  maxCompletionTokens: null,
  customId: "",
};

test.each([
  [["id", "question"], "{{ id }}"],
  [["question", "ID"], "{{ ID }}"],
  [["custom_id", "text"], "{{ custom_id }}"],
  [["custom_id", "id"], "{{ id }}"],
  [["question", "answer"], "line-{{ row_number }}"],
  [[], "line-{{ row_number }}"],
])("the line id for the columns %j is %s", (columns, expected) => {
  expect(suggestCustomId(columns)).toBe(expected);
});

test("a file's name becomes a batch's name without its extension", () => {
  expect(nameFromFile("reviews.csv")).toBe("reviews");
  expect(nameFromFile("2024.q1.jsonl")).toBe("2024.q1");
  expect(nameFromFile(".csv")).toBe(".csv");
  expect(nameFromFile("x".repeat(240))).toHaveLength(200);
});

test("the first source names the draft and gives the line id", () => {
  expect(takeSource(empty, source, undefined)).toEqual({
    sourceId: "source_1",
    layout: null,
    name: "reviews",
    customId: "{{ id }}",
  });
});

test("another source changes what came from the first, and nothing the user wrote", () => {
  const filled = { ...empty, ...takeSource(empty, source, undefined) };
  expect(takeSource(filled, other, source)).toMatchObject({ name: "questions", customId: "line-{{ row_number }}" });
  const written = { ...filled, name: "First pass", customId: "r-{{ id }}" };
  expect(takeSource(written, other, source)).toEqual({
    sourceId: "source_2",
    layout: null,
    customId: "r-{{ id }}",
  });
});

test("a file of ready requests gives no line id, because its lines have theirs", () => {
  expect(takeSource(empty, { ...source, holds: "requests" }, undefined)).not.toHaveProperty("customId");
});

test("a line id that was suggested follows the columns, one that was written stays", () => {
  expect(followColumns("{{ id }}", ["id", "q"], ["column_1", "column_2"])).toBe("line-{{ row_number }}");
  expect(followColumns("line-{{ row_number }}", ["q"], ["id"])).toBe("{{ id }}");
  expect(followColumns("q-{{ id }}", ["id"], ["column_1"])).toBe("q-{{ id }}");
});
