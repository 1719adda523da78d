import { expect, test } from "vitest";
import { makeRow } from "../../../queries/make-batch.ts";
import { longestPart, measureColumns, splitNumber } from "./measure-columns.ts";
import { layOutColumns, listResultColumns } from "./result-columns.tsx";
import { usualLayout } from "./result-layout.ts";

test("a column is as wide as its values and its name need, and long texts share what is left", () => {
  const columns = listResultColumns({
    isVerified: false,
    isGraded: false,
    hasCost: false,
    paths: ["answer.label", "answer.reply", "answer.confidence_of_it"],
    sources: [],
  }).filter(({ id }) => id === "line" || id.startsWith("answer."));
  const rows = ["spam", "billing"].map((label) => ({
    ...makeRow({}),
    values: { "answer.label": label, "answer.reply": "long ".repeat(30), "answer.confidence_of_it": 1 },
  }));
  const measures = measureColumns(columns, rows, (text) => text.length * 8);
  expect(measures.get("answer.label")).toEqual({ width: 7 * 8 + 22, isText: false });
  expect(measures.get("answer.reply")).toEqual({ width: 250, isText: true });
  expect(measures.get("answer.confidence_of_it")).toEqual({ width: 16 * 8 + 16 + 22, isText: false });
  expect(measures.has("line")).toBe(false);
  expect(layOutColumns(columns, usualLayout, measures).map(({ track }) => track)).toEqual([
    "80px",
    "78px",
    "minmax(170px, 1fr)",
    "166px",
  ]);
  // An edge that was moved stays where it is.
  const moved = layOutColumns(columns, { ...usualLayout, widths: { "answer.label": 200 } }, measures);
  expect(moved[1]?.track).toBe("200px");
});

test("numbers are split at their point as they are written", () => {
  expect(splitNumber("-118.40")).toEqual({ sign: "-", digits: "118", part: ".40" });
  expect(splitNumber("87")).toEqual({ sign: "", digits: "87", part: "" });
  for (const other of ["", "1e-7", "1,000", "-", "0x1", "1."]) expect(splitNumber(other)).toBeNull();
  expect(longestPart(["-39.9", "-118.40", "87", "0.12345678901", "text"])).toBe(3);
});
