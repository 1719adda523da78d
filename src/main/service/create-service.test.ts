import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ResultLine } from "#contract";
import { makeTempDir, openTestService, readGsm8kQuestions, requestLine, toJsonl } from "./testing/index.ts";

test("a batch of all GSM8K questions completes with each custom_id exactly once", async () => {
  const service = await openTestService();
  const questions = readGsm8kQuestions();
  const batch = await service.run(toJsonl(questions.map((question, at) => requestLine(`gsm8k-${at + 1}`, question))));

  expect(batch.status).toBe("completed");
  expect(batch.counts).toEqual({ total: questions.length, completed: questions.length, failed: 0 });
  expect(batch.errorFileId).toBeNull();
  const answers = await service.lines(batch.outputFileId);
  const ids = answers.map((answer) => (answer as ResultLine).custom_id);
  expect(new Set(ids).size).toBe(questions.length);
  expect(ids).toHaveLength(questions.length);
});

test("checking a file finds what a batch made from it fails with", async () => {
  const service = await openTestService();
  const content = toJsonl([requestLine("a", "?"), "{}", requestLine("a", "?", { body: { temperature: 5 } })]);
  const path = join(await makeTempDir(), "input.jsonl");
  await writeFile(path, content);
  const report = await service.validateFile(path);
  const batch = await service.run(content);
  expect(report.problems).toEqual(batch.problems);
  expect(report).toMatchObject({ requests: 3, errorCount: 6, warningCount: 0 });
});

test("the limits of the tier hold, and the standard ones unless told", async () => {
  const content = toJsonl([requestLine("a", "?", { body: { max_completion_tokens: 5_000 } })]);
  const standard = await openTestService();
  expect((await standard.run(content)).status).toBe("completed");
  const free = await openTestService({ tier: "free" });
  expect((await free.run(content)).problems).toMatchObject([{ code: "max_output_exceeded" }]);
});

test("a folder in use is refused with the pid, and free again after closing", async () => {
  const dataDir = await makeTempDir();
  const first = await openTestService({ dataDir });
  await expect(openTestService({ dataDir })).rejects.toMatchObject({
    name: "DataDirError",
    code: "data_dir_in_use",
    message: expect.stringContaining(`process ${process.pid}`),
  });
  await first.close();
  await openTestService({ dataDir });
});
