import { expect, test } from "vitest";
import { splitStart } from "./split-start.ts";

const system = "You sort tickets. Answer with one of the labels.";

test("what all lines begin with is told from what is a line's own, message by message", () => {
  const texts = [system, "Sort this ticket by its label: Where is my parcel?"];
  const others = [[system, "Sort this ticket by its label: Refund me."]];
  expect(splitStart(texts, others)).toEqual([
    { start: system, rest: "" },
    { start: "Sort this ticket by its label: ", rest: "Where is my parcel?" },
  ]);
  // After the first difference nothing is shared, even where it is the same.
  expect(splitStart(["Where is it?", system], [["Refund me.", system]])).toEqual([
    { start: "", rest: "Where is it?" },
    { start: "", rest: system },
  ]);
});

test("a line alone, another number of messages and a short start leave nothing out", () => {
  expect(splitStart([system], [])).toEqual([{ start: "", rest: system }]);
  expect(splitStart(["Sort: a parcel"], [["Sort: a refund"]])).toEqual([{ start: "", rest: "Sort: a parcel" }]);
  expect(splitStart([system, "Where?"], [[system]])).toEqual([
    { start: system, rest: "" },
    { start: "", rest: "Where?" },
  ]);
});
