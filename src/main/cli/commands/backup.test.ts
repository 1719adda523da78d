import { appendFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSystemMachine, nextTurn } from "#main/base";
import { lockDataDir, readRecords, sealLine } from "#main/storage";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeBatchRecord,
  makeTempDir,
  openTestService,
  upload,
} from "../../service/testing/index.ts";
import { runSheaf } from "../testing/sheaf-process.ts";

test("a backup is made while a batch runs, is sound, and goes on as a data folder of its own", async () => {
  const dir = join(await makeTempDir(), "data");
  const out = join(dir, "..", "backup");
  const engine = createManualEngine(8);
  const service = await openTestService({ dataDir: dir, engine });
  const { id } = await service.submit(fileOf(5));
  await engine.arrived(5);
  engine.release(3);
  await expect.poll(() => service.batches.get(id)?.counts.completed).toBe(3);
  await mkdir(join(dir, "drafts"));
  await writeFile(join(dir, "drafts", "draft_1.json"), "{}");
  await writeFile(join(dir, "secrets.json"), "{}");
  expect(await runSheaf(["doctor", dir])).toMatchObject({ code: 0, stdout: "" });
  const inUse = { code: 2, stderr: expect.stringContaining(`in use by process ${process.pid}`) };
  expect(await runSheaf(["doctor", dir, "--repair"])).toMatchObject(inUse);

  const made = await runSheaf(["backup", dir, out]);
  expect(made).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Keys are not in it") });
  await writeFile(join(dir, "drafts", "draft_1.json"), "{");
  expect(await runSheaf(["doctor", dir, "--repair"])).toMatchObject(inUse);
  engine.release();
  await service.batches.settled(id);
  expect((await readdir(out)).sort()).toEqual(["answers", "drafts", "files", "journal.jsonl"]);
  expect(await readdir(join(dir, ".."))).toEqual(["backup", "data"]);

  const asked: string[] = [];
  const restored = await openTestService({
    dataDir: out,
    engine: createTestEngine((call) => {
      asked.push(call.line?.customId ?? "");
      return { statusCode: 400, body: { error: { message: "No.", type: "x", param: null, code: null } } };
    }),
  });
  const { counts } = await restored.batches.settled(id);
  expect(counts).toMatchObject({ total: 5, completed: 3, failed: 2 });
  expect(asked).toHaveLength(2);
  expect((await restored.results.page(id, 0, 9)).rows.filter(({ state }) => state === "answered")).toHaveLength(3);
});

test("a batch that may cost waits in a backup for its user: the original may have gone on with it", async () => {
  const dir = join(await makeTempDir(), "data");
  const service = await openTestService({ dataDir: dir });
  const { inputFileId } = await service.run(fileOf(1));
  await service.close();
  const record = makeBatchRecord({ id: "batch_paid", status: "in_progress", connection: "conn_1", inputFileId });
  await appendToJournal(dir, { kind: "batch", record });
  const upstream = { ...record, id: "batch_upstream", connection: null, mayCost: true };
  await appendToJournal(dir, { kind: "batch", record: upstream });
  const out = join(dir, "..", "backup");
  expect(await runSheaf(["backup", dir, out, "--json"])).toMatchObject({ code: 0 });
  for (const id of ["batch_paid", "batch_upstream"]) {
    expect(readRecords(dir).rows.batches.get(id)).toMatchObject({ unclear: false });
    expect(readRecords(out).rows.batches.get(id)).toMatchObject({ unclear: true });
  }
});

test("what a backup that was killed left half made is removed by the next one, and what another one writes is not", async () => {
  const base = await makeTempDir();
  const [dir, out] = [join(base, "data"), join(base, "backup")];
  const service = await openTestService({ dataDir: dir });
  await service.run(fileOf(1));
  await service.close();
  const [dead, living] = [`${out}.part-0123abcd`, `${out}.part-abcd0123`];
  await mkdir(join(dead, "files"), { recursive: true });
  await mkdir(living);
  const held = await lockDataDir(living, { machine: createSystemMachine() });
  onTestFinished(held.release);
  const made = await runSheaf(["backup", dir, out, "--json"]);
  expect(made.code).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ sound: true, swept: [dead] });
  expect((await readdir(base)).sort()).toEqual(["backup", basename(living), "data"]);
  expect((await readdir(out)).sort()).toEqual(["answers", "files", "journal.jsonl"]);
});

test("damage of the folder is in its backup, and said; where none can be made, none is left", async () => {
  const dir = join(await makeTempDir(), "data");
  const service = await openTestService({ dataDir: dir });
  const { inputFileId } = await service.run(fileOf(2));
  await service.close();
  await rm(join(dir, "files", inputFileId));
  const out = join(dir, "..", "backup");
  const made = await runSheaf(["backup", dir, out]);
  expect(made).toMatchObject({ code: 1, stdout: expect.stringContaining("is missing") });
  expect(made.stderr).not.toContain("Removed while");
  for (const [from, to, why] of [
    [dir, out, "is not empty"],
    [dir, join(dir, "backup"), "choose another place"],
    [dir, join(dir, "..backup"), "choose another place"],
    [join(dir, "files"), join(dir, "..", "none"), "has no readable journal"],
  ] as const) {
    expect(await runSheaf(["backup", from, to])).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  }
  await writeFile(join(dir, "..", "file"), "");
  expect(await runSheaf(["backup", dir, join(dir, "..", "file", "out")])).toMatchObject({ code: 2 });
  expect((await readdir(join(dir, ".."))).sort()).toEqual(["backup", "data", "file"]);
});

test("what is removed while it is copied is listed, and not in the backup", async () => {
  const dir = join(await makeTempDir(), "data");
  const service = await openTestService({ dataDir: dir });
  for (let count = 0; count < 30; count++) await upload(service.files, fileOf(1));
  const [last] = service.files.list();
  await service.close();
  const out = join(dir, "..", "backup");
  const making = runSheaf(["backup", dir, out, "--json"]);
  // The journal has been read by the time that a file is copied.
  const copied = async () =>
    (await readdir(join(dir, ".."), { recursive: true })).some((path) => /part-.*file-/.test(path));
  while (!(await copied())) await nextTurn();
  await appendToJournal(dir, { kind: "file_removed", id: last?.id });
  await rm(join(dir, "files", last?.id ?? ""));
  const { code, stdout } = await making;
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, sound: true, files: 29, removed: [last?.id] });
});

/** Another change, as the service writes it. */
async function appendToJournal(dir: string, change: object): Promise<void> {
  await appendFile(join(dir, "journal.jsonl"), sealLine({ ...change, seq: readRecords(dir).lastSeq + 1 }));
}
