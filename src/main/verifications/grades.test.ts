import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GradeRun, Grader, ResultRow } from "#contract";
import { isAnswered } from "#main/answers";
import type { ReadColumn } from "#main/results";
import { listObjects } from "../base/json-values.ts";
import type { EngineCall, EngineReply } from "../base/ports.ts";
import {
  createFakeMachine,
  createTestEngine,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  requestLine,
  type TestService,
  toJsonl,
} from "../service/testing/index.ts";

const rateLimited = {
  statusCode: 429,
  body: { error: { message: "Slow down.", type: "rate_limit", param: null, code: "rate_limit_exceeded" } },
} as const;

function say(call: EngineCall, content: string): EngineReply {
  const reply = replyTo(call);
  if (!isAnswered(reply)) return reply;
  const choices = listObjects(reply.body.choices).map((choice) => ({
    ...choice,
    message: { role: "assistant" as const, content },
  }));
  return { statusCode: 200, body: { ...reply.body, choices } };
}

/** Answers each line with its number and a word; every fifth line fails. */
const engine = createTestEngine((call) => {
  const number = call.line?.number ?? 0;
  return number % 5 === 0 ? rateLimited : say(call, `${number % 2 === 0 ? "Yes" : "No"}: ${number}`);
});
const fileOf = (count: number) =>
  toJsonl(Array.from({ length: count }, (_, at) => requestLine(`q-${at + 1}`, `What is ${at + 1}?`)));

/** Of line n the number n, but for every seventh; "yes" where the number is even, but for line 1. */
const table: ReadColumn = async function* (column, from) {
  for (let row = from; row <= 1_000; row += 100) {
    yield Array.from({ length: 100 }, (_, at) => {
      const line = row + at;
      if (column === "label") return line === 1 || line % 2 === 0 ? "yes" : "no";
      return String(line % 7 === 0 ? -1 : line);
    });
  }
};
const byNumber: Grader = { name: "number", tolerance: 0 };

async function grade(service: TestService, batchId: string, grader = byNumber, column: string | null = "n") {
  await service.grades.start([{ batchId, grader, column, readColumn: table }]);
  return service.grades.settled(batchId);
}

const marksOf = (rows: readonly ResultRow[]) => rows.map((row) => row.grade);

describe("grading a batch", () => {
  test("gives each line its grade, and the run its accuracy", async () => {
    const service = await openTestService({ machine: createFakeMachine(), engine });
    const { id } = await service.run(fileOf(350));
    expect(await service.grades.get(id)).toBeNull();
    const heard: GradeRun[] = [];
    service.grades.subscribe((run) => heard.push(run));
    const run = await grade(service, id);
    expect(run).toMatchObject({
      state: "done",
      grader: byNumber,
      column: "n",
      total: 350,
      done: 350,
      summary: { graded: 350, passed: 240, failed: 40, noAnswer: 70, accuracy: 240 / 280, labels: null },
      problem: null,
    });
    expect(heard.map(({ state }) => state)).toEqual(["running", "done"]);
    const { rows } = await service.results.page(id, 0, 8);
    expect(marksOf(rows)).toEqual(["pass", "pass", "pass", "pass", "no_answer", "pass", "fail", "pass"]);
    expect(await service.grades.line(id, 7)).toEqual({
      expected: "-1",
      given: "7",
      grade: "fail",
      why: "The answer's number is 7, not -1.",
    });
    expect(await service.grades.line(id, 5)).toMatchObject({ expected: "5", grade: "no_answer" });
  });

  test("shows only the lines with a grade, also of those with a verdict", async () => {
    const service = await openTestService({ engine });
    const { id } = await service.run(fileOf(40));
    expect(await service.results.page(id, 0, 10, { grades: ["fail"] })).toMatchObject({ total: 0, rows: [] });
    await grade(service, id);
    const failed = await service.results.page(id, 1, 2, { grades: ["fail"] });
    expect({ total: failed.total, lines: failed.rows.map(({ line }) => line) }).toEqual({ total: 4, lines: [14, 21] });
    expect((await service.results.page(id, 0, 9, { grades: ["fail"], verdicts: ["supported"] })).total).toBe(0);
  });

  test("by labels has a table of them, which outlives the service", async () => {
    const dataDir = await makeTempDir();
    const service = await openTestService({ dataDir, engine });
    const { id } = await service.run(fileOf(20));
    const run = await grade(service, id, { name: "label" }, "label");
    expect(run?.summary.labels).toEqual({
      areLists: false,
      labels: [
        { label: "yes", precision: 1, recall: 8 / 9 },
        { label: "no", precision: 7 / 8, recall: 1 },
      ],
      counts: [
        [8, 1, 0],
        [0, 7, 0],
      ],
    });
    const cell = [
      { path: "grade.expected", op: "equals", value: "yes" },
      { path: "grade.given", op: "equals", value: "no" },
    ] as const;
    expect(await service.results.numbers(id, { columns: [...cell] })).toEqual([1]);
    await service.close();
    const later = await openTestService({ dataDir, engine });
    expect(await later.grades.get(id)).toEqual(run);
  });

  test("by the requests' own schemas needs no column", async () => {
    const jsonEngine = createTestEngine((call) => say(call, `{"n":${call.line?.number === 2 ? '"two"' : 1}}`));
    const service = await openTestService({ engine: jsonEngine });
    const schema = { type: "object", properties: { n: { type: "integer" } } };
    const body = { response_format: { type: "json_schema", json_schema: { name: "n", schema } } };
    const lines = ["a", "b"].map((id) => requestLine(id, "Which?", { body }));
    const { id } = await service.run(toJsonl(lines));
    expect(await service.grades.hasSchemas(id)).toBe(true);
    expect(await grade(service, id, { name: "schema" }, null)).toMatchObject({ summary: { passed: 1, failed: 1 } });
    expect(await service.grades.line(id, 2)).toMatchObject({ expected: null, why: "/n must be integer." });
  });

  test("goes on where it was after a restart, with each line exactly once", async () => {
    const dataDir = await makeTempDir();
    const before = await openTestService({ dataDir, engine });
    const { id } = await before.run(fileOf(200));
    const whole = await grade(before, id);
    await before.close();
    const path = join(dataDir, "grades", `${id}.jsonl`);
    const lines = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, `${lines.slice(0, 101).with(50, "{ not json").join("\n")}\n{"line":150,"mark":"pa`);
    const after = await openTestService({ dataDir, engine });
    expect(await after.grades.get(id)).toMatchObject({ state: "stopped", done: 99, total: 200 });
    await after.grades.resume(id, table);
    expect(await after.grades.settled(id)).toEqual(whole);
    const numbers = (await readFile(path, "utf8"))
      .trimEnd()
      .split("\n")
      .slice(1)
      .flatMap((line) => /^{"line":(\d+)/.exec(line)?.[1] ?? []);
    expect(numbers.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  });

  test("by a model asks beside the batches, and says which answers it could not read", async () => {
    const judge = createTestEngine((call) => {
      if (call.line !== null) return say(call, `Answer ${call.line.number}`);
      const { answer } = JSON.parse(String(call.request.messages[1]?.content));
      const pass = answer !== "Answer 2";
      return say(call, answer === "Answer 3" && !isPatient ? "?" : JSON.stringify({ pass, reason: "So." }));
    });
    let isPatient = false;
    const service = await openTestService({ engine: judge });
    const { id } = await service.run(fileOf(5));
    const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
    const grader = { name: "model", model, rubric: "It is right." } as const;
    expect(await grade(service, id, grader, null)).toMatchObject({
      state: "failed",
      done: 4,
      summary: { passed: 3, failed: 1 },
      problem: "1 line has no grade: the model's answer could not be read. Resume to ask again.",
    });
    isPatient = true;
    await service.grades.resume(id);
    expect(await service.grades.settled(id)).toMatchObject({ state: "done", done: 5, problem: null });
  });

  test("is refused where it can't be done, and says why", async () => {
    const service = await openTestService({ engine });
    const { id } = await service.run(fileOf(2));
    const start = (grader: Grader, column: string | null, readColumn?: ReadColumn) =>
      service.grades.start([{ batchId: id, grader, column, ...(readColumn && { readColumn }) }]);
    await expect(start(byNumber, "n")).rejects.toThrow("is gone");
    await expect(start(byNumber, null, table)).rejects.toThrow("Choose the column");
    await expect(start({ name: "json", path: "$..a" }, "n", table)).rejects.toThrow("is no path");
    await expect(start({ name: "label" }, "n", table)).rejects.toThrow("more than 100 different values");
    await expect(service.grades.resume(id, table)).rejects.toMatchObject({ code: "not_found" });
    expect(await service.grades.get(id)).toBeNull();
    const outcomes = await Promise.allSettled([start(byNumber, "n", table), start(byNumber, "n", table)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("stands in an export, and changes not a byte before it", async () => {
    const service = await openTestService({ engine });
    const { id } = await service.run(fileOf(5));
    const plain = (await readContent(service.results.exportLines(id))).trimEnd().split("\n");
    await grade(service, id);
    const lines = (await readContent(service.results.exportLines(id))).trimEnd().split("\n");
    for (const [at, line] of lines.entries()) expect(line.startsWith(plain[at]?.slice(0, -1) ?? "?")).toBe(true);
    expect(lines.map((line) => JSON.parse(line).grade)).toMatchObject([
      { grade: "pass", expected: "1", given: "1" },
      { grade: "pass" },
      { grade: "pass" },
      { grade: "pass" },
      { grade: "no_answer" },
    ]);
  });
});
