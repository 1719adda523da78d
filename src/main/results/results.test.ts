import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ResultLine } from "#contract";
import type { Service } from "#main/service";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  requestLine,
  toJsonl,
} from "../service/testing/index.ts";

const rateLimited = {
  statusCode: 429,
  body: { error: { message: "Slow down.", type: "rate_limit", param: null, code: "rate_limit_exceeded" } },
};

/** Answers later lines earlier, and line 3 with an error. */
const shuffling = createTestEngine(async (call) => {
  const number = call.line?.number ?? 0;
  for (let turn = 0; turn < (number * 7) % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return number === 3 ? rateLimited : replyTo(call);
}, 16);

async function exportIds(service: Service, batchId: string): Promise<string[]> {
  const content = await readContent(service.results.exportLines(batchId));
  return content === ""
    ? []
    : content
        .trimEnd()
        .split("\n")
        .map((line) => String((JSON.parse(line) as ResultLine).custom_id));
}

describe("a page", () => {
  test("joins requests and answers in the order of the input", async () => {
    const service = await openTestService({ engine: shuffling });
    const { id } = await service.run(fileOf(40));
    const { total, rows } = await service.results.page(id, 1, 3);
    expect(total).toBe(40);
    expect(rows).toEqual([
      {
        line: 2,
        customId: "q-2",
        question: "Question 2?",
        state: "answered",
        answer: 'Answer to: "Question 2?"',
        finishReason: "stop",
        end: "complete",
        errorCode: null,
        promptTokens: 7,
        completionTokens: 5,
        milliseconds: 0,
        cost: null,
        reused: false,
        verdict: null,
        form: null,
        claims: null,
        agreement: null,
        grade: null,
        reasoning: null,
        values: {},
      },
      {
        line: 3,
        customId: "q-3",
        question: "Question 3?",
        state: "failed",
        answer: "Slow down.",
        finishReason: null,
        end: null,
        errorCode: "rate_limit_exceeded",
        promptTokens: null,
        completionTokens: null,
        milliseconds: 0,
        cost: null,
        reused: false,
        verdict: null,
        form: null,
        claims: null,
        agreement: null,
        grade: null,
        reasoning: null,
        values: {},
      },
      expect.objectContaining({ line: 4, state: "answered", answer: 'Answer to: "Question 4?"' }),
    ]);
    const { rows: all } = await service.results.page(id, 0, 500);
    expect(all.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    for (const { line, state, answer } of all) {
      if (state === "answered") expect(answer).toBe(`Answer to: "Question ${line}?"`);
    }
  });

  test("beyond the end is empty", async () => {
    const service = await openTestService();
    const { id } = await service.run(fileOf(5));
    expect(await service.results.page(id, 5, 10)).toEqual({ total: 5, rows: [] });
    expect((await service.results.page(id, 4, 10)).rows).toHaveLength(1);
    expect((await service.results.page(id, 0, 0)).rows).toEqual([]);
  });

  test("cuts long texts; the line in full has them whole", async () => {
    const service = await openTestService();
    const question = "🙂".repeat(400);
    const { id } = await service.run(toJsonl([requestLine("a", question)]));
    const { rows } = await service.results.page(id, 0, 1);
    expect(rows[0]?.question).toBe(`${"🙂".repeat(149)}…`);
    expect(rows[0]?.answer).toMatch(/^.{298,299}…$/s);
    const [whole] = await service.results.wholeRows(id, { offset: 0, limit: 1 });
    expect(whole?.question).toBe(question);
    expect(whole?.answer).toBe((await service.results.line(id, 1)).answer);
    expect((await service.results.line(id, 1)).question).toBe(question);
  });

  test("shows the last user message, parts of text joined", async () => {
    const service = await openTestService();
    const messages = [
      { role: "user", content: "First?" },
      { role: "assistant", content: "Yes." },
      {
        role: "user",
        content: [
          { type: "text", text: "And " },
          { type: "text", text: "second?" },
        ],
      },
      { role: "assistant", content: "So:" },
    ];
    const { id } = await service.run(toJsonl([requestLine("a", "", { body: { messages } })]));
    expect((await service.results.page(id, 0, 1)).rows[0]?.question).toBe("And second?");
  });
});

test("the lines of a running batch that have no answer yet are waiting", async () => {
  const held = createManualEngine(2);
  const service = await openTestService({ engine: held });
  const { id } = await service.submit(fileOf(4));
  await held.arrived(2);
  held.release(2);
  await held.arrived(2);
  while (service.batches.get(id)?.counts.completed !== 2) await new Promise((resolve) => setImmediate(resolve));
  const { rows } = await service.results.page(id, 0, 10);
  expect(rows.map(({ state }) => state)).toEqual(["answered", "answered", "waiting", "waiting"]);
  expect(await service.results.line(id, 4)).toMatchObject({ state: "waiting", answer: "", rawResponse: null });
  expect(await exportIds(service, id)).toEqual(["q-1", "q-2"]);
});

test("the lines of a cancelled batch that never ran are skipped, with the reason", async () => {
  const held = createManualEngine(1);
  const service = await openTestService({ engine: held });
  const { id } = await service.submit(fileOf(3));
  await held.arrived(1);
  await service.batches.cancel(id);
  held.release();
  await service.batches.settled(id);
  const { rows } = await service.results.page(id, 0, 3);
  expect(rows.map(({ state }) => state)).toEqual(["answered", "skipped", "skipped"]);
  expect(await service.results.line(id, 2)).toMatchObject({
    errorCode: "batch_cancelled",
    answer: "The batch was cancelled before this request was answered.",
    requestId: null,
    statusCode: null,
    milliseconds: null,
  });
});

describe("a line in full", () => {
  test("has the request and the response as they are in the files", async () => {
    const service = await openTestService({ engine: shuffling });
    const request = requestLine("a", "Why?", { body: { temperature: 0.5 } });
    const { id, outputFileId } = await service.run(`\uFEFF${request}\r\n`);
    const output = await readContent(service.files.read(outputFileId ?? ""));
    expect(await service.results.line(id, 1)).toMatchObject({
      rawRequest: request,
      rawResponse: output.trimEnd(),
      messages: [{ role: "user", content: "Why?" }],
      model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
      promptTokens: 7,
      completionTokens: 5,
      statusCode: 200,
      requestId: expect.stringMatching(/^req_/),
      errorCode: null,
    });
  });

  test("names the error of a request that failed", async () => {
    const service = await openTestService({ engine: shuffling });
    const { id } = await service.run(fileOf(3));
    expect(await service.results.line(id, 3)).toMatchObject({
      state: "failed",
      statusCode: 429,
      errorCode: "rate_limit_exceeded",
      answer: "Slow down.",
    });
  });

  test("is not found where there is none", async () => {
    const service = await openTestService();
    const { id } = await service.run(fileOf(2));
    for (const line of [0, 3, 1.5, -1]) {
      await expect(service.results.line(id, line)).rejects.toMatchObject({ code: "not_found", param: "line" });
    }
    await expect(service.results.line("batch_none", 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(service.results.page("batch_none", 0, 1)).rejects.toMatchObject({ code: "not_found" });
    expect(() => service.results.exportLines("batch_none")).toThrow("No such batch");
  });
});

test("a batch whose input did not validate has no lines", async () => {
  const service = await openTestService();
  const { id } = await service.run("{}");
  expect(await service.results.page(id, 0, 10)).toEqual({ total: 0, rows: [] });
  expect(await exportIds(service, id)).toEqual([]);
  await expect(service.results.line(id, 1)).rejects.toMatchObject({ code: "not_found" });
});

test("an export has the lines of output and error file in the order of the input, byte for byte", async () => {
  const service = await openTestService({ engine: shuffling });
  const { id, outputFileId, errorFileId } = await service.run(fileOf(1_200));
  expect(await exportIds(service, id)).toEqual(Array.from({ length: 1_200 }, (_, at) => `q-${at + 1}`));
  const lines = (content: string) => content.trimEnd().split("\n").sort();
  const both = await Promise.all(
    [outputFileId, errorFileId].map((file) => readContent(service.files.read(file ?? ""))),
  );
  expect(lines(await readContent(service.results.exportLines(id)))).toEqual(lines(both.join("")));
});

test("everything reads the same after a restart, the times included", async () => {
  const dataDir = await makeTempDir();
  const before = await openTestService({ dataDir, engine: shuffling });
  const { id } = await before.run(fileOf(50));
  const page = await before.results.page(id, 0, 50);
  const content = await readContent(before.results.exportLines(id));
  await before.close();

  const after = await openTestService({ dataDir });
  const reread = await after.results.page(id, 0, 50);
  expect(page.rows.map(({ milliseconds }) => typeof milliseconds)).not.toContain("object");
  expect(reread.rows).toEqual(page.rows);
  expect(await readContent(after.results.exportLines(id))).toBe(content);
});

test("lines are found by what came of them, and counted by model, also after a restart", async () => {
  const dataDir = await makeTempDir();
  const before = await openTestService({ dataDir, engine: shuffling });
  const { id } = await before.run(fileOf(20));
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  const read = async ({ results }: Service) => {
    const failed = await results.page(id, 0, 10, { errors: ["rate_limit_exceeded"], states: ["failed"] });
    expect(failed).toMatchObject({ total: 1, rows: [{ line: 3, errorCode: "rate_limit_exceeded" }] });
    expect((await results.page(id, 0, 10, { finish: ["stop"] })).total).toBe(19);
    expect((await results.page(id, 0, 2, { states: ["answered"] }, { by: "line", descending: true })).rows).toEqual([
      expect.objectContaining({ line: 20 }),
      expect.objectContaining({ line: 19 }),
    ]);
    // The longer numbers of later lines take no more tokens.
    expect(await results.summary(id)).toMatchObject({
      models: [{ value: model, count: 19 }],
      promptTokens: { sum: 19 * 7 },
      completionTokens: { sum: 19 * 5 },
    });
  };
  await read(before);
  await before.close();

  const indexFile = join(dataDir, "indexes", id);
  const written = await readFile(indexFile);
  const after = await openTestService({ dataDir });
  await read(after);
  await after.close();
  // An index that is not that of its files is made anew.
  await writeFile(indexFile, "{}");
  const again = await openTestService({ dataDir });
  await read(again);
  expect(await readFile(indexFile)).toEqual(written);
});

test("a text is found in requests and answers, counted, and gone through in the order of the rows", async () => {
  const service = await openTestService({ engine: shuffling });
  const { id } = await service.run(fileOf(40));
  const { results } = service;
  const progress = await Array.fromAsync(results.search(id, "QUESTION 1"));
  // 1 and 10 to 19, in the request and in the answer.
  expect(progress.at(-1)).toMatchObject({ hits: 11, isDone: true });
  expect((await Array.fromAsync(results.search(id, "slow down"))).at(-1)).toMatchObject({ hits: 1 });
  const hit = (from: number, backwards = false) => results.findHit(id, { text: "question 1", from, backwards });
  expect(await hit(-1)).toEqual({ row: 0, line: 1, place: 1 });
  expect(await hit(0)).toEqual({ row: 9, line: 10, place: 2 });
  expect(await hit(18)).toEqual({ row: 0, line: 1, place: 1 });
  expect(await hit(0, true)).toEqual({ row: 18, line: 19, place: 11 });
  expect(await results.findHit(id, { text: "nowhere", from: -1, backwards: false })).toBeNull();
  const sorted = { filter: { states: ["answered"] }, sort: { by: "line", descending: true } } as const;
  const wanted = { text: "question 1", filter: { states: [...sorted.filter.states] }, sort: sorted.sort };
  expect(await results.findHit(id, { ...wanted, from: -1, backwards: false })).toEqual({ row: 21, line: 19, place: 1 });
  const rowOf = (line: number) => results.rowOf(id, line, { filter: wanted.filter, sort: wanted.sort });
  expect(await Promise.all([19, 40, 3, 999].map(rowOf))).toEqual([21, 0, null, null]);
  expect((await results.page(id, 0, 5, { search: "question 1", finish: ["stop"] })).total).toBe(11);
  expect(await results.numbers(id, { states: ["failed"] })).toEqual([3]);
  // What is missing in answers is missing in answered lines alone.
  const unanswered = await results.numbers(id, { columns: [{ path: "answer.none", op: "empty" }] });
  expect(unanswered).not.toContain(3);
  expect(unanswered).toHaveLength((await results.numbers(id, { states: ["answered"] })).length);
  expect(await results.summary(id, { search: "question 3" })).toMatchObject({
    lines: 11,
    errors: [{ value: "rate_limit_exceeded", count: 1, firstLine: 3 }],
  });
});

test("an answer that is shaped otherwise is shown as far as it goes", async () => {
  const odd = { id: "x", object: "chat.completion", created: 1, model: "m", choices: [], usage: null };
  const engine = createTestEngine(() => ({ statusCode: 200, body: odd as never }));
  const service = await openTestService({ engine });
  const { id } = await service.run(fileOf(1));
  expect(await service.results.line(id, 1)).toMatchObject({ state: "answered", answer: "", completionTokens: null });
});

test("a page of a large batch is read without the lines before it", async () => {
  const dataDir = await makeTempDir();
  const service = await openTestService({ dataDir });
  const { id, inputFileId, outputFileId } = await service.run(fileOf(2_000));
  const page = await service.results.page(id, 1_900, 100);
  expect(page.rows).toHaveLength(100);
  // Their bytes are gone: a page that reads them can't be the same.
  for (const fileId of [inputFileId, outputFileId]) {
    const file = await open(join(dataDir, "files", fileId ?? ""), "r+");
    await file.write(Buffer.alloc(Math.floor((await file.stat()).size / 2)), 0, undefined, 0);
    await file.close();
  }
  expect(await service.results.page(id, 1_900, 100)).toEqual(page);
});
