import { expect, it } from "vitest";
import { listDefaultColumns, noSourceColumns } from "./default-columns.ts";

const source = { ...noSourceColumns, columns: ["ticket", "text", "plan", "label"], inPrompt: ["text", "plan"] };

it.each([
  ["the columns that the prompt uses", source, [], ["source.text", "source.plan", "answer"]],
  [
    "the Row ID that was chosen, the expected answer and the fields",
    { ...source, hasChosenIds: true, expected: "label" },
    ["label", "reason"],
    ["custom_id", "source.text", "source.plan", "source.label", "answer.label", "answer.reason"],
  ],
  [
    "the expected answer once, where the prompt uses it, too",
    { ...source, inPrompt: ["text", "label"], expected: "label" },
    [],
    ["source.text", "source.label", "answer"],
  ],
  [
    "the first ten columns of a prompt that uses more",
    { ...source, inPrompt: Array.from({ length: 120 }, (_, at) => `c${at}`) },
    [],
    [...Array.from({ length: 10 }, (_, at) => `source.c${at}`), "answer"],
  ],
  ["the question, where no table is known", noSourceColumns, [], ["question", "answer"]],
  [
    "the Row ID, where all prompts ask the same",
    { ...noSourceColumns, isQuestionShared: true },
    [],
    ["custom_id", "answer"],
  ],
])("shows %s", (_, facts, fields, expected) => {
  expect(listDefaultColumns(facts, fields)).toEqual(expected);
});
