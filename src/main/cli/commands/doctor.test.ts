import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { findingKinds } from "#contract";
import { commandWrites, readJsonFile, readRecords, writeJsonFile } from "#main/storage";
import { connectPort, openApp } from "../../app/testing/app-fixture.ts";
import {
  createManualEngine,
  createTestEngine,
  openTestService,
  fileOf as requestsOf,
} from "../../service/testing/index.ts";
import { listJobs } from "../jobs/job-folder.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { writeFolder } from "../testing/write-folder.ts";

/** A folder with something of everything, which is written once and copied for each test. */
let sound = "";
let batchIds: readonly string[] = [];
/** What a user finds in it. */
let whole: Awaited<ReturnType<typeof look>>;

beforeAll(async () => {
  sound = join(await mkdtemp(join(tmpdir(), "sheaf-doctor-")), "data");
  ({ batchIds } = await writeFolder(sound));
  whole = await look(await copy());
});
afterAll(() => rm(join(sound, ".."), { recursive: true }));

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const dir = join(sound, "..", `copy-${copies}`);
  await cp(sound, dir, { recursive: true, preserveTimestamps: true });
  return dir;
}

/** What a user finds in a folder. */
async function look(dataDir: string, isFiltered = false) {
  const { app, service, connections, close } = await openApp({ dataDir });
  const { client, leave } = connectPort(app);
  const [first = "", second = ""] = batchIds;
  const states = async (batchId: string) =>
    (await client.results.page({ batchId, offset: 0, limit: 9 })).rows.map(({ state }) => state).join(" ");
  const condition = { path: "answer", op: "contains" as const, value: "a" };
  const orNull = <T>(value: Promise<T>) => value.catch(() => null);
  const seen = {
    batches: (await client.batches.list({})).batches.map(({ name, status }) => `${name} ${status}`).sort(),
    first: await orNull(states(first)),
    second: await orNull(states(second)),
    input: await service.files.read(service.batches.get(first)?.inputFileId ?? "").then(
      (content) => content.destroy() && "sound",
      (error: Error & { code?: string }) => error.code,
    ),
    verdicts: (await client.verifications.get({ batchId: first }))?.done ?? null,
    grades: (await client.grades.get({ batchId: first }))?.done ?? null,
    // A filter starts a thread, which takes longer than all the rest.
    filtered: isFiltered ? (await service.results.numbers(first, { columns: [condition] })).length : null,
    history: (await client.verifications.history()).length,
    table: await orNull(
      find(dataDir, "sources").then((path) => client.sources.rows({ id: basename(path), offset: 0, limit: 3 })),
    ),
    drafts: (await client.drafts.list()).map(({ name }) => name),
    connections: (await orNull(connections.list()))?.map(({ name }) => name) ?? null,
    jobs: (await listJobs(join(dataDir, "cli"))).map(
      ({ manifest: { file, connection, status, counts } }) => `${file} ${connection.name} ${status} ${counts.total}`,
    ),
    tier: (await client.server.get()).server.tier,
    damaged: service.readHealth().includes("data_damaged"),
  };
  leave();
  await close();
  return seen;
}

type Seen = typeof whole;
type Kind = (typeof findingKinds)[number];

interface Row {
  readonly name: string;
  readonly damage: (dir: string) => Promise<unknown>;
  /** What the doctor finds; a note is in parentheses. */
  readonly found: readonly (Kind | `(${Kind})`)[];
  /** Of these, what is there after a repair. */
  readonly left?: readonly Kind[];
  /** What differs then in the app. */
  readonly differs?: Partial<Seen>;
  /** What differs in it without a repair; default: the same. */
  readonly shown?: Partial<Seen>;
}

/** The only file in a folder whose name has a form; the first where there are several. */
async function find(dir: string, folder: string, form = /^[a-z]/): Promise<string> {
  const name = (await readdir(join(dir, folder))).filter((one) => form.test(one)).sort()[0];
  if (name === undefined) throw new Error(`Nothing in ${folder}.`);
  return join(dir, folder, name);
}

async function change(path: string, by: (bytes: Buffer) => Uint8Array): Promise<void> {
  await writeFile(path, by(await readFile(path)));
}
/** Flips a bit of the last occurrence of a text. */
const flip = (path: string, text: string | Uint8Array) =>
  change(path, (bytes) => {
    const at = bytes.lastIndexOf(text);
    if (at === -1) throw new Error(`${path} has no ${text}.`);
    return bytes.with(at, (bytes[at] ?? 0) ^ 1);
  });
const changeLines = (path: string, by: (lines: string[]) => string[]) =>
  change(path, (bytes) => Buffer.from(`${by(bytes.toString().trimEnd().split("\n")).join("\n")}\n`));
const journalOf = (dir: string) => join(dir, "journal.jsonl");
/** The last line about the first batch, whose version before that is the same but for the pace. */
const lastOfFirst = (lines: readonly string[]) =>
  lines.findLastIndex((line) => line.includes(`{"id":"${batchIds[0]}"`));

function fileOf(dir: string, which: "inputFileId" | "outputFileId", nth = 0): string {
  const { batches } = readRecords(dir).rows;
  return join(dir, "files", batches.get(batchIds[nth] ?? "")?.[which] ?? "");
}
const ledgerOf = (dir: string, nth = 0) => join(dir, "answers", batchIds[nth] ?? "");
const headerEnd = (bytes: Buffer) => bytes.indexOf("\n") + 1;
const recordBytes = 52;
async function swap(one: string, other: string): Promise<void> {
  await rename(one, `${one}.swap`);
  await rename(other, one);
  await rename(`${one}.swap`, other);
}

const rows: readonly Row[] = [
  {
    name: "a line of the journal with a flipped bit",
    damage: (dir) =>
      changeLines(journalOf(dir), (lines) => {
        const at = lastOfFirst(lines);
        return lines.with(at, lines[at]?.replace("completed", "complated") ?? "");
      }),
    found: ["journal_line_damaged"],
    shown: { damaged: true },
  },
  {
    name: "a line of the journal that is missing",
    damage: (dir) => changeLines(journalOf(dir), (lines) => lines.toSpliced(lastOfFirst(lines), 1)),
    found: ["journal_line_damaged"],
    shown: { damaged: true },
  },
  {
    name: "a line of the journal that is there twice",
    damage: (dir) => changeLines(journalOf(dir), (lines) => lines.toSpliced(4, 0, lines[4] ?? "")),
    found: [],
  },
  {
    name: "lines of the journal that have changed places",
    damage: (dir) =>
      changeLines(journalOf(dir), (lines) => [...lines.slice(0, 4), lines[5] ?? "", lines[4] ?? "", ...lines.slice(6)]),
    found: ["journal_line_damaged"],
    shown: { damaged: true },
  },
  {
    name: "the first line of the journal with a flipped bit",
    damage: (dir) =>
      changeLines(journalOf(dir), ([first = "", ...rest]) => [first.replace("journal", "jornal_"), ...rest]),
    found: ["journal_line_damaged"],
    shown: { damaged: true },
  },
  {
    name: "half a line behind the journal",
    damage: (dir) => change(journalOf(dir), (bytes) => Buffer.concat([bytes, Buffer.from('{"kind":"fi')])),
    found: ["(journal_tail_lost)"],
  },
  {
    name: "a journal that is missing, beside the one before it",
    damage: (dir) => rename(journalOf(dir), `${journalOf(dir)}.previous`),
    found: ["journal_replaced"],
    shown: { damaged: true },
  },
  {
    name: "an upload with a flipped bit",
    damage: (dir) => flip(fileOf(dir, "inputFileId"), "Where"),
    found: ["file_damaged"],
    left: ["file_damaged"],
    differs: { input: "file_damaged" },
  },
  {
    name: "an upload that is cut",
    damage: (dir) => change(fileOf(dir, "inputFileId"), (bytes) => bytes.subarray(0, 100)),
    found: ["file_damaged"],
    left: ["file_damaged"],
    differs: { input: "not_found" },
  },
  {
    name: "an upload that is missing",
    damage: (dir) => rm(fileOf(dir, "inputFileId")),
    found: ["file_missing"],
    left: ["file_missing"],
    differs: { input: "not_found", first: null },
  },
  {
    name: "uploads that have changed places",
    damage: (dir) => swap(fileOf(dir, "inputFileId"), fileOf(dir, "inputFileId", 1)),
    found: ["file_damaged", "file_damaged"],
    left: ["file_damaged", "file_damaged"],
    differs: { input: "file_damaged" },
  },
  {
    name: "an answer with a flipped bit",
    damage: (dir) => flip(fileOf(dir, "outputFileId"), '"content":'),
    found: ["answer_damaged"],
    left: ["answer_damaged"],
    differs: { first: "answered answered damaged" },
  },
  {
    name: "an answer file that is cut",
    damage: (dir) => change(fileOf(dir, "outputFileId"), (bytes) => bytes.subarray(0, -100)),
    found: ["answer_damaged"],
    left: ["answer_damaged"],
    differs: { first: "answered answered damaged" },
  },
  {
    name: "an answer file that is missing",
    damage: (dir) => rm(fileOf(dir, "outputFileId")),
    found: ["file_missing"],
    left: ["file_missing"],
    differs: { first: "damaged damaged damaged" },
  },
  {
    name: "an entry of a ledger with a flipped bit",
    // An answer, which ended complete, with the status 200.
    damage: (dir) => flip(ledgerOf(dir), Buffer.from([1, 16, 200])),
    found: ["ledger_damaged"],
  },
  {
    name: "the header of a ledger with a flipped bit",
    damage: (dir) => flip(ledgerOf(dir), "ledger"),
    found: ["(ledger_damaged)"],
  },
  {
    name: "a ledger with zeros behind its header",
    damage: (dir) => change(ledgerOf(dir), (bytes) => bytes.fill(0, headerEnd(bytes))),
    found: ["ledger_replaced"],
  },
  {
    name: "a ledger of zeros alone",
    damage: (dir) => change(ledgerOf(dir), (bytes) => bytes.fill(0)),
    found: ["ledger_replaced"],
  },
  {
    name: "a ledger that lacks whole records in its middle",
    damage: (dir) =>
      change(ledgerOf(dir), (bytes) => {
        const end = headerEnd(bytes);
        return Buffer.concat([bytes.subarray(0, end + recordBytes), bytes.subarray(end + 3 * recordBytes)]);
      }),
    found: ["ledger_damaged"],
  },
  {
    name: "a ledger that lacks bytes in its middle",
    damage: (dir) =>
      change(ledgerOf(dir), (bytes) => {
        const end = headerEnd(bytes) + recordBytes;
        return Buffer.concat([bytes.subarray(0, end), bytes.subarray(end + 70)]);
      }),
    found: ["ledger_damaged"],
  },
  {
    name: "a ledger that is cut",
    damage: (dir) => change(ledgerOf(dir), (bytes) => bytes.subarray(0, headerEnd(bytes) + 3 * recordBytes)),
    found: ["ledger_damaged"],
  },
  {
    name: "a ledger that is missing",
    damage: (dir) => rm(ledgerOf(dir)),
    found: ["ledger_replaced"],
  },
  {
    name: "a ledger that is empty",
    damage: (dir) => writeFile(ledgerOf(dir), ""),
    found: ["ledger_replaced"],
  },
  {
    name: "ledgers that have changed places",
    damage: (dir) => swap(ledgerOf(dir), ledgerOf(dir, 1)),
    found: ["ledger_replaced", "ledger_replaced"],
  },
  {
    name: "an index with a flipped bit",
    damage: async (dir) => change(await find(dir, "indexes"), (bytes) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1)),
    found: ["(index_damaged)"],
  },
  {
    name: "a column file that is cut",
    damage: async (dir) => change(await find(dir, "indexes", /column$/), (bytes) => bytes.subarray(0, -60)),
    found: ["(column_damaged)"],
    differs: { filtered: 3 },
  },
  {
    name: "a verdict with a flipped bit",
    damage: async (dir) => flip(await find(dir, "verdicts"), '"claims"'),
    found: ["lines_damaged"],
    differs: { verdicts: 2 },
    shown: { verdicts: 2, damaged: true },
  },
  {
    name: "the first line of the verdicts of a batch with a flipped bit",
    damage: async (dir) =>
      changeLines(await find(dir, "verdicts"), ([first = "", ...rest]) => [first.replace("rules", "rulez"), ...rest]),
    found: ["lines_damaged"],
    differs: { verdicts: null },
    shown: { verdicts: null, damaged: true },
  },
  {
    name: "the verdicts of another batch",
    damage: (dir) => {
      const path = join(dir, "verdicts", `${batchIds[0]}.jsonl`);
      return rename(path, join(dir, "verdicts", `${batchIds[1]}.jsonl`));
    },
    found: ["lines_damaged"],
    differs: { verdicts: null },
  },
  {
    name: "a verdict of which half is missing at the end of its file",
    damage: async (dir) => change(await find(dir, "verdicts"), (bytes) => bytes.subarray(0, -100)),
    found: ["(lines_damaged)"],
    differs: { verdicts: 2 },
  },
  {
    name: "a grade with a flipped bit",
    damage: async (dir) => flip(await find(dir, "grades"), '"mark"'),
    found: ["lines_damaged"],
    differs: { grades: 2 },
    shown: { grades: 2, damaged: true },
  },
  {
    name: "a verification with a flipped bit",
    damage: (dir) => flip(join(dir, "verifications.jsonl"), "43"),
    found: ["lines_damaged"],
    differs: { history: 1 },
  },
  {
    name: "a draft with a flipped bit",
    damage: async (dir) => flip(await find(dir, "drafts"), "Towers"),
    found: ["record_damaged"],
    differs: { drafts: [] },
    shown: { drafts: [], damaged: true },
  },
  {
    name: "what a batch was built from, with a flipped bit",
    damage: async (dir) => flip(await find(dir, "origins"), "question"),
    found: ["record_damaged"],
    shown: { damaged: true },
  },
  {
    name: "the record of a table with a flipped bit",
    damage: async (dir) => flip(join(await find(dir, "sources"), "source.json"), "towers"),
    found: ["record_damaged"],
    differs: { table: null },
  },
  {
    name: "what a table was converted to, with a flipped bit",
    damage: async (dir) => flip(join(await find(dir, "sources"), "content.utf-16le"), "Paris"),
    found: ["(table_damaged)"],
  },
  {
    name: "a table that is damaged as it was dropped and as it was converted",
    damage: async (dir) => {
      await flip(join(await find(dir, "sources"), "content"), Buffer.from("Paris", "utf16le"));
      await rm(join(await find(dir, "sources"), "content.utf-16le"));
    },
    found: ["table_damaged", "table_damaged"],
    left: ["table_damaged", "table_damaged"],
    differs: { table: null },
  },
  {
    name: "connections.json with a flipped bit",
    damage: (dir) => flip(join(dir, "connections.json"), "127"),
    found: ["settings_damaged"],
    differs: { connections: [] },
    shown: { connections: null },
  },
  {
    name: "server.json with a flipped bit",
    damage: (dir) => flip(join(dir, "server.json"), "4747"),
    found: ["settings_damaged"],
    differs: { tier: "standard" },
    shown: { tier: "standard", damaged: true },
  },
  {
    name: "secrets.json with a flipped bit",
    damage: (dir) => flip(join(dir, "secrets.json"), "connection:"),
    found: ["settings_damaged"],
  },
  {
    name: "the record of a job with a flipped bit",
    damage: async (dir) => flip(join(await find(dir, "cli", /^\w/), "job.json"), "job.jsonl"),
    found: ["settings_damaged"],
    differs: { jobs: ["job.jsonl Chat completed 2"] },
    shown: { jobs: [] },
  },
  {
    name: "the journal of a job with a flipped bit",
    damage: async (dir) => flip(journalOf(await find(dir, "cli", /^\w/)), '"pace"'),
    found: ["journal_line_damaged"],
  },
  {
    name: "a pipe where a ledger is to be",
    damage: (dir) => rm(ledgerOf(dir)).then(() => execFileSync("mkfifo", [ledgerOf(dir)])),
    found: ["not_a_file"],
  },
  {
    name: "a folder where settings are to be, and a link to itself where an index is to be",
    damage: async (dir) => {
      await rm(join(dir, "server.json"));
      await mkdir(join(dir, "server.json"));
      const index = await find(dir, "indexes");
      await rm(index);
      await symlink(index, index);
    },
    found: ["not_a_file", "not_a_file"],
    differs: { tier: "standard" },
  },
  {
    name: "a file that no record names",
    damage: (dir) => writeFile(join(dir, "files", "file-0123"), "text"),
    found: ["(file_unknown)"],
  },
  {
    name: "files that were left half written",
    damage: async (dir) => {
      await writeFile(join(dir, "files", "file-0123.part"), "te");
      await writeFile(join(dir, "drafts", "draft_1.json.0b0d7a5c-32c1-4b5f-8d1e-6a64b1f6b1aa.tmp"), "{");
    },
    found: ["(half_written)", "(half_written)"],
  },
];

const reportSchema = z.object({
  sound: z.boolean(),
  findings: z.array(z.object({ kind: z.enum(findingKinds), isDamage: z.boolean(), message: z.string() })),
  repaired: z.array(z.object({ repair: z.string() })),
});

async function examine(dir: string, ...flags: string[]) {
  const { code, stdout, stderr } = await runSheaf(["doctor", dir, "--json", ...flags]);
  const report = reportSchema.parse(JSON.parse(stdout || stderr));
  const kinds = report.findings.map(({ kind, isDamage }) => (isDamage ? kind : `(${kind})`));
  return { code, kinds, ...report };
}

test.each(rows)("$name is found, and repaired or contained", async (row) => {
  const { damage, found, left = [], differs = {}, shown = differs } = row;
  const [dir, unrepaired] = [await copy(), await copy()];
  for (const one of [dir, unrepaired]) await damage(one);
  const isSound = found.every((kind) => kind.startsWith("("));
  expect(await examine(dir)).toMatchObject({ code: isSound ? 0 : 1, kinds: found, sound: isSound });
  expect(await look(unrepaired, "filtered" in shown)).toEqual({ ...whole, ...shown });
  const repaired = await examine(dir, "--repair");
  const isCured = left.length === 0;
  expect(repaired).toMatchObject({ code: isCured ? 0 : 1, sound: isCured });
  expect(repaired.kinds.filter((kind) => !kind.startsWith("("))).toEqual(left);
  expect(await look(dir, "filtered" in differs)).toEqual({ ...whole, ...differs });
});

test("a repair removes nothing outside of the folder, whatever the record of a table names", async () => {
  const dir = await copy();
  const folder = await find(dir, "sources");
  const outside = join(dir, "..", "outside");
  await writeFile(outside, "kept");
  const record = z.record(z.string(), z.unknown()).parse(await readJsonFile(join(folder, "source.json")));
  const contents = { [relative(folder, outside)]: { bytes: 0, sha256: "" } };
  await writeJsonFile(join(folder, "source.json"), { ...record, contents }, commandWrites);
  await examine(dir, "--repair");
  expect(await readFile(outside, "utf8")).toBe("kept");
});

test("after the repair of what a batch was built from, its exports still say that its columns are missing", async () => {
  const dir = await copy();
  const [batchId = ""] = batchIds;
  await flip(join(dir, "origins", `${batchId}.json`), "question");
  expect(await examine(dir, "--repair")).toMatchObject({ code: 0, sound: true });
  const { app, service, close } = await openApp({ dataDir: dir });
  const { client, leave } = connectPort(app);
  const outcome = await client.exports.begin({ what: "results", batchId, format: "csv" });
  expect(outcome).toMatchObject({ how: "link", lostTable: true });
  expect(service.readHealth()).toEqual([]);
  leave();
  await close();
});

test("a start that replaced the journal waits for its user, until a repair confirms it", async () => {
  const dir = await copy();
  await rename(journalOf(dir), `${journalOf(dir)}.previous`);
  expect(await look(dir)).toEqual({ ...whole, damaged: true });
  expect(await examine(dir)).toMatchObject({ code: 1, kinds: ["damage_unconfirmed"] });
  expect(await examine(dir, "--repair")).toMatchObject({ code: 0, repaired: [{ repair: "confirmed" }] });
  expect(await look(dir)).toEqual(whole);
});

test("what a power cut tore of a batch that runs is a note: a start asks those lines again", async () => {
  const dir = join(sound, "..", "torn");
  const engine = createManualEngine(2);
  // Never synced: no mark covers what is answered.
  const service = await openTestService({ dataDir: dir, engine, durability: "never" });
  const { id } = await service.submit(requestsOf(4));
  await engine.arrived(2);
  engine.release();
  await engine.arrived(1);
  await service.close(0);
  const output = join(dir, "files", service.batches.get(id)?.outputFileId ?? "");
  await change(output, (bytes) => bytes.fill(0, bytes.length - 100));
  expect(await examine(dir)).toMatchObject({ code: 0, sound: true, kinds: ["(answer_damaged)"] });
});

const ledgerDamages: [name: string, kind: string, change: (bytes: Buffer) => Buffer][] = [
  ["of zeros alone", "ledger_replaced", (bytes) => Buffer.alloc(bytes.length)],
  ["with zeros behind its first line", "(ledger_replaced)", (bytes) => Buffer.from(bytes.fill(0, headerEnd(bytes)))],
  ["that is empty", "ledger_replaced", () => Buffer.alloc(0)],
  ["without its first bytes", "ledger_replaced", (bytes) => bytes.subarray(10)],
  [
    "without some records",
    "ledger_damaged",
    (bytes) => without(bytes, headerEnd(bytes) + 2 * recordBytes, 2 * recordBytes),
  ],
  ["without some bytes", "ledger_damaged", (bytes) => without(bytes, headerEnd(bytes) + 2 * recordBytes, 70)],
];
const without = (bytes: Buffer, from: number, length: number) =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);

test("the ledger of a batch that goes on is found damaged and repaired, and no answer is asked again", async () => {
  const stopped = join(sound, "..", "stopped");
  const engine = createManualEngine(6);
  const service = await openTestService({ dataDir: stopped, engine });
  const { id } = await service.submit(requestsOf(12));
  await engine.arrived(6);
  engine.release();
  await engine.arrived(6);
  await service.close(0);
  expect(await examine(stopped)).toMatchObject({ code: 0, kinds: [] });
  for (const [name, kind, by] of ledgerDamages) {
    const dir = join(sound, "..", `stopped ${name}`);
    await cp(stopped, dir, { recursive: true });
    await change(join(dir, "answers", id), by);
    expect([name, ...(await examine(dir)).kinds]).toEqual([name, kind]);
    expect([name, (await examine(dir, "--repair")).code]).toEqual([name, 0]);
    expect([name, ...(await examine(dir)).kinds]).toEqual([name]);
    let asked = 0;
    const counting = createTestEngine(() => {
      asked += 1;
      return { statusCode: 200, body: { choices: [{ message: { role: "assistant", content: "Yes." } }] } };
    });
    const resumed = await openTestService({ dataDir: dir, engine: counting });
    expect(await resumed.batches.settled(id)).toMatchObject({ status: "completed", counts: { completed: 12 } });
    await resumed.close();
    expect([name, asked]).toEqual([name, 6]);
  }
});

test("a damaged line of an error file is reported with that file", async () => {
  const dir = join(sound, "..", "errors");
  const engine = createTestEngine(() => ({
    statusCode: 400,
    body: { error: { message: "No.", type: "no", param: null, code: null } },
  }));
  const service = await openTestService({ dataDir: dir, engine });
  const { errorFileId } = await service.run(requestsOf(2));
  await service.close();
  await flip(join(dir, "files", errorFileId ?? ""), "No.");
  const { stdout } = await runSheaf(["doctor", dir]);
  expect(stdout).toContain(`files/${errorFileId}: Of batch`);
});

test("of who works on the command line alone, the jobs are examined", async () => {
  const dir = await copy();
  for (const name of await readdir(dir)) if (name !== "cli") await rm(join(dir, name), { recursive: true });
  expect(await examine(dir)).toMatchObject({ code: 0, sound: true });
  await flip(journalOf(await find(dir, "cli", /^\w/)), '"pace"');
  expect(await examine(dir)).toMatchObject({ code: 1, kinds: ["journal_line_damaged"] });
});

test("a folder whose journal is lost is named, and not repaired; one without anything is no data folder", async () => {
  const dir = await copy();
  await rm(journalOf(dir));
  const before = await readdir(dir);
  for (const flags of [[], ["--repair"]]) {
    expect(await examine(dir, ...flags)).toMatchObject({ code: 1, kinds: ["journal_lost"], repaired: [] });
  }
  expect(await readdir(dir)).toEqual(before);
  const none = await runSheaf(["doctor", join(dir, "drafts")]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("is no data folder") });
  expect(await runSheaf(["doctor", join(dir, "none")])).toMatchObject({ code: 2 });
});

test("a finding is a line for people, with what a repair does", async () => {
  const dir = await copy();
  await flip(join(dir, "server.json"), "4747");
  const { code, stdout } = await runSheaf(["doctor", dir]);
  const message = "server.json is not as it was written. The mock server uses its default settings.";
  expect({ code, stdout }).toEqual({ code: 1, stdout: `server.json: ${message}\n  --repair: moved to quarantine.\n` });
  const repaired = await runSheaf(["doctor", dir, "--repair"]);
  expect(repaired).toMatchObject({ code: 0, stdout: `server.json: ${message}\n  Repaired: moved to quarantine.\n` });
  expect(await readdir(join(dir, "quarantine"))).toEqual(["server.json"]);
});

test("an export has the sound answers of each batch, as they are in downloads", async () => {
  const dir = await copy();
  const output = await readFile(fileOf(dir, "outputFileId"), "utf8");
  await flip(fileOf(dir, "outputFileId"), '"content":');
  const out = join(dir, "..", "exported");
  const { code, stderr } = await runSheaf(["doctor", dir, "--export", out]);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("2 answers, 1 damaged one left out"),
  });
  const lines = output.trimEnd().split("\n");
  expect(await readFile(join(out, `${batchIds[0]}.jsonl`), "utf8")).toBe(`${lines.slice(0, 2).join("\n")}\n`);
  expect(await readdir(out)).toHaveLength(3);
  const again = await runSheaf(["doctor", dir, "--export", out]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty") });
});

test("an export has answers whose entries in the ledger are lost", async () => {
  const dir = await copy();
  const output = await readFile(fileOf(dir, "outputFileId"), "utf8");
  for (const [nth, at] of [headerEnd, (bytes: Buffer) => bytes.length - recordBytes].entries()) {
    await change(ledgerOf(dir), (bytes) => bytes.fill(0, at(bytes), at(bytes) + recordBytes));
    const out = join(dir, "..", `exported-${nth}`);
    await runSheaf(["doctor", dir, "--export", out]);
    expect(await readFile(join(out, `${batchIds[0]}.jsonl`), "utf8")).toBe(output);
  }
});

test("docs/storage.md has a row for each kind of damage", async () => {
  const docs = await readFile(join(import.meta.dirname, "../../../../docs/storage.md"), "utf8");
  expect(findingKinds.filter((kind) => !docs.includes(`| \`${kind}\``))).toEqual([]);
});
