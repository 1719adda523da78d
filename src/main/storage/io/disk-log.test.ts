import { expect, test } from "vitest";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import type { DiskFailure } from "./disk.ts";
import { createDiskLog } from "./disk-log.ts";

const full: DiskFailure = { code: "disk_full", message: "Disk full." };

function setUp() {
  const machine = createFakeMachine();
  const lines: string[] = [];
  const write = (message: string, fields: object = {}) =>
    lines.push(`${machine.monotonic() / 1_000} ${message} ${JSON.stringify(fields)}`);
  const logger = { debug: write, info: write, warn: write, error: write };
  return { machine, lines, log: createDiskLog({ machine, logger }) };
}

test("a disk that refuses and works by turns is in the log once a minute, at once when it begins", async () => {
  const { machine, lines, log } = setUp();
  for (let second = 0; second < 150; second++) {
    log.note(second % 2 === 0 ? full : null);
    await machine.advance(1_000);
  }
  expect(lines).toEqual([
    '0 The disk refuses {"code":"disk_full","error":"Disk full."}',
    '60 The disk works again {"changes":59}',
    '120 The disk refuses {"code":"disk_full","error":"Disk full.","changes":61}',
  ]);
  log.close();
  expect(lines.at(-1)).toMatch(/^150 The disk works again/);
});

test("a failure that ends within the minute is told when it is over, another one after that at once", async () => {
  const { machine, lines, log } = setUp();
  log.note(full);
  await machine.advance(5_000);
  log.note(null);
  await machine.advance(300_000);
  log.note(full);
  await machine.advance(90_000);
  log.note(null);
  log.close();
  expect(lines.map((line) => line.split(" {")[0])).toEqual([
    "0 The disk refuses",
    "60 The disk works again",
    "305 The disk refuses",
    "395 The disk works again",
  ]);
});
