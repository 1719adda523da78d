import { describe, expect, it } from "vitest";
import { noSourceColumns, type TrialRow } from "#contract";
import { summarizeTrial, withDifferentRows } from "./trial-facts.ts";
import type { TrialState, VersionTrial } from "./trial-store.ts";
import { findShownTrial, measureTracks, type OtherAnswers, type TrialCell, toTrialTable } from "./trial-table.ts";

const template = {
  messages: [],
  connectionId: null,
  model: "m",
  temperature: null,
  maxCompletionTokens: null,
  customId: "",
};
const input = { sourceId: "s", draftId: "d", version: "A", template, rows: { take: "first", count: 3 } } as const;
const properties = { text: { type: "string" }, topic: { type: "string" } };
const answerFormat = { type: "json_schema" as const, name: "a", schema: JSON.stringify({ properties }), strict: true };
const inputWithSchema = { ...input, template: { ...template, answerFormat } };

const start = "Sort this ticket into a topic. ";

/** As the service reads them. */
function fieldsOf(answer: string): TrialRow["fields"] {
  if (!answer.startsWith("{")) return null;
  const members = [...answer.matchAll(/"(\w+)":("[^"]*"|[^,}]+)/g)];
  return Object.fromEntries(members.map(([, name = "", value = ""]) => [name, value.replaceAll('"', "")]));
}

function toRow(row: number, answer: string, more: Partial<TrialRow> = {}): TrialRow {
  const measured = { milliseconds: 5, promptTokens: 9, completionTokens: 9, cost: null, cells: {} };
  const question = `${start}Ticket ${row}`;
  const fields = fieldsOf(answer);
  return {
    row,
    customId: `t-${row}`,
    state: "answered",
    question,
    answer,
    fields,
    expected: null,
    ...measured,
    ...more,
  };
}

const reply = (topic: unknown, text = "Thank you for your patience.") => JSON.stringify({ text, topic });

function others(name: string, answers: Readonly<Record<number, string>>): OtherAnswers {
  const entries = Object.entries(answers).map(
    ([row, answer]) => [Number(row), { answer, fields: fieldsOf(answer) }] as const,
  );
  return { name, isOutdated: false, cost: null, answers: new Map(entries) };
}

/** The texts of a table's cells, those that differ with a `!`, whole answers in place of a field with a `?`. */
function textsOf(table: ReturnType<typeof toTrialTable>) {
  const show = (cell: TrialCell | null) =>
    cell && `${cell.text}${cell.isWhole ? "?" : ""}${cell.isDifferent ? "!" : ""}`;
  return table.rows.map((row) => [...row.values.map(show), ...row.others.map(show)]);
}

describe("the table of a trial", () => {
  it("has a column for each field, and the compared field of other versions beside them", () => {
    const rows = [toRow(1, reply("bug")), toRow(2, reply("billing")), toRow(3, reply(4))];
    const table = toTrialTable({ rows, source: noSourceColumns, input }, [
      others("A", { 1: reply("bug"), 2: reply("other") }),
      others("C", { 9: reply("bug") }),
    ]);
    const text = "Thank you for your patience.";
    expect(textsOf(table)).toEqual([
      [text, "bug", "bug"],
      [text, "billing", "other!"],
      [text, "4", null],
    ]);
    expect(table.others.map(({ name }) => name)).toEqual(["A"]);
    expect(table).toMatchObject({ compared: "topic", hasExpected: false });
  });

  it("has room for the names of its columns, before there are answers and beside short ones", () => {
    const waiting = Array.from({ length: 10 }, (_, at) => toRow(at + 1, "", { state: "waiting" }));
    const widthOf = (rows: TrialRow[]) =>
      measureTracks(toTrialTable({ rows, source: noSourceColumns, input: inputWithSchema }, [])).tracks;
    const heads = "minmax(35px, 3fr) minmax(74px, 8fr) minmax(43px, 4fr) minmax(51px, 5fr)";
    expect(widthOf(waiting)).toBe(heads);
    expect(widthOf(waiting.map(({ row }) => toRow(row, reply(1, "a"))))).toBe(heads);
  });

  it("compares the field that has most of the expected values", () => {
    const rows = [
      toRow(1, reply("a", "bug"), { expected: "bug" }),
      toRow(2, reply("b", "billing"), { expected: "billing " }),
      toRow(3, reply("c", "login"), { expected: "bug" }),
      toRow(4, "", { expected: "bug", state: "waiting" }),
    ];
    const table = toTrialTable({ rows, source: { ...noSourceColumns, expected: "label" }, input: inputWithSchema }, [
      others("A", { 1: reply("d", "bug"), 3: "no JSON" }),
    ]);
    expect(table).toMatchObject({ fields: ["text", "topic"], compared: "text", hasExpected: true });
    // A row without an answer is not graded.
    expect(table.score).toEqual({ right: 2, graded: 3 });
    expect(table.others[0]?.score).toEqual({ right: 1, graded: 2 });
    expect(textsOf(table)).toEqual([
      ["bug", "a", "bug"],
      ["billing", "b", null],
      ["login!", "c", "no JSON?!"],
      ["", "", null],
    ]);
  });

  it("shows an answer without the fields whole, and knows which fields are numbers", () => {
    const rows = [
      toRow(1, reply("1.5", "a"), { expected: "a" }),
      toRow(2, reply(-2, "b"), { expected: "b" }),
      toRow(3, "A bug, I think.", { expected: "bug" }),
    ];
    const table = toTrialTable({ rows, source: { ...noSourceColumns, expected: "label" }, input: inputWithSchema }, []);
    expect(textsOf(table)).toEqual([["a", "1.5"], ["b", "-2"], ["A bug, I think.?!"]]);
    expect([...table.numeric]).toEqual(["topic"]);
  });

  it("compares numbers as decimals, and shows them as they were written", () => {
    const written = ["1.10", "9007199254740993", "1e400"];
    const rows = written.map((text, at) =>
      toRow(at + 1, `{"n":${text}}`, { expected: ["1.1", "9007199254740992", "10e399"][at] ?? null }),
    );
    const table = toTrialTable({ rows, source: { ...noSourceColumns, expected: "n" }, input }, []);
    expect(textsOf(table)).toEqual([["1.10"], ["9007199254740993!"], ["1e400"]]);
    expect([...table.numeric]).toEqual(["n"]);
  });

  it("marks no free text as different, and leaves out what all questions begin with", () => {
    const rows = [toRow(1, "One answer."), toRow(2, "Two answers.", { expected: "2" })];
    const table = toTrialTable({ rows, source: { ...noSourceColumns, expected: "label" }, input }, [
      others("before", { 1: "1 answer." }),
    ]);
    expect(table.compared).toBeNull();
    expect(textsOf(table)).toEqual([
      ["One answer.", "1 answer."],
      ["Two answers.", null],
    ]);
    expect(table.rows.map(({ prompts }) => prompts)).toEqual([["…1"], ["…2"]]);
  });

  it("has the Row ID and the columns that the prompt uses, and marks the fields that break the schema", () => {
    const misfits = [{ path: "answer.topic", why: "/topic must be string." }];
    const cells = { text: "My ticket", plan: "Team" };
    const rows = [toRow(1, reply(4), { cells, misfits }), toRow(2, "", { cells, state: "waiting", customId: "" })];
    const source = { ...noSourceColumns, hasChosenIds: true, inPrompt: ["text", "plan", "label"], expected: "label" };
    const table = toTrialTable({ rows, source, input: inputWithSchema }, []);
    expect(table.prompts.map(({ header }) => header)).toEqual(["text", "plan"]);
    expect(table.rows.map(({ id, prompts }) => [id, ...prompts])).toEqual([
      ["t-1", "My ticket", "Team"],
      ["2", "My ticket", "Team"],
    ]);
    expect(table.rows[0]?.values.map(({ misfit }) => misfit)).toEqual([null, "/topic must be string."]);
    const unnamed = toTrialTable({ rows, source: { ...source, hasChosenIds: false }, input }, []);
    expect(unnamed.rows.map(({ id }) => id)).toEqual(["1", "2"]);
  });

  it("shows the pictures of a table's column that is called as the column of a request's pictures", () => {
    const rows = [toRow(1, "A cat.", { cells: { picture: "cat.png" }, picture: "image/png, 70 B" })];
    const source = { ...noSourceColumns, inPrompt: ["picture"], pictures: ["source.picture"] };
    const table = toTrialTable({ rows, source, input }, []);
    expect(table.prompts).toEqual([{ path: "source.picture", header: "picture", isPicture: true }]);
    expect(table.rows[0]?.prompts).toEqual(["cat.png"]);
  });
});

describe("the trial that is shown", () => {
  const versions = ["A", "B", "C"].map((key) => ({ key, name: `${key}.`, input: { sourceId: "s", template } }));
  const toTrial = (answer: string, more: Partial<VersionTrial> = {}): VersionTrial => {
    const trial = { input, rows: [toRow(1, answer)], waiting: null, source: noSourceColumns, milliseconds: 5 };
    return { ...trial, batchId: "batch_1", before: new Map(), ...more };
  };
  const find = (trials: Readonly<Record<string, VersionTrial>>, selected: string, latest = "A") => {
    const state: Pick<TrialState, "trials" | "latest"> = { trials: new Map(Object.entries(trials)), latest };
    const found = findShownTrial(state, versions, selected);
    return (
      found && { ...found, trial: undefined, others: found.others.map(({ name, isOutdated }) => [name, isOutdated]) }
    );
  };

  it("is the last one of the version that is looked at, beside those of the others", () => {
    const old = toTrial("x", { input: { ...input, template: { ...template, temperature: 1 } } });
    expect(find({ A: toTrial("a"), B: old, C: toTrial("c") }, "A")).toMatchObject({
      name: "A.",
      isSelected: true,
      isOutdated: false,
      others: [
        ["B.", true],
        ["C.", false],
      ],
    });
    expect(find({ A: toTrial("a"), B: old }, "C")).toMatchObject({
      name: "A.",
      isSelected: false,
      others: [["B.", true]],
    });
    expect(find({ B: old }, "B")).toMatchObject({ isOutdated: true, others: [] });
  });

  it("has the answers of the trial before where they were others", () => {
    expect(find({ A: toTrial("a", { before: new Map([[1, { answer: "b", fields: null }]]) }) }, "A")?.others).toEqual([
      ["before", false],
    ]);
    expect(find({ A: toTrial("a", { before: new Map([[1, { answer: "a", fields: null }]]) }) }, "A")?.others).toEqual(
      [],
    );
  });

  it("is none of another table", () => {
    expect(find({ A: toTrial("a", { input: { ...input, sourceId: "t" } }) }, "A")).toBeNull();
  });
});

describe("what a trial came to", () => {
  const rows = [
    toRow(1, reply("billing"), { expected: "billing", milliseconds: 900, cost: 0.01 }),
    toRow(2, reply("shipping"), { expected: "billing", milliseconds: 100, misfits: [{ path: "answer", why: "No." }] }),
    toRow(3, "busy", { state: "failed", milliseconds: 5_000, cost: null }),
    toRow(4, reply("returns"), { expected: "returns", milliseconds: 200, cost: 0.02 }),
    toRow(5, "", { state: "waiting", milliseconds: null }),
  ];
  const source = { ...noSourceColumns, columns: ["topic"], expected: "topic" };
  const trial = {
    batchId: "batch_1",
    rows,
    source,
    input: inputWithSchema,
    before: new Map(),
    milliseconds: 10,
    waiting: null,
  };

  it("is how many rows answered, failed and broke the schema, the median time and the cost of all versions", () => {
    const beside = [{ ...others("B", { 1: reply("billing") }), cost: 0.5 }, others("C", {})];
    expect(summarizeTrial({ trial, others: beside })).toEqual({
      asked: 5,
      answered: 3,
      failed: 1,
      broken: 1,
      medianMilliseconds: 200,
      cost: 0.53,
    });
    const none = { trial: { ...trial, rows: rows.slice(4) }, others: [] };
    expect(summarizeTrial(none)).toMatchObject({ answered: 0, failed: 0, medianMilliseconds: null, cost: null });
  });

  it("is also which rows differ: from the expected value, from another version, or in having an answer", () => {
    const table = toTrialTable(trial, [
      others("B", { 1: reply("shipping"), 3: reply("billing"), 4: reply("returns") }),
    ]);
    expect(withDifferentRows(table).rows.map(({ trial: { row } }) => row)).toEqual([1, 2, 3]);
    const alone = withDifferentRows(toTrialTable(trial, []));
    // A row keeps the line of the batch that has its pictures.
    expect(alone.rows.map(({ trial: { row }, line }) => [row, line])).toEqual([[2, 2]]);
  });
});
