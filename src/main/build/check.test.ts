import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  allRows,
  batchEndpoint,
  completionWindow,
  type Problem,
  type ProblemGroup,
  type RequestTemplate,
  type Rows,
} from "#contract";
import { countPromptTokens, createCheckRules, type FileLimits } from "#main/requests";
import { checkRows, type PassInput, writeRows } from "./rendering/render-rows.ts";
import { indexSource } from "./sources/index-source.ts";
import { type BuildFixture, checkAll, examplesFolder, openBuild, questionTemplate } from "./testing/build-fixture.ts";

let fixture: BuildFixture;

beforeAll(async () => {
  fixture = await openBuild();
});
afterAll(() => fixture.close());

function allProblems(groups: readonly ProblemGroup[]): Problem[] {
  return groups.flatMap(({ first }) => first);
}

function byPlace(problems: readonly Problem[]): string[] {
  return problems.map((problem) => JSON.stringify(problem)).sort();
}

/** A table as the worker gets it, with limits for the test. */
async function readTable(content: string, limits: Partial<FileLimits> = {}): Promise<PassInput> {
  const path = join(fixture.dataDir, "table.csv");
  await writeFile(path, content);
  const indexed = (await Array.fromAsync(indexSource(path, "table.csv"))).at(-1);
  if (indexed?.phase !== "indexed") throw new Error("The reading ended without an index.");
  const source = {
    ...indexed.index,
    id: "source_1",
    name: "table.csv",
    bytes: content.length,
    generated: false,
    edits: {},
    replacements: [],
    contents: {},
    createdAt: 0,
  };
  const { models, fileLimits } = fixture.service;
  return { path, source, rules: createCheckRules(models, { ...fileLimits, ...limits }), connection: null };
}

/** The service's problems of the same bytes. */
async function problemsOfBatch(content: string | Uint8Array): Promise<readonly Problem[]> {
  const { files, batches } = fixture.service;
  const pending = await files.receive(
    (async function* () {
      yield Buffer.from(content);
    })(),
  );
  const { id } = await pending.store({ filename: "batch.jsonl", purpose: "batch" });
  const batch = await batches.create({ inputFileId: id, endpoint: batchEndpoint, completionWindow });
  return (await batches.settled(batch.id)).problems;
}

describe("a check", () => {
  it("warns of formulas whose value the workbook does not have, once there is a prompt", async () => {
    const { path, source, rules } = await readTable("id,question\n1,Why?\n2,\n");
    const formulas = { count: 7, first: ["B3", "B4", "C4", "C5", "C6"] };
    const pass = { path, rules, connection: null, source: { ...source, notes: { ...source.notes, formulas } } };
    const groupsOf = async (template: RequestTemplate) =>
      (await Array.fromAsync(checkRows(pass, template))).at(-1)?.groups ?? [];
    const found = (await groupsOf(questionTemplate())).find(({ code }) => code === "formula_without_value");
    expect(found).toMatchObject({ severity: "warning", count: 1, lines: 0 });
    expect(found?.first[0]?.message).toBe(
      "The workbook has no value for 7 formulas (B3, B4, C4, C5, C6 …): their cells are empty. Open it in a spreadsheet program, save it, and add it again.",
    );
    const unwritten = await groupsOf(questionTemplate({ messages: [{ role: "user", content: "" }] }));
    expect(unwritten.map(({ code }) => code)).toEqual(["no_prompt"]);
  });

  it("finds all rows of the example sound, and knows the bytes and nearly the tokens that would be sent", async () => {
    const source = await fixture.build.sources.add(join(examplesFolder, "gsm8k-1319.jsonl"), "gsm8k-1319.jsonl");
    const input = { sourceId: source.id, template: questionTemplate() };
    const { last } = await checkAll(fixture.build.check(input));
    expect(last).toMatchObject({ done: 1319, total: 1319, finished: true, errorCount: 0, warningCount: 0, groups: [] });
    const steps = await Array.fromAsync(fixture.build.input.prepare(input));
    const file = steps.at(-1)?.file;
    const content = await readFile(file?.path ?? "", "utf8");
    await file?.remove();
    expect(last.bytes).toBe(Buffer.byteLength(content));
    const lines = content.trimEnd().split("\n");
    expect(lines).toHaveLength(1319);
    const exact = lines.reduce((sum, line) => sum + countPromptTokens(JSON.parse(line).body.messages), 0);
    expect(Math.abs(last.promptTokens - exact) / exact).toBeLessThan(0.05);
  });

  it("reports problems of rows, of prompts and of requests together, each at its row", async () => {
    const source = await fixture.upload("id,question\na,Why?\nb,\na,How?\nc\nd,What?\n", "questions.csv");
    const template = questionTemplate({ customId: "{{ id }}", model: "no-such-model" });
    const { last } = await checkAll(fixture.build.check({ sourceId: source.id, template }));
    const found = allProblems(last.groups).map(({ code, line, severity }) => `${line} ${code} ${severity}`);
    expect(found.sort()).toEqual([
      "1 model_not_found error",
      "2 empty_value warning",
      "2 model_not_found error",
      "2 no_prompt error",
      "3 duplicate_custom_id error",
      "3 model_not_found error",
      "4 invalid_row error",
      "5 model_not_found error",
    ]);
    expect(last).toMatchObject({ errorCount: 7, warningCount: 1, done: 5, total: 5 });
  });

  it("counts each row once, however many problems it has, and names every row of a group", async () => {
    const rows = Array.from({ length: 300 }, (_, at) => (at % 3 === 2 ? `${at},Why?,How?` : `${at},,`));
    const pass = await readTable(`id,first,second\n${rows.join("\n")}\n`);
    const messages = [{ role: "user" as const, content: "{{ first }} {{ second }}" }];
    const { events, last } = await checkAll(checkRows(pass, questionTemplate({ messages })));
    const [empty, second] = last.groups.filter(({ code }) => code === "empty_value");
    expect(empty).toMatchObject({ count: 200, lines: 200 });
    expect(second).toMatchObject({ count: 200, lines: 200 });
    expect(empty?.where?.slice(0, 2)).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(empty?.where).toHaveLength(100);
    expect(last).toMatchObject({ faultyRows: 200, blocked: true, requests: 300, tokensExact: true });
    for (const { groups } of events.slice(0, -1)) for (const group of groups) expect(group.where).toBeUndefined();
  });

  it("takes the rows that are asked for, the same random ones each time, and can leave faulty ones out", async () => {
    const rows = Array.from({ length: 200 }, (_, at) => (at === 4 ? "short" : `${at},${at === 7 ? "" : "Why?"}`));
    const pass = await readTable(`id,question\n${rows.join("\n")}\n`);
    const check = async (rows: Rows) => (await checkAll(checkRows({ ...pass, rows }, questionTemplate()))).last;
    expect(await check({ ...allRows, take: "first", count: 3, skipFaulty: false })).toMatchObject({
      total: 3,
      requests: 3,
      blocked: false,
    });
    expect(await check({ ...allRows, take: "all", count: 1, skipFaulty: false })).toMatchObject({
      faultyRows: 2,
      blocked: true,
    });
    expect(await check({ ...allRows, take: "all", count: 1, skipFaulty: true })).toMatchObject({
      done: 200,
      requests: 198,
      faultyRows: 2,
      blocked: false,
    });
    const random: Rows = { ...allRows, take: "random", count: 50, skipFaulty: true };
    const write = async (name: string) => {
      const target = join(fixture.dataDir, name);
      const last = (await Array.fromAsync(writeRows({ ...pass, rows: random }, questionTemplate(), target))).at(-1);
      return { content: await readFile(target, "utf8"), written: last?.result?.written ?? [] };
    };
    const [once, again] = [await write("once.jsonl"), await write("again.jsonl")];
    expect(once).toEqual(again);
    const ids = once.content
      .trimEnd()
      .split("\n")
      .map((line) => Number(JSON.parse(line).custom_id.slice(2)));
    expect(ids).toEqual(
      once.written.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
    );
    expect(ids.length).toBeGreaterThanOrEqual(48);
    expect(Math.max(...ids)).toBeGreaterThan(60);
  });

  it("takes the first, last or random ones of the rows that a filter keeps", async () => {
    const rows = Array.from({ length: 100 }, (_, at) => `${at + 1},${at % 10 === 4 ? "" : at % 2 ? "Even?" : "Odd?"}`);
    const pass = await readTable(`id,question\n${rows.join("\n")}\n`);
    const written = async (rows: Partial<Rows>) => {
      const input = { ...pass, rows: { ...allRows, ...rows } };
      const events = writeRows(input, questionTemplate(), join(fixture.dataDir, "kept.jsonl"));
      const result = (await Array.fromAsync(events)).at(-1)?.result;
      return result?.written.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
    };
    const late = { path: "source.id", op: "greater", value: "50" } as const;
    const filter = [late, { path: "source.question", op: "contains", value: "even" } as const];
    const even = Array.from({ length: 25 }, (_, at) => 52 + 2 * at);
    expect(await written({ filter })).toEqual(even);
    expect(await written({ filter, take: "first", count: 3 })).toEqual([52, 54, 56]);
    expect(await written({ filter, take: "last", count: 2 })).toEqual([98, 100]);
    const random = await written({ filter, take: "random", count: 10 });
    expect([random?.length, random?.every((row) => even.includes(row))]).toEqual([10, true]);
    const check = async (rows: Partial<Rows>) =>
      (await checkAll(checkRows({ ...pass, rows: { ...allRows, ...rows } }, questionTemplate()))).last;
    expect(await check({ filter: [late], skipFaulty: true })).toMatchObject({ fitting: 50, total: 50, requests: 45 });
    const gone = { path: "source.gone", op: "equals", value: "1" } as const;
    expect(await check({ filter: [gone] })).toMatchObject({
      ...{ blocked: true, requests: 0 },
      groups: [{ code: "unknown_column", first: [{ message: 'There is no column "gone" to filter the rows by.' }] }],
    });
  });

  it("frees the line id of a row that is left out", async () => {
    const pass = await readTable("id,question\na,\na,Why?\na,How?\n", { requests: 2 });
    const rows: Rows = { ...allRows, take: "all", count: 1, skipFaulty: true };
    const { last } = await checkAll(checkRows({ ...pass, rows }, questionTemplate({ customId: "{{ id }}" })));
    expect(last).toMatchObject({ requests: 1, faultyRows: 2, blocked: false });
  });

  it("ends at once where the template can't be used, with all that is wrong in it", async () => {
    const source = await fixture.upload("id,question\na,Why?\n", "questions.csv");
    const template = questionTemplate({ messages: [{ role: "user", content: "{{ qestion }}" }], customId: "{{ id" });
    const { events, last } = await checkAll(fixture.build.check({ sourceId: source.id, template }));
    expect(events).toHaveLength(1);
    expect(last).toMatchObject({ done: 0, total: 1, finished: true, errorCount: 2 });
    expect(
      allProblems(last.groups)
        .map(({ code }) => code)
        .sort(),
    ).toEqual(["template_error", "unknown_column"]);
  });

  it("counts rows against the limit of the service, and shows the first of many problems", async () => {
    const rows = Array.from({ length: 150 }, () => "same,Why?");
    const pass = await readTable(`id,question\n${rows.join("\n")}\n`, { requests: 100 });
    const { last } = await checkAll(checkRows(pass, questionTemplate({ customId: "{{ id }}" })));
    expect(last.groups[0]).toMatchObject({ code: "duplicate_custom_id", count: 99 });
    expect(last.groups[0]?.first.length).toBeLessThanOrEqual(50);
    expect(last.groups.map(({ code }) => code)).toContain("too_many_requests_in_file");
  });

  it("reports progress at most ten times a second", async () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => `${row},What is ${row} + ${row}?`);
    const pass = await readTable(`id,question\n${rows.join("\n")}\n`);
    // Each reading of the clock is 3 ms later.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 3;
      return now;
    });
    const { events, last } = await checkAll(checkRows(pass, questionTemplate()));
    vi.restoreAllMocks();
    expect(last.done).toBe(1_000);
    expect(events.length).toBeLessThanOrEqual(now / 100 + 1);
    expect(events.length).toBeGreaterThan(now / 200);
  });

  it("stops when nobody asks any more", async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row},What is ${row} + ${row}?`);
    const source = await fixture.upload(`id,question\n${rows.join("\n")}\n`, "long.csv");
    const input = { sourceId: source.id, template: questionTemplate() };
    for await (const { finished } of fixture.build.check(input)) {
      expect(finished).toBe(false);
      break;
    }
    expect(await fixture.build.preview(input, 20_000)).toMatchObject({ row: 20_000, problems: [] });
  });

  it("finds the mistakes of the broken example that the service finds, and the same ones", async () => {
    const content = await readFile(join(examplesFolder, "broken-batch.jsonl"));
    const source = await fixture.upload(content, "broken-batch.jsonl");
    expect(source.holds).toBe("requests");
    const { last } = await checkAll(fixture.build.check({ sourceId: source.id, template: questionTemplate() }));
    const ofService = await problemsOfBatch(content);
    expect(ofService.length).toBeGreaterThanOrEqual(12);
    expect(byPlace(allProblems(last.groups))).toEqual(byPlace(ofService));
  });

  it("finds what the service finds in any file of requests", async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const request = fc.record(
      {
        custom_id: fc.oneof(fc.constantFrom("a", "b"), fc.string(), value),
        method: fc.oneof(fc.constant("POST"), value),
        url: fc.oneof(fc.constant(batchEndpoint), value),
        body: fc.oneof(
          fc.record({
            model: fc.constantFrom("deepseek-ai/DeepSeek-R1", "other"),
            messages: fc.array(fc.record({ role: fc.constantFrom("user", "boss"), content: value })),
          }),
          value,
        ),
      },
      { requiredKeys: ["custom_id"] },
    );
    const line = fc.oneof(
      { weight: 5, arbitrary: request.map((object) => JSON.stringify(object)) },
      fc.constantFrom("", "{", "null", "[1]"),
    );
    const first = '{"custom_id":"first","method":"POST","url":"/v1/chat/completions","body":{}}';
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), async (lines, lineEnd) => {
        const content = [first, first, first, first, first, ...lines].join(lineEnd);
        const source = await fixture.upload(content, "any.jsonl");
        fc.pre(source.holds === "requests");
        const { last } = await checkAll(fixture.build.check({ sourceId: source.id, template: questionTemplate() }));
        const ofService = await problemsOfBatch(content);
        expect(last.errorCount).toBe(ofService.length);
        const inGroups = new Set(byPlace(ofService));
        for (const problem of byPlace(allProblems(last.groups))) expect(inGroups).toContain(problem);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a preview", () => {
  it("shows the request of a row with its tokens and the limit of its model", async () => {
    const source = await fixture.upload("id,question\na,Why?\nb,\nc\n", "questions.csv");
    const input = { sourceId: source.id, template: questionTemplate({ temperature: 0.5 }) };
    const preview = await fixture.build.preview(input, 1);
    expect(preview).toMatchObject({ row: 1, total: 3, contextTokens: 131_000, problems: [] });
    expect(JSON.parse(preview.request ?? "")).toMatchObject({ custom_id: "q-1", body: { temperature: 0.5 } });
    expect(preview.promptTokens).toBeGreaterThan(5);
    expect(await fixture.build.preview(input, 3)).toMatchObject({
      request: null,
      promptTokens: null,
      problems: [{ code: "invalid_row", line: 3 }],
    });
    const rows = { ...allRows, filter: [{ path: "source.question", op: "contains" as const, value: "why" }] };
    expect(await fixture.build.preview({ ...input, rows }, 1)).toMatchObject({ isFilteredOut: false });
    expect(await fixture.build.preview({ ...input, rows }, 2)).toMatchObject({ isFilteredOut: true });
    await expect(fixture.build.preview(input, 4)).rejects.toMatchObject({ name: "BuildError", kind: "not_found" });
  });

  it("shows a line of a file of requests as it is, with what is wrong with it", async () => {
    const line =
      '{"custom_id":"a","method":"GET","url":"/v1/chat/completions","body":{"model":"deepseek-ai/DeepSeek-R1"}}';
    const source = await fixture.upload(`${line}\nnot json\n`, "batch.jsonl");
    const input = { sourceId: source.id, template: questionTemplate() };
    const first = await fixture.build.preview(input, 1);
    expect(JSON.parse(first.request ?? "")).toEqual(JSON.parse(line));
    expect(first).toMatchObject({ contextTokens: 164_000, promptTokens: null });
    expect(first.problems.map(({ code }) => code).sort()).toEqual(["invalid_method", "invalid_request"]);
    expect(await fixture.build.preview(input, 2)).toMatchObject({
      request: "not json",
      problems: [{ code: "invalid_json_line", line: 2 }],
    });
  });
});

it("tries a schema on an answer", async () => {
  const schema =
    '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"score":{"type":"integer"}},"required":["score"]}';
  const { trySchema } = fixture.build;
  expect(await trySchema({ schema, answer: '{"score": 3}' })).toEqual([]);
  expect(await trySchema({ schema, answer: '{"score": "3"}' })).toEqual(["score must be integer."]);
  expect(await trySchema({ schema, answer: "3 points" })).toEqual(["The answer is not JSON."]);
  expect(await trySchema({ schema: '{"type": "what"}', answer: "{}" })).toEqual([
    'In the schema, type can\'t be "what".',
  ]);
  // A backtracking engine would never finish with this one.
  const slow = '{"type": "string", "pattern": "^(a+)+$"}';
  expect(await trySchema({ schema: slow, answer: JSON.stringify(`${"a".repeat(40)}!`) })).toEqual([
    'The answer must match pattern "^(a+)+$".',
  ]);
});
