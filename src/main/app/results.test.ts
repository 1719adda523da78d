import { readFile } from "node:fs/promises";
import { safe } from "@orpc/client";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readSheets from "read-excel-file/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ColumnCondition, ExportFormat, ResultSort } from "#contract";
import { createTestEngine, replyTo } from "../service/testing/index.ts";
import { type AppFixture, connectPort, openApp, type RpcClient, upload } from "./testing/app-fixture.ts";

const cities = ["Oslo", "Rome", "Łódź", "oslo", ""];
const lines = 20;
let fixture: AppFixture;
let client: RpcClient;
let batchId = "";

/** A score that falls from line to line, in an answer that is JSON with a fence around every third. */
const engine = createTestEngine((call) => {
  const number = call.line?.number ?? 0;
  const reply = replyTo(call);
  const answer = JSON.stringify({
    score: number === 15 ? String(lines - number) : lines - number,
    label: number % 2 === 0 ? "Even" : "odd",
    deep: { "a.b": [number] },
  });
  const content = number === 7 ? "No JSON here." : number % 3 === 0 ? `\`\`\`json\n${answer}\n\`\`\`` : answer;
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
  return { ...reply, body: { ...reply.body, choices: [choice] } } as typeof reply;
});

beforeAll(async () => {
  fixture = await openApp();
  fixture.service.switchEngine(engine);
  ({ client } = connectPort(fixture.app));
  const rows = Array.from(
    { length: lines },
    (_, at) => `r-${at + 1},Question ${at + 1}?,${cities[at % 5]},${at * 1.5}`,
  );
  const source = await upload(client, Buffer.from(`id,question,city,weight\n${rows.join("\n")}\n`), "towns.csv");
  const template = {
    messages: [{ role: "user" as const, content: "{{ question }}" }],
    model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
    temperature: 0,
    maxCompletionTokens: 200,
    customId: "{{ id }}",
    answerFormat: {
      type: "json_schema" as const,
      name: "town",
      strict: false,
      schema: '{ "type": "object", "properties": { "score": { "type": "number" } } }',
    },
  };
  for await (const event of await client.build.submit({ sourceId: source.id, template, name: "Towns" })) {
    if (event.phase === "submitted") batchId = event.batchId;
  }
  await fixture.service.batches.settled(batchId);
}, 30_000);
afterAll(() => fixture.close());

async function readLines(columns: ColumnCondition[] | undefined, sort?: ResultSort): Promise<number[]> {
  const choice = { batchId, filter: { columns }, ...(sort && { sort }) };
  const last = (await Array.fromAsync(await client.results.rows({ ...choice, offset: 0, limit: 100 }))).at(-1);
  const page = await client.results.page({ ...choice, offset: 0, limit: 100 });
  expect(last).toEqual({ ...page, progress: null });
  expect(page.total).toBe(page.rows.length);
  return page.rows.map(({ line }) => line);
}

it("rows are marked where their answers break the schema and counted, and others are not", async () => {
  expect(await client.results.countMisfits({ batchId })).toBe(2);
  const { rows } = await client.results.page({ batchId, offset: 0, limit: 100 });
  const marked = rows.flatMap(({ line, misfits }) => (misfits ? [[line, ...misfits.map(({ path }) => path)]] : []));
  expect(marked).toEqual([
    [7, "answer"],
    [15, "answer.score"],
  ]);
});

it("the fields of answers are those of the schema that was asked for", async () => {
  expect(await client.results.answerFields({ batchId })).toEqual(["score"]);
});

describe("lines are left by a condition on a column", () => {
  type WithValue = Extract<ColumnCondition, { value: string }>;
  const conditions: [path: string, op: WithValue["op"], value: string, lines: number[]][] = [
    ["custom_id", "equals", "R-4", [4]],
    ["custom_id", "contains", "-2", [2, 20]],
    ["question", "contains", "question 19", [19]],
    ["answer", "contains", "no json", [7]],
    ["answer.score", "greater", "17", [1, 2]],
    ["answer.score", "at_least", "17.0", [1, 2, 3]],
    ["answer.score", "less", "2", [19, 20]],
    ["answer.score", "equals", "13", []],
    ["answer.score", "equals", "14", [6]],
    ["answer.label", "equals", "even", [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]],
    ["answer.deep.a.b.0", "equals", "9", [9]],
    ["answer.none", "contains", "", []],
    ["source.city", "equals", "OSLO", [1, 4, 6, 9, 11, 14, 16, 19]],
    ["source.city", "contains", "łó", [3, 8, 13, 18]],
    ["source.weight", "greater", "27", [20]],
    ["source.weight", "less", "1,5", [1]],
    ["source.city", "greater", "p", [2, 3, 7, 8, 12, 13, 17, 18]],
    ["source.city", "starts_with", "o", [1, 4, 6, 9, 11, 14, 16, 19]],
    ["source.city", "not_equals", "oslo", [2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 20]],
    ["answer.label", "not_equals", "even", [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]],
    ["answer", "starts_with", "no", [7]],
    ["finish", "not_equals", "stop", []],
    ["line", "not_equals", "1", Array.from({ length: 19 }, (_, at) => at + 2)],
  ];
  it.each(conditions)("%s %s %s", async (path, op, value, expected) => {
    expect(await readLines([{ path, op, value }])).toEqual(expected);
  });

  it.each<[ColumnCondition, number[]]>([
    [{ path: "source.city", op: "empty" }, [5, 10, 15, 20]],
    [{ path: "source.city", op: "one_of", values: ["rome", "ŁÓDŹ"] }, [2, 3, 7, 8, 12, 13, 17, 18]],
    [{ path: "answer.score", op: "one_of", values: ["19", "1.0"] }, [1, 19]],
    [{ path: "answer.score", op: "empty" }, [7]],
    [{ path: "verdict", op: "empty" }, Array.from({ length: 20 }, (_, at) => at + 1)],
    [{ path: "answer", op: "breaks_schema" }, [7, 15]],
  ])("%j", async (condition, expected) => {
    expect(await readLines([condition])).toEqual(expected);
  });

  it("and by several, beside what is in memory", async () => {
    const both: ColumnCondition[] = [
      { path: "answer.label", op: "equals", value: "odd" },
      { path: "source.city", op: "equals", value: "rome" },
      { path: "line", op: "greater", value: "10" },
    ];
    expect(await readLines(both)).toEqual([17]);
    expect(await client.results.numbers({ batchId, filter: { columns: both } })).toEqual([17]);
    expect(await client.results.summary({ batchId, filter: { columns: both } })).toMatchObject({ lines: 1 });
  });
});

it("lines are sorted by a column: numbers before text, those without a value last", async () => {
  const sorted = (by: string, descending = false) => readLines(undefined, { by, descending });
  expect((await sorted("answer.score")).slice(0, 3)).toEqual([20, 19, 18]);
  expect((await sorted("answer.score")).at(-1)).toBe(7);
  expect((await sorted("source.weight", true)).slice(0, 3)).toEqual([20, 19, 18]);
  expect(await sorted("source.city")).toEqual(
    [
      [1, 4, 6, 9, 11, 14, 16, 19],
      [2, 7, 12, 17],
      [3, 8, 13, 18],
      [5, 10, 15, 20],
    ].flat(),
  );
  expect((await sorted("custom_id")).slice(0, 3)).toEqual([1, 10, 11]);
});

describe("lines are counted by a column", () => {
  const chart = async (column: string, measure?: string, filter = {}) => {
    const found = await client.results.chart({ batchId, column, filter, ...(measure && { measure }) });
    const groups = found?.groups.map(({ value, count, measured }) => [
      value,
      count,
      ...(measured === null ? [] : [measured.mean ?? measured.counts]),
    ]);
    return { ...found, groups };
  };

  it("by its values, the most frequent first", async () => {
    expect(await chart("source.city")).toMatchObject({
      lines: 20,
      known: 16,
      histogram: null,
      groups: [
        ["Oslo", 8],
        ["Rome", 4],
        ["Łódź", 4],
      ],
    });
    expect((await chart("answer.label")).groups).toEqual([
      ["Even", 10],
      ["odd", 9],
    ]);
    expect((await chart("status")).groups).toEqual([["answered", 20]]);
  });

  it("with those that are empty as the condition finds them, and no objects as categories", async () => {
    for (const column of ["source.city", "answer.label", "answer.note", "error"]) {
      const columns: ColumnCondition[] = [{ path: column, op: "empty" }];
      const { length } = await client.results.numbers({ batchId, filter: { columns } });
      expect(await chart(column), column).toMatchObject({ empty: length, areObjects: false });
    }
    // Line 7 is answered, and its answer has no fields.
    expect(await chart("source.city")).toMatchObject({ lines: 20, known: 16, empty: 4 });
    expect(await chart("answer.label")).toMatchObject({ lines: 20, known: 19, empty: 1 });
    expect(await chart("answer.deep")).toMatchObject({ areObjects: true, groups: [] });
  });

  it("by ranges of its numbers, which the filter of a range leaves again", async () => {
    const { histogram, groups, known } = await chart("answer.score", "source.weight");
    expect([known, histogram?.least, histogram?.most]).toEqual([19, 0, 19]);
    expect(groups?.slice(0, 2)).toEqual([
      ["0", 1, 28.5],
      ["1", 1, 27],
    ]);
  });

  it("against another one: the mean of numbers, how many have which word", async () => {
    expect((await chart("source.city", "line", { states: ["answered"] })).groups).toEqual([
      ["Oslo", 8, 10],
      ["Rome", 4, 9.5],
      ["Łódź", 4, 10.5],
    ]);
    const { measure, groups } = await chart("source.city", "answer.label");
    expect(measure).toEqual({ areNumbers: false, values: ["Even", "odd"] });
    expect(groups?.[0]).toEqual(["Oslo", 8, [4, 4]]);
    expect(groups?.[1]).toEqual(["Rome", 4, [2, 1]]);
  });

  it("not by one that there is not", async () => {
    const { error } = await safe(client.results.chart({ batchId, column: "colour" }));
    expect(error).toMatchObject({ data: { message: expect.stringContaining("no column colour") } });
  });
});

it("a column that the table does not have is refused in words", async () => {
  const columns: ColumnCondition[] = [{ path: "source.colour", op: "equals", value: "red" }];
  const { error } = await safe(client.results.page({ batchId, offset: 0, limit: 1, filter: { columns } }));
  expect(error).toMatchObject({ code: "REFUSED", data: { message: expect.stringContaining('no column "colour"') } });
});

describe("an export", () => {
  const columns = ["custom_id", "source.city", "answer.score", "answer.deep", "answer.deep.a.b.0", "prompt_tokens"];
  const filter = { columns: [{ path: "answer.score", op: "less" as const, value: "5" }] };
  const sort = { by: "answer.label", descending: true };

  /** The file of an export, which this app hands out by a link. */
  async function write(format: ExportFormat): Promise<Buffer> {
    const outcome = await client.exports.begin({ what: "results", batchId, format, columns, filter, sort });
    if (outcome.how !== "link") throw new Error(`The export ended with ${outcome.how}.`);
    return readFile(fixture.app.takeExport(outcome.href.split("/").at(-1) ?? "")?.path ?? "");
  }

  it("has the stored values of the columns and rows that are shown, in their order, in every format", async () => {
    const shown = await client.results.rows({ batchId, filter, sort, offset: 0, limit: 100 });
    const { rows = [] } = (await Array.fromAsync(shown)).at(-1) ?? {};
    const numbers = rows.map(({ line }) => line);
    expect(numbers).not.toEqual(numbers.toSorted((a, b) => a - b));
    const values = rows.map(({ line, customId, promptTokens }) => [
      customId,
      cities[(line - 1) % 5],
      lines - line,
      JSON.stringify({ "a.b": [line] }),
      line,
      promptTokens,
    ]);
    expect((parse(await write("csv")) as string[][]).slice(1)).toEqual(values.map((cells) => cells.map(String)));
    const [sheet] = await readSheets(await write("xlsx"));
    // A sheet has no empty text.
    expect(sheet?.data.slice(1)).toEqual(values.map((cells) => cells.map((cell) => (cell === "" ? null : cell))));
    const parquet = await write("parquet");
    const file = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer;
    const records = await parquetReadObjects({ file, compressors });
    const typed = values.map((cells) => cells.map((cell) => (typeof cell === "number" ? BigInt(cell) : cell)));
    expect(records.map((record) => Object.values(record))).toEqual(typed);
    const flat = (await write("flat")).toString().trimEnd().split("\n");
    expect(flat.map((line) => Object.values(JSON.parse(line)))).toEqual(values);
    const wire = (await write("jsonl")).toString().trimEnd().split("\n");
    expect(wire.map((line) => JSON.parse(line).custom_id)).toEqual(rows.map(({ customId }) => customId));
  });
});

it("paths of columns may be long: keys of JSON are", async () => {
  const path = `answer.${"key ".repeat(4_900)}`;
  // The filter and the sort write one column at the same time.
  expect(await readLines([{ path, op: "not_empty" }], { by: path, descending: true })).toEqual([]);
  expect(await readLines([{ path, op: "empty" }])).toHaveLength(lines);
  expect(await client.results.chart({ batchId, column: path })).toMatchObject({ lines, known: 0 });
});

it("a comparison marks the answers that break the schema, each in its batch", async () => {
  const retry = await client.batches.retry({ id: batchId, which: ["lines"], lines: [7, 14, 15] });
  await fixture.service.batches.settled(retry.id);
  const compared = { ids: [batchId, retry.id], filter: { show: "all" as const } };
  const { rows } = await client.compare.page({ ...compared, offset: 0, limit: 10 });
  const marks = rows.map(({ line, cells }) => [
    line,
    ...cells.map(({ misfits = [] }) => misfits.map(({ path }) => path)),
  ]);
  expect(marks.sort()).toEqual([
    [14, [], []],
    [15, ["answer.score"], []],
    [7, ["answer"], []],
  ]);
});
