import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSystemMachine } from "../clock/index.ts";
import { createSilentLogger } from "../logger.ts";
import { makeTempDir } from "../testing/index.ts";
import { openTimings, readTimings, reusedTime } from "./timings.ts";

const logger = createSilentLogger();
const machine = createSystemMachine();

test("times are read as they were put down, the last of a line first", async () => {
  const path = join(await makeTempDir(), "timings", "batch_1");
  const timings = openTimings(path, { machine, logger });
  timings.append([{ line: 3, milliseconds: 12.5 }]);
  timings.append([
    { line: 1, milliseconds: 0 },
    { line: 3, milliseconds: 40 },
  ]);
  timings.append([{ line: 4, milliseconds: reusedTime }]);
  await timings.close();
  expect([...(await readTimings(path, 4))]).toEqual([0, Number.NaN, 40, reusedTime]);
});

test("a torn last entry is written over, and the others stay", async () => {
  const path = join(await makeTempDir(), "batch_1");
  const before = openTimings(path, { machine, logger });
  before.append([
    { line: 1, milliseconds: 1 },
    { line: 2, milliseconds: 2 },
  ]);
  await before.close();
  await truncate(path, 13);
  expect([...(await readTimings(path, 3))]).toEqual([1, Number.NaN, Number.NaN]);
  const after = openTimings(path, { machine, logger });
  after.append([{ line: 3, milliseconds: 3 }]);
  await after.close();
  expect([...(await readTimings(path, 3))]).toEqual([1, Number.NaN, 3]);
});

test("of a file that is no such one, nothing is believed that can't be", async () => {
  const path = join(await makeTempDir(), "batch_1");
  expect([...(await readTimings(path, 2))]).toEqual([Number.NaN, Number.NaN]);
  await writeFile(path, "not a file of times, but some text");
  expect(await readTimings(path, 2)).toHaveLength(2);
});

test("a place that can't be written to is told once, and stops nothing", async () => {
  const file = join(await makeTempDir(), "file");
  await writeFile(file, "");
  const warnings: string[] = [];
  const timings = openTimings(join(file, "batch_1"), {
    machine,
    logger: { ...logger, warn: (message) => void warnings.push(message) },
  });
  timings.append([{ line: 1, milliseconds: 1 }]);
  await timings.close();
  timings.append([{ line: 2, milliseconds: 1 }]);
  await timings.close();
  expect(warnings).toEqual(["The times of answers can't be written"]);
});
