import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { safe } from "@orpc/client";
import { expect, onTestFinished, test } from "vitest";
import type { FolderState } from "#contract";
import { createSilentLogger, createSystemMachine } from "#main/base";
import { backUpFolder, type DoctorThread } from "#main/doctor";
import { lockDataDir } from "#main/storage";
import { createManualEngine, fileOf, makeTempDir, openTestService } from "../service/testing/index.ts";
import { createFolderCare } from "./folder-care.ts";
import { type AppFixtureOptions, connectPort, openApp } from "./testing/app-fixture.ts";

/** A folder with an ended batch, of which one answer is damaged. */
async function damagedFolder() {
  const dataDir = await makeTempDir();
  const service = await openTestService({ dataDir });
  const { id, outputFileId } = await service.run(fileOf(3));
  await service.close();
  const path = join(dataDir, "files", outputFileId ?? "");
  await writeFile(path, (await readFile(path, "utf8")).replace("Question 2?", "Question 2!"));
  return { dataDir, id };
}

async function open(options: AppFixtureOptions) {
  const fixture = await openApp(options);
  const { client, leave } = connectPort(fixture.app);
  // A start moves it away.
  await mkdir(join(fixture.dataDir, "drafts"), { recursive: true });
  await writeFile(join(fixture.dataDir, "drafts", "draft_1.json"), '{"name":');
  onTestFinished(async () => {
    leave();
    await fixture.close();
  });
  const state = async (): Promise<FolderState> => {
    for await (const now of await client.folder.watch()) return now;
    throw new Error("The stream has ended.");
  };
  /** The state when the task that is begun has ended, and those before it. */
  async function settle(begin: () => Promise<unknown>) {
    const seen: FolderState[] = [];
    await begin();
    for await (const now of await client.folder.watch()) {
      seen.push(now);
      if (now.task === null) return { seen, last: now };
    }
    throw new Error("The stream has ended.");
  }
  return { fixture, client, state, settle };
}

test("a check names each finding with its batch and what a repair would do, while the app goes on", async () => {
  const { dataDir, id } = await damagedFolder();
  const { client, settle } = await open({ dataDir });
  const { last } = await settle(() => client.folder.check());
  expect(last).toMatchObject({ folder: dataDir, task: null, failure: null, closedBecause: null });
  expect(last.check).toMatchObject({ batches: 1, files: 2, damages: 2, repairable: 1, more: 0 });
  expect(last.check?.findings).toMatchObject([
    { kind: "answer_damaged", isDamage: true, repair: null, batches: [{ id, name: "input.jsonl" }] },
    { kind: "record_damaged", path: join("drafts", "draft_1.json"), repair: "moved to quarantine", batches: [] },
  ]);
  expect((await client.batches.list({})).batches).toHaveLength(1);
});

test("a copy goes to a new folder that its user names, and errors name the place", async () => {
  const { dataDir } = await damagedFolder();
  const { client, settle, state } = await open({ dataDir });
  expect((await state()).suggestedPlace).toMatch(/sheaf-backup-\d{4}-\d{2}-\d{2}/);
  const out = join(await makeTempDir(), "copy");
  const { last } = await settle(() => client.folder.backUp({ place: out }));
  expect(last.backup).toMatchObject({ path: out, batches: 1, files: 2, damages: 2 });
  expect(await readdir(out)).toContain("journal.jsonl");

  const again = await settle(() => client.folder.backUp({ place: out }));
  expect(again.last.failure).toEqual({ kind: "backup", message: `${out} is not empty. Choose a new or empty folder.` });
  const inside = await settle(() => client.folder.backUp({ place: join(dataDir, "copy") }));
  expect(inside.last.failure?.message).toContain("choose another place");
  const file = await settle(() => client.folder.backUp({ place: join(out, "journal.jsonl") }));
  expect(file.last.failure?.message).toContain("is a file");
  const nowhere = await settle(() => client.folder.backUp({ place: "/proc/sheaf/copy" }));
  expect(nowhere.last.failure?.message).toMatch(/^\/proc\/sheaf\/copy: /);
  const { error } = await safe(client.folder.backUp({ place: "copy" }));
  expect(error?.message).toContain("whole path");
});

test("in the desktop app the system asks for the place; no answer begins nothing", async () => {
  const { dataDir } = await damagedFolder();
  const place = join(await makeTempDir(), "chosen");
  const answers = [null, place];
  const saveFile = async () => answers.shift() ?? null;
  const { client, settle, state } = await open({ dataDir, host: { kind: "electron", saveFile } });
  await client.folder.backUp({ place: "/tmp/of-the-page" });
  expect(await state()).toMatchObject({ task: null, backup: null, suggestedPlace: null });
  const { last } = await settle(() => client.folder.backUp({ place: null }));
  expect(last.backup?.path).toBe(place);
});

test("a cancelled copy leaves nothing", async () => {
  const { dataDir } = await damagedFolder();
  const place = await makeTempDir();
  const cut = new AbortController();
  const onProgress = ({ done }: { done: number }) => done === 4 && cut.abort(new Error("Enough."));
  const copying = backUpFolder(dataDir, join(place, "copy"), createSystemMachine(), { onProgress, signal: cut.signal });
  await expect(copying).rejects.toThrow("Enough.");
  expect(await readdir(place)).toEqual([]);
});

/** On a folder in which nothing is found; `calls` has what a repair did. */
function careWith(
  { examine = async () => ({ findings: [], batches: 0, deleted: 0, files: 0 }) }: Partial<DoctorThread>,
  close: () => Promise<void> = async () => {},
  open: () => Promise<void> = async () => {},
) {
  const calls: string[] = [];
  const care = createFolderCare({
    dir: "/data",
    host: {},
    thread: { examine, backUp: () => Promise.reject(new Error("No copy here.")), close: async () => {} },
    service: () => null,
    close,
    async open() {
      calls.push("open");
      await open();
    },
    admit: () => void calls.push(`admit: ${care.closedBecause()}`),
    async repair() {
      calls.push("repair");
      return { findings: [], inUse: [] };
    },
    machine: createSystemMachine(),
    logger: createSilentLogger(),
  });
  return { ...care, calls };
}

test("a task that is cancelled is no failure; until it has ended no other can begin", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const care = careWith({
    examine(_dir, { signal, onProgress }) {
      onProgress?.({ done: 2, total: 5 });
      signal?.addEventListener("abort", () => reject(signal.reason));
      return promise;
    },
  });
  care.check();
  expect(care.state().task).toEqual({ kind: "check", done: 2, total: 5 });
  expect(() => care.repair()).toThrow("The data is being checked. Wait until it has ended.");
  care.cancel();
  await expect.poll(() => care.state()).toMatchObject({ task: null, check: null, failure: null });
});

test("a folder that can't be closed for a repair is opened again: no call waits forever", async () => {
  const care = careWith({}, () => Promise.reject(new Error("The disk refuses.")));
  care.repair();
  await expect.poll(() => care.state()).toMatchObject({ task: null, failure: { message: "The disk refuses." } });
  expect(care.calls).toEqual(["open", "admit: null"]);
});

test("calls that wait for a repair go on when it is known whether the folder is open", async () => {
  const failures = [new Error("The disk is gone.")];
  const open = async () => {
    for (const error of failures.splice(0)) throw error;
  };
  const care = careWith({}, undefined, open);
  care.repair();
  await expect.poll(() => care.state()).toMatchObject({ task: null, closedBecause: "The disk is gone.", openings: 0 });
  care.reopen();
  await expect.poll(() => care.state()).toMatchObject({ task: null, closedBecause: null, openings: 1 });
  expect(care.calls).toEqual(["repair", "open", "admit: The disk is gone.", "open", "admit: null"]);
});

test("an app that ends during a repair doesn't open its folder again", async () => {
  const closed = Promise.withResolvers<void>();
  const care = careWith({}, () => closed.promise);
  care.repair();
  const ended = care.close();
  closed.resolve();
  await ended;
  expect(care.calls).toEqual([]);
});

test("the end of an app cuts what a repair waits for", async () => {
  const { dataDir } = await damagedFolder();
  const engine = createManualEngine(2);
  const { fixture, client } = await open({ dataDir, engine });
  const { service } = fixture.app.current();
  const [file] = (await client.files.list()).filter(({ purpose }) => purpose === "batch");
  const completionWindow = "24h";
  await service.batches.create({ inputFileId: file?.id ?? "", endpoint: "/v1/chat/completions", completionWindow });
  await engine.arrived(2);
  await client.folder.repair();
  await fixture.app.close(60_000, AbortSignal.abort());
  (await lockDataDir(dataDir, { machine: createSystemMachine() })).release();
});

test("a repair closes the folder, repairs it and opens it again: pages stay, running batches go on", async () => {
  const { dataDir } = await damagedFolder();
  const engine = createManualEngine(2);
  const { fixture, client, settle } = await open({ dataDir, engine });
  const service = () => fixture.app.current().service;
  const file = await client.files.list();
  const batch = await service().batches.create({
    inputFileId: file.find(({ purpose }) => purpose === "batch")?.id ?? "",
    endpoint: "/v1/chat/completions",
    completionWindow: "24h",
  });
  await engine.arrived(2);
  const before = service();
  const watched = await client.batches.watch();
  const { seen, last } = await settle(async () => {
    await client.folder.repair();
    engine.release();
  });
  expect(seen.some(({ task }) => task?.kind === "repair")).toBe(true);
  expect(last).toMatchObject({ failure: null, closedBecause: null });
  expect(last.repair?.findings).toMatchObject([{ kind: "record_damaged", path: join("drafts", "draft_1.json") }]);
  expect(last.check).toMatchObject({ damages: 1, repairable: 0 });
  expect(await readdir(join(dataDir, "quarantine"))).toEqual([expect.stringContaining("draft_1.json")]);
  // The streams of before have ended, so that a page asks for others.
  for await (const _ of watched);
  expect(service()).not.toBe(before);
  await engine.arrived(1);
  engine.release();
  await expect.poll(async () => (await client.batches.get({ id: batch.id })).counts.completed).toBe(3);
});

test("a job that a command is at work in is left and named; all else is repaired", async () => {
  const { dataDir } = await damagedFolder();
  const job = join("cli", "job-1");
  await mkdir(join(dataDir, job, "drafts"), { recursive: true });
  await writeFile(join(dataDir, job, "drafts", "draft_2.json"), '{"name":');
  const { release } = await lockDataDir(join(dataDir, job), { machine: createSystemMachine() });
  const { client, settle } = await open({ dataDir });
  const { last } = await settle(() => client.folder.repair());
  expect(last.failure).toEqual({ kind: "repair", message: expect.stringContaining(`at work there: ${job}. Wait`) });
  expect(last.repair?.findings).toMatchObject([{ path: join("drafts", "draft_1.json") }]);
  expect(last.check?.findings.map(({ path }) => path)).toContain(join(job, "drafts", "draft_2.json"));

  release();
  const again = await settle(() => client.folder.repair());
  expect(again.last.failure).toBeNull();
  expect(again.last.repair?.findings).toMatchObject([{ path: join(job, "drafts", "draft_2.json") }]);
});

test("where the folder can't be opened again, calls are refused with why that is, until it is opened", async () => {
  const { dataDir } = await damagedFolder();
  let release = () => {};
  const machine = createSystemMachine();
  const repair = async (dir: string) => {
    ({ release } = await lockDataDir(dir, { machine }));
    return { findings: [], inUse: [] };
  };
  const { client, settle } = await open({ dataDir, repair });
  const { last } = await settle(() => client.folder.repair());
  expect(last.closedBecause).toContain("in use");
  const { error } = await safe(client.batches.list({}));
  expect(error).toMatchObject({ code: "REFUSED", data: { code: "folder_closed" } });
  release();
  const opened = await settle(() => client.folder.reopen());
  expect(opened.last.closedBecause).toBeNull();
  expect((await client.batches.list({})).batches).toHaveLength(1);
});

test("where the app can't be opened after a repair, its folder and the port of its server are free to be opened again", async () => {
  const { dataDir } = await damagedFolder();
  let opened = 0;
  const { client, settle } = await open({
    dataDir,
    wrap(service) {
      opened += 1;
      if (opened !== 2) return service;
      const setLimits = () => {
        throw new Error("The disk is gone.");
      };
      return { ...service, retention: { ...service.retention, setLimits } };
    },
  });
  const { server } = await client.server.start({ port: 0 });
  const { last } = await settle(() => client.folder.repair());
  expect(last.closedBecause).toBe("The disk is gone.");
  expect((await settle(() => client.folder.reopen())).last.closedBecause).toBeNull();
  expect((await client.batches.list({})).batches).toHaveLength(1);
  expect((await client.server.get()).server).toMatchObject({ running: true, port: server.port });
});

test("without a folder on the disk there is nothing to check", async () => {
  const { client, state } = await open({});
  expect((await state()).folder).toBeNull();
  const { error } = await safe(client.folder.check());
  expect(error?.message).toBe("Sheaf runs without a data folder. Start it with one first.");
});
