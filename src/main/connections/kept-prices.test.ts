import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createSystemMachine } from "#main/base";
import type { Service } from "#main/service";
import { backUpFolder } from "../doctor/back-up-folder.ts";
import { examineFolder } from "../doctor/examine-folder.ts";
import { openTestService } from "../service/testing/index.ts";
import { findPrices } from "./pricing/model-price.ts";
import { openPrices } from "./pricing/open-prices.ts";
import { createTestFolder, type TestFolder } from "./testing/open-service.ts";
import { type StandIn, startStandIn } from "./testing/stand-in.ts";

let folder: TestFolder;
let standIn: StandIn;
let asked = 0;

beforeAll(async () => {
  folder = await createTestFolder();
  standIn = await startStandIn(({ method, body }) => {
    if (method === "GET") return { body: { object: "list", data: [] } };
    asked += 1;
    const { model, messages } = JSON.parse(body.toString("utf8"));
    const question: string = messages[0].content;
    const message = { role: "assistant", content: `You said ${question}` };
    const usage = {
      prompt_tokens: 1_000 + asked * 7,
      completion_tokens: 13 + asked,
      prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 77 },
      ...(question === "reported" && { cost: 0.123_456_7 }),
    };
    const tier = question === "flex" ? { service_tier: "flex" } : {};
    return { body: { id: "c", model: `${model}-2026-01-01`, choices: [{ index: 0, message }], usage, ...tier } };
  });
});
afterAll(async () => {
  await standIn.close();
  await folder.remove();
});

async function open(): Promise<Service & { stop(): Promise<void> }> {
  const service = await folder.open();
  service.setPrices(openPrices(folder.store));
  onTestFinished(service.stop);
  return service;
}

async function submit(service: Service, connection: string, asks: readonly (readonly [model: string, text: string])[]) {
  const lines = asks.map(([model, content], at) => {
    const body = { model, messages: [{ role: "user", content }] };
    return `${JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body })}\n`;
  });
  const pending = await service.files.receive(
    (async function* () {
      yield Buffer.from(lines.join(""));
    })(),
    { connection },
  );
  const { id: inputFileId } = await pending.store({ filename: "input.jsonl", purpose: "batch" });
  const about = { endpoint: "/v1/chat/completions", completionWindow: "24h", connection } as const;
  const { id } = await service.batches.create({ inputFileId, ...about });
  return await service.batches.settled(id);
}

const prices = { input: 1.1, output: 3.3, cached: 0.37, cacheWrite: 1.9, cacheWrite1h: null };
const about = () => ({ adapter: "chat", preset: null, url: `${standIn.url}/v1` }) as const;

const costOf = async (service: Service, id: string) => {
  const batch = service.batches.get(id);
  if (batch === undefined) throw new Error("It is gone.");
  return await service.costs.of(batch);
};

it("a batch's cost is the same to the last digit whatever becomes of its connection, after a restart, a retry, an export and in a backup", async () => {
  const { id: connection } = await folder.store.save({ ...about(), name: "Lab", prices });
  const first = await open();
  const questions = Array.from({ length: 40 }, (_, at) => ["m", `question ${at}`] as const);
  const batch = await submit(first, connection, [...questions, ["m", "reported"], ["m", "flex"]]);
  const cost = await costOf(first, batch.id);
  // What was answered in another tier has no price.
  expect(cost).toMatchObject({ lines: 41, unknown: 1, reported: 1, isToday: false });
  expect(batch).toMatchObject({ connectionName: "Lab", prices: expect.any(String) });
  const isSame = async (service: Service) => expect(await costOf(service, batch.id)).toEqual(cost);
  const { rows } = await first.results.page(batch.id, 0, 50);
  const sum = rows.reduce((total, row) => total + (row.cost ?? 0), 0);
  expect(sum).toBeCloseTo(cost?.usd ?? 0, 12);
  expect(rows.find(({ question }) => question === "reported")?.cost).toBe(0.123_456_7);

  const saved = await folder.store.find(connection);
  if (saved === undefined) throw new Error("The connection is gone.");
  await folder.store.save({ ...saved, prices: { ...prices, input: 1_000 } });
  await isSame(first);
  await folder.store.remove(connection);
  await isSame(first);
  await folder.store.save({ ...about(), name: "Lab", prices: { ...prices, output: 999 } });
  await isSame(first);

  await first.stop();
  const second = await open();
  await isSame(second);
  const again = await folder.store.find("Lab");
  const retry = await second.batches.retry({
    id: batch.id,
    which: ["lines"],
    lines: [1, 2],
    connection: again?.id ?? "",
  });
  await second.batches.settled(retry.id);
  await isSame(second);
  // It is a batch of its own, at the prices of its own day.
  expect((await costOf(second, retry.id))?.usd).toBeGreaterThan(0.01);
  let exported = 0;
  for await (const _ of second.results.exportLines(batch.id, { merged: true })) exported += 1;
  expect(exported).toBe(42);
  await isSame(second);
  await second.stop();

  const copies = await mkdtemp(join(tmpdir(), "sheaf-copies-"));
  onTestFinished(() => rm(copies, { recursive: true, force: true }));
  const out = join(copies, "elsewhere");
  await backUpFolder(folder.path, out, createSystemMachine());
  const restored = await openTestService({ dataDir: out });
  await isSame(restored);
  expect(restored.batches.get(batch.id)?.connectionName).toBe("Lab");
  await restored.close();
});

it("a model without a price does not cost what another one does that its name begins with", async () => {
  const large = await folder.store.save({
    ...about(),
    name: "Large",
    modelPrices: [{ model: "gpt-4o", prices: { input: 2, output: 4 }, factor: null }],
  });
  const service = await open();
  const batch = await submit(service, large.id, [
    ["gpt-4o", "a"],
    ["gpt-4o-mini", "b"],
  ]);
  expect(await costOf(service, batch.id)).toMatchObject({ lines: 1, unknown: 1 });
  const { rows } = await service.results.page(batch.id, 0, 9);
  expect(rows.map(({ cost }) => cost)).toEqual([expect.any(Number), null]);
});

it("a price that was not known is filled by the first that is given later; equal prices are stored once", async () => {
  const unpriced = await folder.store.save({
    ...about(),
    name: "Half",
    modelPrices: [{ model: "known", prices: { input: 2, output: 4 }, factor: null }],
  });
  const service = await open();
  const both = [
    ["known", "a"],
    ["unknown", "b"],
    ["unknown", "c"],
  ] as const;
  const batch = await submit(service, unpriced.id, both);
  const other = await submit(service, unpriced.id, both);
  expect(other.prices).toBe(batch.prices);
  const before = await costOf(service, batch.id);
  expect(before).toMatchObject({ lines: 1, unknown: 2 });

  const own = unpriced.modelPrices;
  const priceUnknown = (input: number) => [
    ...own,
    { model: "unknown", prices: { input, output: 0, cached: 0, cacheWrite: 0, cacheWrite1h: 0 }, factor: null },
  ];
  // Who reads the folder from elsewhere fills nothing in it: what is shown is marked, and changes with the connection.
  const elsewhere = await openTestService({ archives: async () => [folder.path], listsArchives: true });
  for (const input of [5, 6]) {
    const today = { ...unpriced, modelPrices: priceUnknown(input) };
    elsewhere.setPrices({ find: (_id, models) => findPrices(today, models), subscribe: () => () => {} });
    const seen = await costOf(elsewhere, batch.id);
    expect(seen).toMatchObject({ lines: 3, unknown: 0, isToday: true });
  }
  elsewhere.setPrices({ find: async () => null, subscribe: () => () => {} });
  expect(await costOf(elsewhere, batch.id)).toEqual(before);
  await elsewhere.close();
  // The first one counts, though nobody has looked at the batch meanwhile.
  await folder.store.save({ ...unpriced, modelPrices: priceUnknown(10) });
  await expect.poll(() => service.batches.get(batch.id)?.prices).not.toBe(batch.prices);
  await folder.store.save({ ...unpriced, modelPrices: priceUnknown(99) });
  const filled = await costOf(service, batch.id);
  const { rows } = await service.results.page(batch.id, 0, 9);
  const uncached = rows.slice(1).reduce((sum, { promptTokens }) => sum + (promptTokens ?? 0) - 377, 0);
  expect(filled).toMatchObject({ lines: 3, unknown: 0 });
  expect((filled?.usd ?? 0) - (before?.usd ?? 0)).toBeCloseTo((uncached * 10) / 1e6, 12);
  await expect.poll(() => service.batches.get(other.id)?.prices).toBe(service.batches.get(batch.id)?.prices);
  const stored = await readdir(join(folder.path, "prices"));
  expect(stored.filter((name) => name.startsWith(other.prices ?? ""))).toHaveLength(1);

  // Without its record a batch is one from before prices were kept: it has today's, and says so.
  await service.stop();
  for (const name of stored) await rm(join(folder.path, "prices", name));
  const later = await open();
  expect(await costOf(later, batch.id)).toMatchObject({ lines: 3, isToday: true });
  const { findings } = await examineFolder(folder.path, createSystemMachine());
  const lost = findings.filter((finding) => finding.path.startsWith("prices"));
  expect(lost.map(({ kind, ids }) => ids.includes(batch.id) && kind)).toContain("record_damaged");
  // One that is JSON and no record of prices is not there either.
  const [changed = ""] = stored;
  await writeFile(join(folder.path, "prices", changed), '{"version":1,"models":[{"name":"m","input":"2"}]}');
  const again = (await examineFolder(folder.path, createSystemMachine())).findings;
  expect(again.map(({ path, message }) => `${path}: ${message}`)).toContainEqual(
    expect.stringContaining(`${changed} is not as it was written.`),
  );
  const ledger = await readFile(join(folder.path, "answers", batch.id), "latin1");
  expect(ledger.slice(0, ledger.indexOf("\n"))).toContain('"format":2');
});
