import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createSystemMachine, remotePartSchema } from "#main/base";
import { backUpFolder, examineFolder, exportAnswers } from "#main/doctor";
import { openHttpApp } from "#main/http";
import { openStore } from "#main/storage";
import { createSilentLogger } from "../base/logger.ts";
import {
  createFakeMachine,
  createTestEngine,
  fileOf,
  makeBatchRecord,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  type TestService,
  upload,
} from "../service/testing/index.ts";
import { createRemoteJob } from "./remote-job.ts";

const day = 24 * 60 * 60_000;
const none = { age: null, bytes: null };
const byRules = { judge: "rules", model: null, preset: "general" } as const;

const idsOf = ({ batches }: TestService) => batches.list({ limit: 100 }).batches.map(({ id }) => id);
const deletedOf = ({ batches }: TestService) => batches.listDeleted().map(({ batch }) => batch.id);

/** A service with a root of four lines, of which the second failed and was answered by a retry. */
async function openWithRetry() {
  const dataDir = await makeTempDir();
  const failing = new Set(["q-2"]);
  const engine = createTestEngine((call) => {
    if (!failing.has(call.line?.customId ?? "")) return replyTo(call);
    return { statusCode: 500, body: { error: { message: "No.", type: "server_error", param: null, code: null } } };
  });
  const machine = createFakeMachine();
  const service = await openTestService({ dataDir, engine, machine });
  const root = await service.run(fileOf(4));
  failing.clear();
  const made = await service.batches.retry({ id: root.id, which: ["failed"] });
  const retry = await service.batches.settled(made.id);
  return { dataDir, engine, machine, service, root, retry };
}

const readMerged = async ({ results }: TestService, id: string) =>
  readContent(results.exportLines(id, { merged: true }));

test("a deleted batch is gone for everyone with its retries and files, and is as it was when it is restored", async () => {
  const { dataDir, engine, machine, service, root, retry } = await openWithRetry();
  await service.verifications.start({ batchId: root.id, choice: byRules, document: { from: "none" }, strict: false });
  const verdicts = await service.verifications.settled(root.id);
  const [answers, files] = [await readMerged(service, root.id), service.files.list()];
  const app = await openHttpApp({ service, apiKey: null });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const statusOf = async (method: "GET" | "DELETE" | "POST", path: string) =>
    (await fetch(address + path, { method })).status;
  expect(await statusOf("GET", `/v1/batches/${root.id}`)).toBe(200);

  await service.batches.moveToDeleted(root.id);
  const about = { batch: { id: root.id }, retries: [{ id: retry.id }], deletedAt: machine.wall() };
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  expect(service.batches.listDeleted()).toMatchObject([{ ...about, bytes }]);
  expect([idsOf(service), service.files.list()]).toEqual([[], []]);
  for (const { id } of [root, retry]) {
    expect(await statusOf("GET", `/v1/batches/${id}`)).toBe(404);
    expect(await statusOf("POST", `/v1/batches/${id}/cancel`)).toBe(404);
    expect(await statusOf("DELETE", `/sheaf/batches/${id}`)).toBe(404);
    expect(() => service.batches.rename(id, "x")).toThrow("No such batch");
  }
  for (const { id } of files) {
    expect(await statusOf("GET", `/v1/files/${id}`)).toBe(404);
    expect(await statusOf("DELETE", `/v1/files/${id}`)).toBe(404);
  }
  const create = { inputFileId: root.inputFileId, endpoint: root.endpoint, completionWindow: "24h" };
  await expect(service.batches.create(create)).rejects.toMatchObject({ code: expect.stringMatching(/not_found|file/) });
  await app.close();
  await service.close();
  const out = join(dataDir, "..", `${basename(dataDir)}-backup`);
  onTestFinished(() => rm(out, { recursive: true, force: true }));
  const counted = { batches: 2, deleted: 2, findings: [] };
  expect(await examineFolder(dataDir, machine)).toMatchObject(counted);
  const system = createSystemMachine();
  expect(await backUpFolder(dataDir, out, system)).toMatchObject(counted);
  expect((await exportAnswers(out, `${out}/exported`)).every(({ isDeleted }) => isDeleted)).toBe(true);
  const copy = await openTestService({ dataDir: out, engine, machine });
  await copy.batches.restore(root.id);
  expect(await readMerged(copy, root.id)).toBe(answers);
  await copy.close();

  const after = await openTestService({ dataDir, engine, machine });
  expect([idsOf(after), deletedOf(after)]).toEqual([[], [root.id]]);
  expect(await after.batches.restore(root.id)).toEqual(root);
  expect(idsOf(after)).toEqual([retry.id, root.id]);
  expect(after.files.list()).toEqual(files);
  expect(await readMerged(after, root.id)).toBe(answers);
  expect(await after.verifications.get(root.id)).toEqual(verdicts);
  await expect(after.batches.restore(root.id)).rejects.toThrow("No such deleted batch");
  await expect(after.batches.purge(root.id)).rejects.toThrow("No such deleted batch");
  await after.close();

  const last = await openTestService({ dataDir, engine, machine });
  expect([idsOf(last), deletedOf(last)]).toEqual([[retry.id, root.id], []]);
});

test("a retry that was deleted first comes back with its root, and what is deleted at once takes deleted retries along", async () => {
  const { dataDir, service, root, retry } = await openWithRetry();
  await service.batches.moveToDeleted(retry.id);
  expect([idsOf(service), deletedOf(service)]).toEqual([[root.id], [retry.id]]);
  // The line is failed again, and can be asked again.
  expect(await service.results.left(root.id)).toMatchObject({ failed: 1 });
  await service.batches.moveToDeleted(root.id);
  await service.batches.restore(root.id);
  expect([idsOf(service), deletedOf(service)]).toEqual([[root.id], [retry.id]]);
  await service.batches.moveToDeleted(root.id);
  await service.batches.restore(retry.id);
  expect([idsOf(service), deletedOf(service)]).toEqual([[retry.id, root.id], []]);

  await service.batches.moveToDeleted(retry.id);
  await service.batches.remove(root.id, { withRetries: false });
  expect([idsOf(service), deletedOf(service), service.files.list()]).toEqual([[], [], []]);
  for (const folder of ["files", "answers", "indexes"]) {
    const path = join(dataDir, folder);
    if (existsSync(path)) expect(await readdir(path), folder).toEqual([]);
  }
});

test("a file that another batch has stays in sight, and outlives the deleted batch", async () => {
  const service = await openTestService({ machine: createFakeMachine() });
  const { id: inputFileId } = await upload(service.files, fileOf(2));
  const create = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h" };
  const [one, other] = [await service.batches.create(create), await service.batches.create(create)];
  for (const { id } of [one, other]) await service.batches.settled(id);
  await service.batches.moveToDeleted(one.id);
  expect(service.files.get(inputFileId)).toBeDefined();
  const app = await openHttpApp({ service, apiKey: null });
  const url = `/v1/files/${inputFileId}`;
  const refused = await app.inject({ method: "DELETE", url, headers: { host: "127.0.0.1" } });
  const message = `The deleted batch ${one.id} needs file ${inputFileId}. Delete it for good or restore it first.`;
  const error = { code: "file_in_use", param: "file_id", type: "invalid_request_error", message };
  expect([refused.statusCode, refused.json()]).toEqual([409, { error }]);
  await app.close();
  await service.batches.remove(other.id);
  // The deleted batch needs it.
  expect(service.files.get(inputFileId)).toBeUndefined();
  await service.batches.restore(one.id);
  expect(service.files.get(inputFileId)).toBeDefined();
  await service.batches.moveToDeleted(one.id);
  await service.batches.purge(one.id);
  expect([service.files.list(), deletedOf(service)]).toEqual([[], []]);
});

test("after 30 days of the computer a deleted batch goes for good, also without a limit", async () => {
  const machine = createFakeMachine();
  const service = await openTestService({ machine });
  const [first, second] = [await service.run(fileOf(1)), await service.run(fileOf(1))];
  await service.batches.moveToDeleted(first.id);
  await machine.advance(day);
  await service.batches.moveToDeleted(second.id);
  await machine.advance(29 * day - 60_000);
  expect(deletedOf(service)).toEqual([second.id, first.id]);
  await machine.advance(day / 2);
  await expect.poll(() => service.retention.removed).toMatchObject([{ kind: "batch", id: first.id, limit: "deleted" }]);
  expect(deletedOf(service)).toEqual([second.id]);
  await service.clock.advance(100 * day);
  expect(deletedOf(service)).toEqual([second.id]);
});

test("limits count deleted batches: that of size removes them first, however young, and that of age by when they were deleted", async () => {
  const machine = createFakeMachine();
  const service = await openTestService({ machine });
  const old = await service.run(fileOf(10));
  await machine.advance(day);
  const deleted = await service.run(fileOf(10));
  await service.batches.moveToDeleted(deleted.id);
  const bytes = service.files.list().reduce((sum, file) => sum + file.bytes, 0);
  expect(service.retention.plan({ age: null, bytes: 2 * bytes })).toEqual([]);
  expect(service.retention.plan({ age: null, bytes })).toMatchObject([{ id: deleted.id, limit: "size" }]);
  expect(service.retention.plan({ age: null, bytes: 1 }).map(({ id }) => id)).toEqual([deleted.id, old.id]);
  await service.retention.setLimits({ age: null, bytes });
  expect([idsOf(service), deletedOf(service)]).toEqual([[old.id], []]);

  await service.retention.setLimits(none);
  await service.batches.moveToDeleted(old.id);
  expect(service.retention.plan({ age: day, bytes: null })).toEqual([]);
  await machine.advance(day);
  await service.retention.setLimits({ age: day, bytes: null });
  expect(deletedOf(service)).toEqual([]);
});

test("a batch that is deleted at any moment of a retry has no hidden retry that runs", async () => {
  const failing = new Set<string>();
  const engine = createTestEngine((call) => {
    if (!failing.has(call.line?.customId ?? "")) return replyTo(call);
    return { statusCode: 500, body: { error: { message: "No.", type: "server_error", param: null, code: null } } };
  });
  const service = await openTestService({ engine, machine: createFakeMachine() });
  const done = new Set<string>();
  // The retry first, and the other way round: either may be asked while the other is under way.
  for (let moment = -4; moment < 16; moment += 1) {
    failing.add("q-2");
    const { id } = await service.run(fileOf(2));
    failing.clear();
    const retry = () => service.batches.retry({ id, which: ["failed"] });
    const remove = () => (moment % 4 === 3 ? service.batches.remove(id) : service.batches.moveToDeleted(id));
    const [one, other] = moment < 0 ? [remove, retry] : [retry, remove];
    const first = one();
    first.catch(() => {});
    for (let turn = 0; turn < Math.abs(moment); turn += 1) await setImmediate();
    const settled = await Promise.allSettled([first, other()]);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    done.add((settled[0]?.status === "fulfilled" ? one : other).name);
    for (const retried of service.batches.list({ limit: 100 }).batches) await service.batches.settled(retried.id);
    const records = service.batches.listDeleted().flatMap(({ batch, retries }) => [batch, ...retries]);
    expect(records.filter(({ status }) => status !== "completed")).toEqual([]);
    for (const deleted of deletedOf(service)) await service.batches.purge(deleted);
    for (const left of idsOf(service)) {
      expect(service.batches.get(id)).toBeDefined();
      if (left !== id) await service.batches.remove(left);
    }
    if (service.batches.get(id) !== undefined) await service.batches.remove(id);
    expect(service.files.list()).toEqual([]);
  }
  expect([...done].toSorted()).toEqual(["remove", "retry"]);
});

test.each(["restore", "purge"] as const)("a deleted batch whose retry has no end: %s", async (asked) => {
  const { dataDir, engine, machine, service, root, retry } = await openWithRetry();
  await service.batches.moveToDeleted(root.id);
  await service.close();
  // As where the last lines of the journal were lost.
  const store = await openStore({ dataDir }, { logger: createSilentLogger(), machine });
  store.batches.put({ ...retry, status: "in_progress" });
  await store.close();
  const after = await openTestService({ dataDir, engine, machine });
  expect(after.batches.listDeleted()).toMatchObject([{ retries: [{ id: retry.id, status: "in_progress" }] }]);
  await after.batches[asked](root.id);
  if (asked === "restore") expect(await after.batches.settled(retry.id)).toMatchObject({ status: "completed" });
  else expect([idsOf(after), deletedOf(after), after.files.list()]).toEqual([[], [], []]);
});

test("a batch of a service that a deleted batch has is not taken for another", async () => {
  const machine = createFakeMachine();
  const store = await openStore({ ephemeral: true }, { logger: createSilentLogger(), machine });
  onTestFinished(() => store.close());
  const created = { fileId: null, sentAt: 1, batchId: "msgbatch_1", rawStatus: "ended", counts: null, isFetched: true };
  const remote = [remotePartSchema.parse({ from: 1, to: 1, token: "t", ...created })];
  store.batches.put(makeBatchRecord({ status: "completed", remote, deletedAt: 1 }));
  const none = { index: { total: 1 } } as Parameters<typeof createRemoteJob>[0];
  const job = createRemoteJob(
    { ...none, store, archives: async () => [], batchId: "batch_2" },
    () => makeBatchRecord(),
    () => {},
  );
  expect(await job.others()).toEqual({ batchIds: new Set(["msgbatch_1"]), isUnsure: false });
});
