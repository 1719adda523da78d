import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { StorageReport } from "#contract";
import { fileOf, upload as storeUpload } from "../service/testing/index.ts";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

const sizeOf = ({ parts }: StorageReport, name: string) => parts.find((part) => part.name === name);

it("says what takes how much of the data folder, and removes what nothing needs, and no more", async () => {
  const fixture = await openApp();
  onTestFinished(fixture.close);
  const { dataDir, clock } = fixture;
  const { client } = connectPort(fixture.app);
  const table = Buffer.from(`id,text\n${"1,something\n".repeat(1_000)}`);
  const used = await upload(client, table, "used.csv");
  const unused = await upload(client, table, "unused.csv");
  const draft = await client.drafts.create({});
  await client.drafts.save({ ...draft, sourceId: used.id });
  await mkdir(join(dataDir, "quarantine"));
  await writeFile(join(dataDir, "quarantine", "file-1"), "x".repeat(500));

  // A new source may be about to be used.
  expect(sizeOf(await client.storage.measure(), "sources")).toMatchObject({ removable: 0 });
  await clock.advance(11 * 60_000);
  const report = await client.storage.measure();
  expect(report.folder).toBe(dataDir);
  expect(report.bytes).toBe(report.parts.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(sizeOf(report, "quarantine")).toEqual({ name: "quarantine", bytes: 500, removable: 500 });
  expect(sizeOf(report, "drafts")?.bytes).toBeGreaterThan(100);
  const sources = sizeOf(report, "sources");
  expect(sources?.removable).toBeGreaterThan(table.length);
  expect(sources?.bytes).toBeGreaterThan(2 * table.length);

  await client.storage.clean({ what: "quarantine" });
  const cleaned = await client.storage.clean({ what: "sources" });
  expect(sizeOf(cleaned, "quarantine")).toMatchObject({ bytes: 0 });
  expect(sizeOf(cleaned, "sources")).toMatchObject({ removable: 0 });
  expect(cleaned.bytes).toBe(report.bytes - 500 - (sources?.removable ?? 0));
  expect(await readdir(join(dataDir, "sources"))).toEqual([used.id]);
  await expect(client.sources.get({ id: unused.id })).rejects.toThrow("no longer there");
});

it("counts deleted batches apart, and removes them for good", async () => {
  const fixture = await openApp();
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const { service, dataDir } = fixture;
  // The service of the fixture has a folder of its own: here is what its files take.
  await mkdir(join(dataDir, "files"));
  await writeFile(join(dataDir, "files", "file-1"), "x".repeat(5_000));
  const { id: inputFileId } = await storeUpload(service.files, fileOf(1));
  const create = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h" };
  const { id } = await service.batches.create(create);
  await service.batches.settled(id);
  expect(sizeOf(await client.storage.measure(), "deleted")).toEqual({ name: "deleted", bytes: 0, removable: 0 });
  const bytes = service.files.list().reduce((sum, file) => sum + file.bytes, 0);
  await client.batches.remove({ id });
  expect(await client.batches.deleted()).toMatchObject([{ id, name: "input.jsonl", total: 1, completed: 1, bytes }]);
  expect(sizeOf(await client.storage.measure(), "deleted")).toEqual({ name: "deleted", bytes, removable: bytes });
  expect(await client.batches.restore({ id })).toMatchObject({ id, status: "completed" });
  await client.batches.remove({ id });
  const cleaned = await client.storage.clean({ what: "deleted" });
  expect(sizeOf(cleaned, "deleted")).toMatchObject({ bytes: 0 });
  expect(await client.batches.deleted()).toEqual([]);
  await expect(client.batches.restore({ id })).rejects.toThrow("No such deleted batch");
});

it("keeps what ended as long as the user wants, also after the next start", async () => {
  const fixture = await openApp();
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const all = { days: null, bytes: null };
  expect(await client.storage.retention()).toEqual({ settings: all, paused: null, deleted: 0, removed: [] });
  const settings = { days: 30, bytes: 20_000_000_000 };
  // What is younger than an hour stays, however large it is.
  expect(await client.storage.planRetention({ days: 1, bytes: 1 })).toEqual({ batches: 0, files: 0, bytes: 0 });
  expect(await client.storage.setRetention(settings)).toMatchObject({ settings, removed: [] });
  expect(fixture.service.retention.limits).toEqual({ age: 30 * 24 * 3_600_000, bytes: 20_000_000_000 });
  expect(await client.storage.confirmClock()).toMatchObject({ settings, paused: null });
  expect(await client.app.confirmDamage()).toEqual([]);

  const path = join(fixture.dataDir, "storage.json");
  for (const [stored, expected] of [
    [await readFile(path, "utf8"), settings],
    ['{"days":-1}', all],
  ] as const) {
    const next = await openApp({ dataDir: await makeFolder(stored) });
    onTestFinished(next.close);
    expect((await connectPort(next.app).client.storage.retention()).settings).toEqual(expected);
    const isDamaged = expected === all;
    expect(next.service.readHealth()).toEqual(isDamaged ? ["data_damaged"] : []);
    expect(next.service.notices.list().map(({ code }) => code)).toEqual(isDamaged ? ["file_set_aside"] : []);
  }
});

async function makeFolder(stored: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-storage-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "storage.json"), stored);
  return folder;
}
