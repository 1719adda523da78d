import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createSystemMachine } from "#main/base";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { createSilentLogger } from "../../base/logger.ts";
import type { Machine } from "../../base/ports.ts";
import { makeBatchRecord, makeTempDir } from "../../service/testing/index.ts";
import { createDurability } from "../io/durability.ts";
import { sealLine } from "../io/sealed-line.ts";
import { continueJournal, type Journal, writeJournal } from "./journal.ts";
import { readJournal } from "./read-journal.ts";
import type { Change } from "./records.ts";
import { createReplay, createRows, type Rows } from "./rows.ts";
import { openStore } from "./store.ts";

const batch = (id: string, name: string, about: Parameters<typeof makeBatchRecord>[0] = {}) =>
  makeBatchRecord({ id, metadata: { name }, ...about });

async function open(dataDir: string) {
  const store = await openStore({ dataDir }, { logger: createSilentLogger(), machine: createSystemMachine() });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** A folder with three batches, the second of them in two versions. */
async function makeFolder(about: Parameters<typeof makeBatchRecord>[0] = {}) {
  const dataDir = await makeTempDir();
  const store = await open(dataDir);
  for (const id of ["batch_a", "batch_b", "batch_c"]) store.batches.put(batch(id, "first", about));
  store.batches.put(batch("batch_b", "second", about));
  await store.close();
  const path = join(dataDir, "journal.jsonl");
  return { dataDir, path, bytes: await readFile(path) };
}

function read(path: string) {
  const rows = createRows();
  const reading = readJournal(path, createReplay(rows));
  return { rows, reading, names: namesOf(rows) };
}

const namesOf = ({ batches }: Pick<Rows, "batches">) =>
  Object.fromEntries(Array.from(batches.values(), ({ id, metadata }) => [id, metadata.name]));
const namesIn = (store: Awaited<ReturnType<typeof open>>) =>
  namesOf({ batches: new Map(store.batches.list().map((one) => [one.id, one])) });

test("metadata with any name is the same after a restart", async () => {
  const dataDir = await makeTempDir();
  const text = '{"__proto__":"a","constructor":"b","":"c","\\ud800\\n":"\\u0000"}';
  const first = await open(dataDir);
  first.batches.put(makeBatchRecord({ id: "batch_a", metadata: JSON.parse(text) }));
  await first.close();
  const { batches } = await open(dataDir);
  expect(JSON.stringify(batches.get("batch_a")?.metadata)).toBe(text);
});

test("a start reads a long journal in turns, and reports how far it is", async () => {
  const { dataDir, path, bytes } = await makeFolder({ inputFileId: "f".repeat(400_000) });
  const reports: (readonly [number, number])[] = [];
  const onReading = (done: number, total: number) => void reports.push([done, total]);
  const before = read(path);
  const store = await openStore(
    { dataDir },
    { logger: createSilentLogger(), machine: createSystemMachine(), onReading },
  );
  expect(namesIn(store)).toEqual(before.names);
  await store.close();
  expect(reports.length).toBeGreaterThan(3);
  expect(reports).toEqual(reports.toSorted(([one], [other]) => one - other));
  expect(reports.at(-1)).toEqual([bytes.length, bytes.length]);
});

test("a journal that another program removes, replaces or cuts is written anew before anything is confirmed", async () => {
  const harms: readonly ((path: string) => Promise<unknown>)[] = [
    (path) => rm(path),
    (path) => truncate(path, 90),
    (path) => rm(path).then(() => writeFile(path, "{}\n")),
    (path) => rename(path, `${path}.bak`).then(() => copyFile(`${path}.bak`, path)),
  ];
  for (const harm of harms) {
    const dataDir = await makeTempDir();
    const store = await open(dataDir);
    store.batches.put(batch("batch_a", "first"));
    await store.synced();
    await harm(join(dataDir, "journal.jsonl"));
    store.batches.put(batch("batch_b", "second"));
    await store.synced();
    // As a process leaves it that is killed now.
    const { rows, reading, names } = read(join(dataDir, "journal.jsonl"));
    expect({ names, damages: reading.damages, isDamaged: rows.isDamaged }).toEqual({
      names: { batch_a: "first", batch_b: "second" },
      damages: [],
      isDamaged: false,
    });
    await store.close();
  }
});

const all = { batch_a: "first", batch_b: "second", batch_c: "first" };

test("whatever byte is changed, and wherever it is cut, no record has other content, and what is lost is named", async () => {
  const { path, bytes } = await makeFolder();
  const damaged = join(await makeTempDir(), "journal.jsonl");
  const whole = read(path).reading;
  expect(whole).toMatchObject({ format: 2, damages: [], end: bytes.length });
  // A sample, that begins elsewhere in each line.
  for (let at = 0; at < bytes.length; at += 61) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    for (const content of [flipped, bytes.subarray(0, at)]) {
      await writeFile(damaged, content);
      const { names, reading } = read(damaged);
      for (const [id, name] of Object.entries(names)) {
        expect(["first", all[id as keyof typeof all]], `byte ${at}`).toContain(name);
      }
      const isNamed = reading.damages.length > 0 || reading.torn.length > 0 || content.length < bytes.length;
      expect(isNamed, `byte ${at}`).toBe(true);
      // A line feed in the place of another byte, or another byte in its place, costs one line at most.
      if (content === flipped) expect(Object.keys(names).length).toBeGreaterThanOrEqual(2);
    }
  }
});

test("lines that are doubled, swapped or gone are noticed, and the last version of a record counts", async () => {
  const { path, bytes } = await makeFolder();
  const lines = bytes.toString().trimEnd().split("\n");
  const at = (part: string) => lines.findIndex((line) => line.includes(part));
  const [second, c] = [at('"second"'), at('"batch_c"')];
  const write = (order: readonly number[]) => writeFile(path, order.map((one) => `${lines[one]}\n`).join(""));
  const usual = lines.keys().toArray();

  await write(usual.flatMap((one) => [one, one]));
  expect(read(path)).toMatchObject({ names: all, reading: { damages: [] } });
  await write(usual.map((one) => (one === second ? c : one === c ? second : one)));
  expect(read(path)).toMatchObject({ names: all, reading: { damages: [{ missing: 0 }] } });
  await write(usual.filter((one) => one !== second));
  expect(read(path)).toMatchObject({
    names: { ...all, batch_b: "first" },
    reading: { damages: [{ missing: 1, ids: [], line: second + 1 }] },
  });
});

test("a start goes on with the version before, keeps the damaged bytes, and deletes nothing until that is confirmed", async () => {
  const { dataDir, path, bytes } = await makeFolder({ connection: "connection-1", status: "in_progress" });
  const damaged = Buffer.from(bytes);
  damaged[bytes.indexOf('"second"') + 1] = 0x53;
  await writeFile(path, damaged);
  await writeFile(join(dataDir, "files", "file-9"), "named by nothing");

  for (const restart of [1, 2]) {
    const store = await open(dataDir);
    expect(namesIn(store)).toEqual({ ...all, batch_b: "first" });
    expect(
      store.batches
        .list()
        .filter(({ unclear }) => unclear)
        .map(({ id }) => id),
    ).toEqual(["batch_b"]);
    expect(store.isDamaged.get()).toBe(true);
    expect(store.notices.list(), `start ${restart}`).toMatchObject([
      {
        code: "journal_damaged",
        message: expect.stringMatching(/^Part of Sheaf’s journal was damaged.* 1 batch waits for your decision/),
        details: expect.stringMatching(/journal\.jsonl: Damaged: line \d+ \(batch_b\)/),
      },
    ]);
    expect(existsSync(join(dataDir, "files", "file-9"))).toBe(true);
    await store.close();
  }
  const [kept = ""] = await readdir(join(dataDir, "quarantine"));
  expect((await readFile(join(dataDir, "quarantine", kept))).includes('"Second"')).toBe(true);

  const store = await open(dataDir);
  await store.confirmDamage();
  expect(store.isDamaged.get()).toBe(false);
  expect(store.notices.list()).toEqual([]);
  store.batches.put(batch("batch_new", "new"));
  await store.close();
  expect((await readFile(`${path}.previous`)).includes('"Second"')).toBe(true);
  const after = await open(dataDir);
  expect(namesIn(after)).toEqual({ ...all, batch_b: "first", batch_new: "new" });
  expect(after.notices.list()).toMatchObject([{ code: "files_quarantined" }]);
  expect(after.batches.get("batch_b")?.unclear).toBe(true);
  expect(existsSync(join(dataDir, "files", "file-9"))).toBe(false);
});

test("where it can't be told whose line is lost, every batch that may cost waits for its user, and the endpoint is closed", async () => {
  const dataDir = await makeTempDir();
  const before = await open(dataDir);
  before.mcpEnabled.set(true);
  before.batches.put(batch("batch_paid", "x", { connection: "connection-1", status: "in_progress" }));
  before.batches.put(batch("batch_ended", "x", { connection: "connection-1", status: "completed" }));
  before.batches.put(batch("batch_upstream", "x", { mayCost: true, status: "in_progress" }));
  before.batches.put(batch("batch_own", "x", { status: "in_progress" }));
  before.batches.put(batch("batch_lost", "x"));
  before.batches.put(batch("batch_later", "x", { connection: "connection-1", status: "in_progress" }));
  await before.close();
  const path = join(dataDir, "journal.jsonl");
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const lost = lines.findIndex((line) => line.includes("batch_lost"));
  await writeFile(path, lines.map((line, at) => `${at === lost ? "\0".repeat(line.length) : line}\n`).join(""));

  const store = await open(dataDir);
  const unclear = store.batches.list().filter((one) => one.unclear);
  expect(unclear.map(({ id }) => id)).toEqual(["batch_upstream", "batch_paid"]);
  expect(store.mcpEnabled.get()).toBe(false);
});

test("a journal that is gone, empty or unreadable is replaced by the one before it", async () => {
  for (const content of [null, "", "\0".repeat(4_096)]) {
    const { dataDir, path, bytes } = await makeFolder();
    await writeFile(`${path}.previous`, bytes);
    if (content === null) await rm(path);
    else await writeFile(path, content);
    const store = await open(dataDir);
    expect(namesIn(store)).toEqual(all);
    expect(store.notices.list().map(({ code }) => code)).toContain("journal_restored");
  }
});

test("a journal of a newer version is refused", async () => {
  const { dataDir, path } = await makeFolder();
  await writeFile(path, sealLine({ kind: "journal", format: 3, folder: "x", seq: 1 }));
  await expect(open(dataDir)).rejects.toMatchObject({ code: "data_dir_newer" });
});

/** A journal with a table behind it. */
async function openJournal(dir: string, machine: Machine) {
  const path = join(dir, "journal.jsonl");
  const end = await writeJournal(path, "folder", 0, []);
  const rows = createRows();
  const logger = createSilentLogger();
  const durability = createDurability("second", { machine, logger });
  const journal: Journal = continueJournal(
    {
      path,
      folder: "folder",
      durability,
      machine,
      logger,
      settings: () => [],
      ids: () => rows.batches.keys(),
      changeOf: (id) => ({ kind: "batch", record: rows.batches.get(id) ?? batch(id, "gone") }),
      mayCompact: () => true,
    },
    end,
  );
  const put = (change: Extract<Change, { kind: "batch" }>) => {
    journal.append(change);
    rows.batches.set(change.record.id, change.record);
  };
  return { path, journal, durability, put, rows };
}

test("a journal of which half is dead is written anew while changes go on, and the one before stays", async () => {
  const { path, journal, put, rows } = await openJournal(await makeTempDir(), createSystemMachine());
  const text = "x".repeat(400_000);
  for (let change = 0; change < 60; change++) {
    put({ kind: "batch", record: batch(`batch_${change % 3}`, `${change}`, { notice: text }) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await journal.close();
  const { names, reading } = read(path);
  expect(names).toEqual(namesOf(rows));
  expect(reading.damages).toEqual([]);
  expect(reading.end).toBeLessThan(20_000_000);
  expect(read(`${path}.previous`).reading.damages).toEqual([]);
});

test("what is synced is marked with the next line, or after a second without one", async () => {
  const machine = createFakeMachine();
  const { path, journal, durability, put } = await openJournal(await makeTempDir(), machine);
  put({ kind: "batch", record: batch("batch_1", "x") });
  await durability.synced();
  const marks = async () =>
    [...(await readFile(path, "utf8")).matchAll(/"synced":(\d+)/g)].map(([, seq]) => Number(seq));
  expect(await marks()).toEqual([]);
  put({ kind: "batch", record: batch("batch_2", "x") });
  expect(await marks()).toEqual([2]);
  await journal.close();
  expect(await marks()).toEqual([2, 4]);
});

test("random damage never changes a record, and never stops a start", async () => {
  const { path, bytes } = await makeFolder();
  const places = fc.array(
    fc.record({ at: fc.nat(bytes.length - 1), length: fc.integer({ min: 1, max: 600 }), by: fc.nat(255) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  await fc.assert(
    fc.asyncProperty(places, async (damages) => {
      const content = Buffer.from(bytes);
      for (const { at, length, by } of damages) content.fill(by, at, Math.min(content.length, at + length));
      await writeFile(path, content);
      const { names } = read(path);
      for (const [id, name] of Object.entries(names)) expect(["first", all[id as keyof typeof all]]).toContain(name);
    }),
    { numRuns: 30 },
  );
});
