import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerEnds } from "#contract";
import { createSystemMachine } from "#main/base";
import { createSilentLogger } from "../../base/logger.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createDurability, noDurability } from "../io/durability.ts";
import type { LedgerAnswer } from "./answer.ts";
import { findUnsound } from "./check-tail.ts";
import { countEntered } from "./count-entered.ts";
import { noLedger, readLedger } from "./read-ledger.ts";
import type { LedgerPlace } from "./records.ts";
import { openLedger } from "./write-ledger.ts";

const logger = createSilentLogger();
const machine = createSystemMachine();

async function placeFor(batch = "batch_1", format?: 2): Promise<LedgerPlace> {
  return { path: join(await makeTempDir(), "answers", batch), folder: "folder", batch, ...(format && { format }) };
}

const answerOf = (line: number, changes: Partial<LedgerAnswer> = {}): LedgerAnswer => ({
  line,
  file: "output",
  start: line * 100,
  length: 99,
  checksum: line,
  skipped: false,
  milliseconds: line / 4,
  reused: false,
  damaged: false,
  status: 200,
  facts: {
    model: "a/model",
    finishReason: "stop",
    end: "complete",
    errorCode: null,
    promptTokens: 7,
    completionTokens: null,
    cachedTokens: 1,
    reasoningTokens: 2,
  },
  ...changes,
});

async function write(place: LedgerPlace, answers: readonly LedgerAnswer[], at = noLedger): Promise<void> {
  const ledger = openLedger(place, at, { durability: noDurability, machine, logger });
  ledger.append(answers);
  await ledger.close();
}

async function read(place: LedgerPlace) {
  const answers: LedgerAnswer[] = [];
  const reading = await readLedger(place, ({ answer }) => answers.push(answer));
  return { answers, ...reading };
}

const names = fc.option(fc.string({ unit: "grapheme", maxLength: 60 }).filter((name) => name !== ""));
const count = fc.integer({ min: 0, max: 0xffff_fffe });
const answers = fc.array(
  fc.record({
    line: fc.integer({ min: 1, max: 1_000_000 }),
    file: fc.constantFrom("output" as const, "error" as const),
    start: fc.integer({ min: 0, max: 2 ** 47 }),
    length: count,
    checksum: count,
    skipped: fc.boolean(),
    milliseconds: fc.option(fc.float({ min: 0, noNaN: true, noDefaultInfinity: true })),
    reused: fc.boolean(),
    damaged: fc.boolean(),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    facts: fc.record({
      model: names,
      finishReason: names,
      end: fc.constantFrom(...answerEnds),
      errorCode: names,
      promptTokens: fc.option(count),
      completionTokens: fc.option(count),
      cachedTokens: count,
      reasoningTokens: count,
    }),
  }),
);

test("entries are read as they were written, also behind those of a process that ended", async () => {
  await fc.assert(
    fc.asyncProperty(answers, answers, async (first, second) => {
      const place = await placeFor();
      await write(place, first);
      await write(place, second, await readLedger(place, () => {}));
      const expected = [...first, ...second].map((answer) => ({
        ...answer,
        milliseconds: answer.milliseconds === null ? null : answer.milliseconds + 0,
      }));
      expect((await read(place)).answers).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

const bills = fc.record({
  cacheWriteTokens: fc.integer({ min: 1, max: 0xffff_fffe }),
  cacheWrite1hTokens: count,
  cost: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  tier: names,
});

test("what an answer's price depends on besides is kept in format 2, and a ledger goes on in the format that it has", async () => {
  const billed = fc
    .tuple(answers, fc.array(fc.option(bills), { maxLength: 10 }))
    .map(([all, given]) =>
      all.map((answer, at) => ({ ...answer, facts: { ...answer.facts, ...(given[at] && { bill: given[at] }) } })),
    );
  const read = async (place: LedgerPlace) => {
    const found: LedgerAnswer[] = [];
    const { format } = await readLedger(place, ({ answer, isNamed }) => {
      expect(isNamed).toBe(true);
      found.push(answer);
    });
    return { format, bills: found.map(({ facts: { bill } }) => bill) };
  };
  await fc.assert(
    fc.asyncProperty(billed, billed, async (first, second) => {
      const [older, newer] = [await placeFor(), await placeFor("batch_1", 2)];
      for (const place of [older, newer]) {
        await write(place, first);
        // Whatever the format in which it would begin.
        await write({ ...place, format: 2 }, second, await readLedger(place, () => {}));
      }
      expect(await read(newer)).toEqual({ format: 2, bills: [...first, ...second].map(({ facts }) => facts.bill) });
      expect((await read(older)).format).toBe(1);
      expect((await read(older)).bills.every((bill) => bill === undefined)).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test("a bill is what docs/storage.md has it, and an answer whose bill is damaged is read again from its file", async () => {
  const place = await placeFor("batch_1", 2);
  const bill = { cacheWriteTokens: 900, cacheWrite1hTokens: 100, cost: 0.125, tier: "flex" };
  const { facts } = answerOf(1);
  await write(place, [answerOf(3, { facts: { ...facts, model: null, finishReason: null, bill } })]);
  const bytes = await readFile(place.path);
  expect(bytes.toString("utf8", 0, bytes.indexOf("\n"))).toContain('{"kind":"ledger","format":2,');
  const start = bytes.indexOf("\n") + 1;
  const record = bytes.subarray(start + 52, start + 104);
  expect(record.subarray(0, 4).toString("hex")).toBe("04000100");
  expect([4, 8, 12].map((at) => record.readUInt32LE(at))).toEqual([3, 900, 100]);
  expect(record.readDoubleLE(16)).toBe(0.125);
  expect(bytes.length).toBe(start + 3 * 52);
  expect((bytes[start + 105] ?? 0) & 128).toBe(128);
  bytes[start + 60] = 1;
  await writeFile(place.path, bytes);
  const found: boolean[] = [];
  await readLedger(place, ({ isNamed }) => found.push(isNamed));
  expect(found).toEqual([false]);
});

test("a ledger of format 2 whose header is damaged is still of that format", async () => {
  const place = await placeFor("batch_1", 2);
  await write(place, [answerOf(1)]);
  const bytes = await readFile(place.path);
  bytes[3] = 0;
  await writeFile(place.path, bytes);
  expect((await readLedger(place, () => {})).format).toBe(2);
});

test("an entry is what docs/storage.md has it", async () => {
  const place = await placeFor();
  await write(place, [answerOf(3, { file: "error", start: 2 ** 33 + 5, status: 429 })]);
  const bytes = await readFile(place.path);
  const header = '{"kind":"ledger","format":1,"folder":"folder","batch":"batch_1"';
  const sum = crc32(header).toString(16).padStart(8, "0");
  expect(bytes.toString("utf8", 0, bytes.indexOf("\n"))).toBe(`${header},"crc":"${sum}"}`);
  const records = bytes.subarray(bytes.indexOf("\n") + 1);
  // The names of the model and the finish reason come first.
  expect(records.length).toBe(3 * 52);
  expect(records.subarray(0, 15).toString("hex")).toBe(`0200010007000000${Buffer.from("a/model").toString("hex")}`);
  const entry = records.subarray(2 * 52);
  expect(entry.subarray(0, 16).toString("hex")).toBe("0111ad0103000000050000000200" + "0100");
  expect([entry.readUInt32LE(16), entry.readUInt32LE(20), entry.readFloatLE(24)]).toEqual([99, 3, 0.75]);
  expect([28, 32, 36, 40].map((at) => entry.readUInt32LE(at))).toEqual([7, 0xffff_ffff, 1, 2]);
  expect([entry.readUInt16LE(44), entry.readUInt16LE(46)]).toEqual([2, 0]);
  expect(entry.readUInt32LE(48)).toBe(crc32(entry.subarray(0, 48)));
});

test("an entry of a version before ends were noted has the end that its finish reason says", async () => {
  const place = await placeFor();
  const before = { end: null, completionTokens: 3 } as const;
  const facts = [
    { finishReason: "stop" },
    { finishReason: "length" },
    { finishReason: "stop", completionTokens: 0 },
    { finishReason: null },
  ];
  await write(
    place,
    facts.map((one, at) => answerOf(at + 1, { facts: { ...answerOf(1).facts, ...before, ...one } })),
  );
  const { answers } = await read(place);
  expect(answers.map(({ facts: { end } }) => end)).toEqual(["complete", "cut", "empty", null]);
});

test("a damaged record costs itself, and half a one at the end is cut off", async () => {
  const place = await placeFor();
  await write(
    place,
    [1, 2, 3, 4].map((line) => answerOf(line)),
  );
  const sound = await readFile(place.path);
  const entries = sound.length - 4 * 52;
  for (let at = 0; at < sound.length; at += 7) {
    const flipped = Buffer.from(sound);
    flipped[at] = (flipped[at] ?? 0) ^ 4;
    await writeFile(place.path, flipped);
    const { answers, size, damaged } = await read(place);
    const lost = at < entries ? [] : [Math.floor((at - entries) / 52) + 1];
    expect(answers.map(({ line }) => line)).toEqual([1, 2, 3, 4].filter((line) => !lost.includes(line)));
    expect(damaged).toBe(lost[0] === 4 ? 0 : 1);
    expect(size).toBe(lost[0] === 4 ? sound.length - 52 : sound.length);
  }
  await writeFile(place.path, sound.subarray(0, -10));
  await write(place, [answerOf(4)], await readLedger(place, () => {}));
  expect(await readFile(place.path)).toEqual(sound);
  expect((await read({ ...place, batch: "batch_2" })).answers).toEqual([]);
});

test("a mark covers what was entered before its sync began", async () => {
  const place = await placeFor();
  const durability = createDurability("second", { machine, logger });
  const ledger = openLedger(place, noLedger, { durability, machine, logger });
  ledger.append([answerOf(1)]);
  const { size } = await readLedger(place, () => {});
  const syncing = durability.synced();
  ledger.append([answerOf(2)]);
  await syncing;
  ledger.append([answerOf(3)]);
  expect(await read(place)).toMatchObject({ synced: size, answers: [{ line: 1 }, { line: 2 }, { line: 3 }] });
  await ledger.close();
  const { synced, size: end } = await read(place);
  expect(synced).toBe(end - 52);
  await durability.close();
});

test("behind the last mark nothing counts from the first record on that the disk does not have", async () => {
  const place = await placeFor();
  await write(
    place,
    [1, 2, 3].map((line) => answerOf(line, { damaged: true })),
  );
  const bytes = await readFile(place.path);
  const positions: number[] = [];
  await readLedger(place, ({ at }) => positions.push(at));
  const [, second = 0, third = 0] = positions;
  const find = async () => findUnsound(place, await readLedger(place, () => {}), { output: null, error: null });
  expect(await find()).toBe(null);
  bytes.fill(0, second, third);
  await writeFile(place.path, bytes);
  expect(await find()).toBe(second);
});

test("a ledger in which nothing is entered yet is none of before there were ledgers", async () => {
  const place = await placeFor();
  await write(place, []);
  expect(await read(place)).toMatchObject({ answers: [], size: (await readFile(place.path)).length });
});

test("nothing counts from the first answer on whose file the batch does not name", async () => {
  const place = await placeFor();
  await write(place, [answerOf(1, { file: "error" })]);
  const reading = { ...(await readLedger(place, () => {})), synced: Number.MAX_SAFE_INTEGER };
  const positions: number[] = [];
  await readLedger(place, ({ at }) => positions.push(at));
  expect(await findUnsound(place, reading, { output: "unread", error: null })).toBe(positions[0]);
});

test("an entry of a line that there is none of is not counted, so that no batch has more answers than lines", async () => {
  const place = await placeFor();
  await write(
    place,
    [1, 2, 0, 3].map((line) => answerOf(line)),
  );
  expect(await countEntered(place, 2)).toEqual({ completed: 2, failed: 0, reused: 0, ends: { complete: 2 } });
});
