import { expect, test } from "vitest";
import { filterCommands } from "./filter-commands.ts";

const batch = (label: string, id = label) => ({ id, label, keywords: [id] });
const actions = [
  { group: "Pages", actions: [{ id: "build", label: "Build" }] },
  { group: "Actions", actions: [{ id: "new", label: "New batch", keywords: ["build", "create"] }] },
  {
    group: "Batches",
    actions: Array.from({ length: 40 }, (_, at) => batch(`Nightly run ${at + 1}`, `batch_${at + 1}`)),
  },
];

function read(query: string): string[] {
  return filterCommands(query, actions).flatMap((group) =>
    "actions" in group ? group.actions.map(({ id }) => id) : [],
  );
}

test("without a query every group shows its first", () => {
  expect(read("")).toEqual(["build", "new", ...Array.from({ length: 8 }, (_, at) => `batch_${at + 1}`)]);
});

test("keywords count, in any order and case", () => {
  expect(read("create NEW")).toEqual(["new"]);
  expect(read("build")).toEqual(["build", "new"]);
});

test("a batch is found by its name and by its id", () => {
  expect(read("run 39")).toEqual(["batch_39"]);
  expect(read("batch_40")).toEqual(["batch_40"]);
});

test("a label that begins with what is typed comes first", () => {
  const group = { group: "Batches", actions: [batch("Second math"), batch("Math")] };
  expect(filterCommands("math", [group])).toEqual([
    { group: "Batches", actions: [batch("Math"), batch("Second math")] },
  ]);
});

test("groups without a hit are left out", () => {
  expect(filterCommands("zebra", actions)).toEqual([]);
});
