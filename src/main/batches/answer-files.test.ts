import { readFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock, createSystemMachine } from "#main/base";
import { createLineIndex } from "#main/results";
import { noLedger, openStore } from "#main/storage";
import { createCountingIds } from "../base/ids.ts";
import { createSilentLogger } from "../base/logger.ts";
import { makeBatchRecord } from "../service/testing/index.ts";
import { openAnswerFiles } from "./answer-files.ts";
import type { AnswerCounts } from "./state.ts";

const total = 300;

async function openFiles() {
  const deps = { clock: createManualClock(), machine: createSystemMachine(), logger: createSilentLogger() };
  const store = await openStore({ ephemeral: true }, deps);
  onTestFinished(() => store.close());
  const batch = makeBatchRecord({ status: "in_progress", counts: { total, completed: 0, failed: 0 } });
  store.batches.put(batch);
  const index = createLineIndex(new Float64Array(total + 1));
  const opened = { index, ledger: noLedger, isScanned: false, supersededEnds: { output: 0, error: 0 }, missing: [] };
  const counts: AnswerCounts[] = [];
  const parts = { ...deps, store, watchExpiry: () => {}, ids: createCountingIds() };
  const answers = await openAnswerFiles(parts, batch.id, opened, (now) =>
    counts.push({ ...now, ends: { ...now.ends } }),
  );
  onTestFinished(() => answers.abandon());
  const idOf = (which: "output" | "error") => store.batches.get(batch.id)?.[`${which}FileId`] ?? null;
  return { store, index, answers, counts, idOf };
}

const reply = (statusCode: number, line: number) => ({ statusCode, body: { text: `${"é".repeat(line % 7)}${line}` } });

test("each answer is in its file in the order in which it came, and the index has where it is", async () => {
  const { store, index, answers, counts, idOf } = await openFiles();
  for (let line = 1; line <= total; line++) {
    const request = { line, customId: `q-${line}` };
    if (line % 3 === 0)
      answers.append({ ...request, reply: null, reason: { code: "batch_expired", message: "Late." } });
    else
      answers.append({ ...request, requestId: "r", reply: reply(line % 3 === 1 ? 200 : 400, line), milliseconds: 5 });
  }
  await answers.drained();
  const bytesOf = async (which: "output" | "error") => await readFile(store.pathOf(idOf(which) ?? ""));
  const files = { output: await bytesOf("output"), error: await bytesOf("error") };
  const ids = (bytes: Buffer) =>
    bytes
      .toString()
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text).custom_id);
  const lines = Array.from({ length: total }, (_, at) => at + 1);
  expect(ids(files.output)).toEqual(lines.filter((line) => line % 3 === 1).map((line) => `q-${line}`));
  expect(ids(files.error)).toEqual(lines.filter((line) => line % 3 !== 1).map((line) => `q-${line}`));
  for (const line of lines) {
    const answer = index.answer(line);
    if (answer === null) throw new Error(`Line ${line} has no answer.`);
    const { file, start, length, checksum } = answer;
    expect(crc32(files[file].subarray(start, start + length + 1))).toBe(checksum);
    expect(JSON.parse(files[file].toString("utf8", start, start + length))).toMatchObject({ custom_id: `q-${line}` });
  }
  expect(counts.at(-1)).toMatchObject({ completed: total / 3, failed: total / 3 });
});

test("an answer that takes the place of an error is counted once", async () => {
  const { answers, counts } = await openFiles();
  answers.append({ line: 1, customId: "q-1", requestId: "r", reply: reply(500, 1), milliseconds: null });
  await answers.drained();
  answers.append({ line: 1, customId: "q-1", requestId: "r", reply: reply(200, 1), milliseconds: null });
  await answers.drained();
  expect(counts.map(({ completed, failed }) => [completed, failed])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
  ]);
});

test("a file without a line is none", async () => {
  const { store, answers, idOf } = await openFiles();
  answers.append({ line: 1, customId: "q-1", requestId: "r", reply: reply(200, 1), milliseconds: null });
  await answers.finish();
  expect(idOf("error")).toBeNull();
  expect(store.files.list().map(({ id }) => id)).toEqual([idOf("output")]);
});
