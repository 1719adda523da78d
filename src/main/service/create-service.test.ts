import { expect, test } from "vitest";
import { openTestService, readGsm8kQuestions, requestLine, toJsonl } from "./testing/index.ts";

test("a batch of all GSM8K questions completes with each custom_id exactly once", async () => {
  const service = await openTestService();
  const questions = readGsm8kQuestions();
  const batch = await service.run(toJsonl(questions.map((question, at) => requestLine(`gsm8k-${at + 1}`, question))));

  expect(batch.status).toBe("completed");
  expect(batch.counts).toEqual({ total: questions.length, completed: questions.length, failed: 0 });
  expect(batch.errorFileId).toBeNull();
  const answers = await service.lines(batch.outputFileId);
  const ids = answers.map((answer) => (answer as { custom_id: string }).custom_id);
  expect(new Set(ids).size).toBe(questions.length);
  expect(ids).toHaveLength(questions.length);
});
