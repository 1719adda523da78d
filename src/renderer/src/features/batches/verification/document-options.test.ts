import { expect, test } from "vitest";
import { fromValue, listDocuments, toValue } from "./document-options.ts";

test("a column of any name stays what it is", () => {
  for (const column of ["passage", "none", "column:", ""]) {
    expect(fromValue(toValue({ from: "column", column }))).toEqual({ from: "column", column });
  }
  for (const from of ["none", "system_message"] as const) expect(fromValue(toValue({ from }))).toEqual({ from });
});

test("only what is there is offered", () => {
  expect(listDocuments({ columns: [], hasSystemMessages: false })).toHaveLength(1);
  expect(listDocuments({ columns: ["a", "a", "b"], hasSystemMessages: true })).toEqual([
    expect.objectContaining({ value: "none" }),
    expect.objectContaining({ value: "system_message" }),
    expect.objectContaining({
      items: [expect.objectContaining({ label: "a" }), expect.objectContaining({ label: "b" })],
    }),
  ]);
});
