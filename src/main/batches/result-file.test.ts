import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock, createSystemMachine } from "#main/base";
import { createSilentLogger } from "../base/logger.ts";
import { makeTempDir } from "../service/testing/index.ts";
import { type Appended, openLineAppender } from "./result-file.ts";

async function openAppender(before = "", startAt = 0) {
  const path = join(await makeTempDir(), "lines.jsonl");
  if (before !== "") await writeFile(path, before);
  const writes: (readonly Appended<number>[])[] = [];
  const appender = await openLineAppender<number>({
    path,
    startAt,
    clock: createManualClock(),
    machine: createSystemMachine(),
    logger: createSilentLogger(),
    enter: (lines) => writes.push(lines),
    onWritten: () => {},
  });
  onTestFinished(() => appender.abandon());
  return { appender, writes, content: () => readFile(path, "utf8") };
}

test("lines stand in the order in which they came, and the places told are where they are", async () => {
  const { appender, writes, content } = await openAppender();
  const lines = Array.from({ length: 500 }, (_, at) => `${"é".repeat(at % 7)}${at}`);
  lines.forEach((line, at) => {
    appender.append(line, at);
  });
  await appender.drained();
  expect(await content()).toBe(lines.map((line) => `${line}\n`).join(""));
  const bytes = Buffer.from(await content());
  for (const { about, start, length, checksum } of writes.flat()) {
    expect(crc32(bytes.subarray(start, start + length + 1))).toBe(checksum);
    expect(bytes.subarray(start, start + length).toString()).toBe(lines[about]);
  }
});

test("lines that come while a write is under way go out with the next", async () => {
  const { appender, writes } = await openAppender();
  for (let line = 0; line < 1_000; line++) appender.append("x", line);
  expect(appender.queuedBytes).toBe(2_000);
  await appender.drained();
  expect(writes.length).toBeLessThanOrEqual(2);
  expect(appender.queuedBytes).toBe(0);
});

test("a file that is there already is cut and gone on with, and its size is that of all of it", async () => {
  const { appender, content } = await openAppender("first\ntorn li", 6);
  appender.append("second", 1);
  expect(await appender.close()).toBe(13);
  expect(await content()).toBe("first\nsecond\n");
});

test("a file that starts anew holds nothing of what was there", async () => {
  const { appender, content } = await openAppender("rubbish without an end", 0);
  appender.append("first", 1);
  await appender.close();
  expect(await content()).toBe("first\n");
});
