import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Logger, type PricedModels, type PriceRecord, toPriceRecord } from "#main/base";
import { commandWrites, keepPrices, noDurability, readPrices } from "#main/storage";
import { createFakeMachine, makeTempDir } from "../service/testing/index.ts";
import { injectDiskFaults } from "../storage/io/testing/inject-disk-faults.ts";
import { createJudgeCostReader } from "./judge-costs.ts";
import { createJudgeSpending } from "./judge-spending.ts";

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const november = Date.UTC(2026, 10, 30, 23, 59);
const call = { connectionId: "conn_1", model: "m", promptTokens: 1_000, cachedTokens: 400, completionTokens: 100 };

/** Prices of the models that are asked for: their input costs `input`. */
function pricesAt(input: number | null, models: readonly string[]): PriceRecord {
  const source = { kind: "typed" as const };
  const rates = { cached: 1, cacheWrite: 3, cacheWrite1h: 4, output: 8, factor: 1, cachedFactor: 1 };
  const priced = input === null ? [] : models;
  return toPriceRecord(
    priced.map((name) => ({ name, model: name, input: input ?? 0, ...rates, isCeiling: false, source })),
  );
}

/** `today` is the price of input, which a connection without a price has not; undefined where the connection is gone. */
function openReader(dir: string, today: () => number | null | undefined = () => null, now = november + 1_000) {
  const listeners = new Set<(connectionId: string) => void>();
  const reader = createJudgeCostReader({
    dir,
    durability: noDurability,
    prices: { keep: (record) => keepPrices(dir, record, commandWrites), read: (id) => readPrices(dir, id) },
    today: {
      async find(_id, { models }) {
        const input = today();
        return input === undefined ? null : pricesAt(input, models);
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    machine: { ...createFakeMachine(), wall: () => now },
  });
  return { ...reader, change: () => listeners.forEach((listener) => void listener(call.connectionId)) };
}

function open(
  dir: string,
  { price = 2 as number | null, now = () => november, machine = createFakeMachine(), logger = silent } = {},
) {
  const describeConnection = async (_id: string, { models }: PricedModels) => ({
    name: "Lab",
    prices: pricesAt(price, models),
  });
  const keep = { keep: async () => "record" };
  return createJudgeSpending({
    dir,
    durability: noDurability,
    prices: keep,
    describeConnection,
    machine: { ...machine, wall: now },
    logger,
  });
}

const row = {
  day: "2026-11-30",
  connection: { id: "conn_1", name: "Lab" },
  model: "m",
  answers: 1,
  prompt_tokens: 1_000,
  cached_tokens: 400,
  cache_write_tokens: 0,
  completion_tokens: 100,
  cost: (600 * 2 + 400 + 100 * 8) / 1e6,
  without_price: 0,
};

test("what several processes note is counted together, in the month in which it was answered, each at the price of its time", async () => {
  const dir = await makeTempDir();
  let now = november;
  const [app, command] = [open(dir, { now: () => now }), open(dir, { price: 4, now: () => now })];
  const { read } = openReader(dir);
  expect(await read("2026-11")).toEqual([]);
  await app.note(call);
  expect(await read("2026-11")).toEqual([row]);
  await command.note(call);
  const both = { answers: 2, prompt_tokens: 2_000, cached_tokens: 800, completion_tokens: 200 };
  const cost = expect.closeTo(2 * row.cost + 600 * 2e-6, 15);
  expect(await read("2026-11")).toEqual([{ ...row, ...both, cost }]);
  now += 120_000;
  await app.note(call);
  expect(await read("2026-12")).toEqual([{ ...row, day: "2026-12-01" }]);
  expect(await read("2026-11")).toEqual([{ ...row, ...both, cost }]);
  await Promise.all([app.close(), command.close()]);
});

test("what the service says that a call cost counts, a tier has no price, and neither have tokens that nobody counted", async () => {
  const dir = await makeTempDir();
  const [priced, unpriced] = [open(dir), open(dir, { price: null })];
  const bill = { cacheWriteTokens: 200, cacheWrite1hTokens: 0, cost: null, tier: null };
  await priced.note({ ...call, bill });
  await priced.note({ ...call, bill: { ...bill, cost: 0.5 } });
  await priced.note({ ...call, bill: { ...bill, tier: "priority" } });
  await priced.note({ ...call, promptTokens: null, completionTokens: null });
  await unpriced.note(call);
  const [found] = await openReader(dir).read("2026-11");
  expect(found).toMatchObject({ answers: 5, without_price: 3, cache_write_tokens: 600, prompt_tokens: 4_000 });
  expect(found?.cost).toBeCloseTo(0.5 + (400 * 2 + 200 * 3 + 400 + 800) / 1e6, 12);
});

/** A row of lines that can't be read. */
const unreadRow = (answers: number) => ({
  ...row,
  connection: { id: "", name: "Damaged records" },
  model: "",
  ...{ answers, prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0, cost: null, without_price: answers },
});

test("half a line and a changed one cost no other, and are counted without a price", async () => {
  const dir = await makeTempDir();
  const spending = open(dir);
  await spending.note(call);
  await spending.note(call);
  const folder = join(dir, "judge-calls");
  const [name = ""] = await readdir(folder);
  await appendFile(join(folder, name), '{"at":1');
  const { read } = openReader(dir);
  const both = { ...row, answers: 2, prompt_tokens: 2_000, cached_tokens: 800, completion_tokens: 200 };
  const found = [{ ...both, cost: expect.closeTo(2 * row.cost, 15) }, unreadRow(1)];
  expect(await read("2026-11")).toEqual(found);
  const path = join(folder, name);
  expect(await readFile(path, "utf8")).toMatch(/^.*"prices":"record".*\n.*\n\{"at":1$/);
  // It counts once: as half a line, and as what it became.
  expect(await read("2026-11")).toEqual(found);
  await appendFile(path, '23}\n{"kind":"of a newer version","at":1}\n');
  expect(await read("2026-11")).toEqual(found);
  await spending.close();

  await writeFile(path, (await readFile(path, "utf8")).replace('"promptTokens":1000', '"promptTokens":1001'));
  expect(await openReader(dir).read("2026-11")).toEqual([row, { ...unreadRow(1), day: "2026-11-01" }, unreadRow(1)]);
});

test("a call without a price gets the first one that is given later, and no other", async () => {
  const dir = await makeTempDir();
  let price: number | null = null;
  const priced = (input: number) => ({ ...row, cost: (600 * input + 400 + 100 * 8) / 1e6 });
  const unpriced = { ...row, cost: null, without_price: 1 };
  const spending = open(dir, { price: null });
  await spending.note(call);
  await spending.note({ ...call, model: "uncounted", promptTokens: null });
  const app = openReader(dir, () => price);
  const uncounted = { ...unpriced, model: "uncounted", prompt_tokens: 0 };
  expect(await app.read("2026-11")).toEqual([unpriced, uncounted]);
  // Nobody looks between the two prices.
  price = 2;
  app.change();
  await app.read("2026-12");
  price = 3;
  app.change();
  expect(await app.read("2026-11")).toEqual([priced(2), uncounted]);
  await app.close();
  const command = openReader(dir, () => price);
  expect(await command.read("2026-11")).toEqual([priced(2), uncounted]);
  // A call that comes after it is not of it.
  const later = open(dir, { price: null, now: () => november + 2_000 });
  await later.note(call);
  expect(await command.read("2026-11")).toEqual([
    {
      ...row,
      ...{ answers: 2, prompt_tokens: 2_000, cached_tokens: 800, completion_tokens: 200 },
      cost: expect.closeTo(priced(2).cost + priced(3).cost, 15),
    },
    uncounted,
  ]);
  await Promise.all([spending.close(), later.close(), command.close()]);
});

test("a changed connection has those months read in which its calls wait for a price, and a removed one none", async () => {
  const dir = await makeTempDir();
  const december = november + 3_600_000;
  const [settled, waiting] = [open(dir, { now: () => Date.UTC(2026, 9, 1) }), open(dir, { price: null })];
  await settled.note(call);
  await waiting.note(call);
  await Promise.all([settled.close(), waiting.close()]);
  const opened: string[] = [];
  const watch = await injectDiskFaults(({ name, path }) => {
    const month = /judge-calls.(\d{4}-\d\d)-[^/]*$/.exec(path)?.[1];
    if (name === "open" && month !== undefined) opened.push(month);
    return null;
  });
  onTestFinished(watch);
  let price: number | null | undefined;
  const app = openReader(dir, () => price, december);
  const change = async () => {
    opened.length = 0;
    app.change();
    await app.read("2027-01");
    return [...opened].sort();
  };
  expect(await change()).toEqual([]);
  price = null;
  expect(await change()).toEqual(["2026-10", "2026-11"]);
  expect(await change()).toEqual(["2026-11"]);
  price = 2;
  // It is read, and its price is written down.
  expect(await change()).toEqual(["2026-11", "2026-11"]);
  price = 3;
  expect(await change()).toEqual([]);
  const priced = { ...row, cost: (600 * 2 + 400 + 100 * 8) / 1e6 };
  expect(await app.read("2026-11")).toEqual([priced]);
  await app.close();
});

test("a call in a tier without a price has none with a later price, and an hour in the cache its own", async () => {
  const dir = await makeTempDir();
  const spending = open(dir, { price: null });
  const bill = { cacheWriteTokens: 200, cacheWrite1hTokens: 50, cost: null, tier: null };
  await spending.note({ ...call, bill });
  await spending.note({ ...call, model: "fast", bill: { ...bill, tier: "priority" } });
  const [usual, fast] = await openReader(dir, () => 2).read("2026-11");
  expect(usual?.cost).toBeCloseTo((400 * 2 + 150 * 3 + 50 * 4 + 400 + 800) / 1e6, 15);
  expect(fast).toMatchObject({ cost: null, without_price: 1 });
  await spending.close();
});

test("what the disk refuses is tried again every few seconds and at the end, and the log tells it once a minute", async () => {
  const dir = await makeTempDir();
  const folder = join(dir, "judge-calls");
  const refuse = () => writeFile(folder, "a file where the folder is to be");
  const machine = createFakeMachine();
  const warnings: unknown[] = [];
  const logger = { ...silent, warn: (message: string, details?: object) => warnings.push({ message, ...details }) };
  const countStored = async () => (await openReader(dir).read("2026-11"))[0]?.answers ?? 0;
  const spending = open(dir, { machine, logger });
  await refuse();
  await Promise.all(Array.from({ length: 20 }, () => spending.note(call)));
  expect(warnings).toHaveLength(1);
  await rm(folder);
  // The disk is left alone for a while.
  await spending.note(call);
  expect(await countStored()).toBe(0);
  await machine.advance(5_000);
  await spending.note(call);
  expect(await countStored()).toBe(22);
  expect(warnings).toHaveLength(1);

  await rm(folder, { recursive: true });
  const late = open(dir, { machine, logger });
  await refuse();
  await late.note(call);
  await machine.advance(60_000);
  await late.note(call);
  expect(warnings).toHaveLength(3);
  await rm(folder);
  await late.close();
  expect(await countStored()).toBe(2);
  expect(warnings).toHaveLength(3);

  await rm(folder, { recursive: true });
  const lost = open(dir, { machine, logger });
  await refuse();
  await lost.note(call);
  await lost.close();
  expect(warnings.at(-1)).toMatchObject({ message: "The usage of judge models could not be stored", calls: 1 });
  await spending.close();
});
