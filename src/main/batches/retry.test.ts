import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ResultFilter, ResultLine } from "#contract";
import type { BatchRecord } from "#main/storage";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  type TestService,
} from "../service/testing/index.ts";

/** Fails the lines whose custom_id is in the set, and notes which it is asked. */
function createFailingEngine(failing: Set<string>, codeOf: (customId: string) => string = () => "internal_error") {
  const asked: string[] = [];
  const engine = createTestEngine((call) => {
    const customId = call.line?.customId ?? "";
    asked.push(customId);
    if (!failing.has(customId)) return replyTo(call);
    const error = { message: "No.", type: "server_error", param: null, code: codeOf(customId) };
    return { statusCode: 500, body: { error } };
  });
  return { engine, asked };
}

const idsOf = (lines: readonly unknown[]) => lines.map((line) => (line as ResultLine).custom_id);

/** The results of a root with its retries: states by line, what is still failed, and what is exported. */
async function readMerged({ results }: TestService, rootId: string) {
  const view = { merged: true };
  const { rows } = await results.page(rootId, 0, 100, undefined, undefined, view);
  const failed = await results.page(rootId, 0, 100, { states: ["failed"] }, undefined, view);
  const exported = (await readContent(results.exportLines(rootId, view))).trim().split("\n");
  return {
    states: rows.map(({ state }) => state),
    failed: failed.rows.map(({ customId }) => customId),
    exported: idsOf(exported.map((line) => JSON.parse(line))),
  };
}

async function settle(service: TestService, { id }: BatchRecord): Promise<BatchRecord> {
  return service.batches.settled(id);
}

test("failed lines are asked again until none is left, through a restart, and go with their batch", async () => {
  const dataDir = await makeTempDir();
  const failing = new Set(["q-2", "q-4", "q-5"]);
  const { engine, asked } = createFailingEngine(failing);
  const service = await openTestService({ dataDir, engine });
  const root = await service.run(fileOf(6));
  expect(root.counts).toEqual({ total: 6, completed: 3, failed: 3 });
  await expect(service.batches.retry({ id: root.id, which: ["never_ran"] })).rejects.toThrow("has been asked");

  expect(await service.results.left(root.id)).toEqual({
    failed: 3,
    errors: { other: 3 },
    damaged: 0,
    neverRan: 0,
    awaited: 0,
    mayBePaid: 0,
    cut: 0,
    empty: 0,
  });

  failing.delete("q-2");
  asked.length = 0;
  const first = await settle(service, await service.batches.retry({ id: root.id, which: ["failed"] }));
  expect(first).toMatchObject({
    link: { kind: "retry", root: root.id },
    counts: { total: 3, completed: 1, failed: 2 },
  });
  expect(first.metadata.name).toMatch(/, retry 1$/);
  expect(asked).toEqual(["q-2", "q-4", "q-5"]);
  const input = (await readContent(await service.files.read(root.inputFileId))).split("\n");
  const again = [input[1], input[3], input[4], ""].join("\n");
  expect(await readContent(await service.files.read(first.inputFileId))).toBe(again);
  await service.close();

  failing.delete("q-5");
  asked.length = 0;
  const after = await openTestService({ dataDir, engine });
  // A retry of the retry belongs to the root, and asks what is still failed.
  const second = await settle(after, await after.batches.retry({ id: first.id, which: ["failed"] }));
  expect(second.link).toEqual({ kind: "retry", root: root.id });
  expect(second.metadata.name).toMatch(/, retry 2$/);
  expect(asked).toEqual(["q-4", "q-5"]);

  expect(await readMerged(after, root.id)).toEqual({
    states: ["answered", "answered", "answered", "failed", "answered", "answered"],
    failed: ["q-4"],
    exported: ["q-1", "q-2", "q-3", "q-4", "q-5", "q-6"],
  });
  expect(await after.results.line(root.id, 5, { merged: true })).toMatchObject({ line: 5, state: "answered" });
  expect(await after.results.line(root.id, 5)).toMatchObject({ line: 5, state: "failed" });

  const view = { merged: true };
  const summary = await after.results.summary(root.id, {}, view);
  expect(summary.states).toMatchObject([
    { value: "answered", count: 5 },
    { value: "failed", count: 1, firstLine: 4 },
  ]);
  const details = await after.results.lines(root.id, [5, 1], view);
  expect(details.map(({ line, asked, state }) => [line, asked.batchId, state])).toEqual([
    [5, second.id, "answered"],
    [1, root.id, "answered"],
  ]);
  expect(await after.results.numbers(root.id, { states: ["failed"], search: "q-4" }, view)).toEqual([4]);

  const page = async (filter: ResultFilter, by: string) =>
    (await after.results.page(root.id, 0, 9, filter, { by, descending: true }, view)).rows.map(({ line }) => line);
  expect(await page({}, "custom_id")).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await page({ columns: [{ path: "answer", op: "contains", value: "question" }] }, "line")).toEqual([
    6, 5, 3, 2, 1,
  ]);
  expect((await Array.fromAsync(after.results.search(root.id, "answer to", {}, view))).at(-1)).toMatchObject({
    hits: 5,
  });
  const wanted = { text: "answer to", from: 1, backwards: false };
  expect(await after.results.findHit(root.id, wanted, view)).toEqual({ row: 2, line: 3, place: 3 });

  failing.delete("q-4");
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  const third = await settle(after, await after.batches.retry({ id: root.id, which: ["failed"], model }));
  expect(third).toMatchObject({ models: [model], counts: { total: 1, completed: 1 } });
  await expect(after.batches.retry({ id: root.id, which: ["failed"] })).rejects.toThrow("left that failed");
  expect(await after.results.left(root.id)).toEqual({
    failed: 0,
    errors: {},
    damaged: 0,
    neverRan: 0,
    awaited: 0,
    mayBePaid: 0,
    cut: 0,
    empty: 0,
  });
  expect(after.batches.rename(third.id, "Second opinion").metadata.name).toBe("Second opinion");

  await after.batches.remove(second.id);
  await after.batches.remove(root.id);
  expect(after.batches.list({ limit: 10 }).batches).toEqual([]);
  expect(after.files.list()).toEqual([]);
  for (const folder of ["files", "answers", "indexes", "verdicts", "grades"]) {
    const path = join(dataDir, folder);
    if (existsSync(path)) expect(await readdir(path), folder).toEqual([]);
  }
  await after.close();
});

test("lines that never ran are asked once, and a batch that runs is not removed", async () => {
  const engine = createManualEngine(2);
  const service = await openTestService({ engine });
  const { id } = await service.submit(fileOf(5));
  await engine.arrived(2);
  await expect(service.batches.remove(id)).rejects.toThrow("has not ended. Cancel it first.");
  await service.batches.cancel(id);
  engine.release();
  const root = await service.batches.settled(id);
  expect(root).toMatchObject({ status: "cancelled", counts: { total: 5, completed: 2, failed: 0 } });

  const [one, other] = await Promise.allSettled([
    service.batches.retry({ id, which: ["never_ran"] }),
    service.batches.retry({ id, which: ["never_ran"] }),
  ]);
  expect(other).toMatchObject({ reason: { code: "nothing_to_retry" } });
  if (one.status === "rejected") throw one.reason;
  await engine.arrived(2);
  await expect(service.batches.remove(id)).rejects.toThrow("Its retry");
  await expect(service.batches.remove(id, { withRetries: false })).rejects.toMatchObject({
    code: "batch_in_use",
    message: expect.stringContaining(`Delete these first: ${one.value.id}.`),
  });
  engine.release();
  await engine.arrived(1);
  engine.release();
  const retry = await settle(service, one.value);
  expect(retry).toMatchObject({ status: "completed", counts: { total: 3, completed: 3 } });
  expect(new Set(idsOf(await service.lines(retry.outputFileId)))).toEqual(new Set(["q-3", "q-4", "q-5"]));
});

test("a retry asks every line whose request is sound, and names the damaged ones", async () => {
  const dataDir = await makeTempDir();
  const failing = new Set(["q-1", "q-2", "q-3", "q-4"]);
  const { engine, asked } = createFailingEngine(failing);
  const first = await openTestService({ dataDir, engine });
  const { id, inputFileId } = await first.run(fileOf(4));
  await first.close();
  const path = join(dataDir, "files", inputFileId);
  const sound = await readFile(path, "utf8");
  await writeFile(path, sound.replace('"q-3"', '"q-9"'));
  failing.clear();
  asked.length = 0;

  const service = await openTestService({ dataDir, engine });
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  expect(await service.batches.planRetry({ id, which: ["failed"], model, maxTokens: 5 })).toEqual([]);
  const retry = await service.batches.retry({ id, which: ["failed"] });
  expect(retry.notice).toBe("Line 3 can't be asked again: its request is damaged on disk. Submit it anew.");
  expect(await settle(service, retry)).toMatchObject({ counts: { total: 3, completed: 3 }, notice: retry.notice });
  expect(asked).toEqual(["q-1", "q-2", "q-4"]);
  const again = service.batches.retry({ id, which: ["failed"] });
  await expect(again).rejects.toMatchObject({ code: "file_damaged", message: `${retry.notice} Nothing was sent.` });
});

test("lines whose errors come again are counted apart, and a retry of failed lines leaves them out", async () => {
  const codes = new Map([
    ["q-1", "content_filter"],
    ["q-2", "rate_limit_exceeded"],
    ["q-4", "context_length_exceeded"],
  ]);
  const { engine, asked } = createFailingEngine(new Set(codes.keys()), (id) => codes.get(id) ?? "internal_error");
  const service = await openTestService({ engine });
  const { id } = await service.run(fileOf(4));
  expect(await service.results.left(id)).toMatchObject({ failed: 3, errors: { refused: 1, limited: 1, too_long: 1 } });

  asked.length = 0;
  await settle(service, await service.batches.retry({ id, which: ["failed"] }));
  expect(asked).toEqual(["q-2"]);
  await settle(service, await service.batches.retry({ id, which: ["refused"] }));
  expect(asked).toEqual(["q-2", "q-1", "q-4"]);
});
