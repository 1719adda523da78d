import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandWrites, readJsonFile, writeJsonFile } from "#main/storage";
import { questionTemplate } from "../build/testing/build-fixture.ts";
import { fileOf, makeTempDir, openTestService } from "../service/testing/index.ts";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

/** A folder with an ended batch of so many lines, of which the answers to some are changed on the disk. */
async function damagedFolder(count: number, damaged: readonly number[]) {
  const dataDir = await makeTempDir();
  const service = await openTestService({ dataDir });
  const { id, outputFileId } = await service.run(fileOf(count));
  await service.close();
  const path = join(dataDir, "files", outputFileId ?? "");
  const sound = await readFile(path, "utf8");
  const flip = damaged.reduce((text, line) => text.replace(`Question ${line}?`, `Question ${line}!`), sound);
  await writeFile(path, flip);
  return { dataDir, id, restore: () => writeFile(path, sound), remove: () => rm(path) };
}

async function open(dataDir: string) {
  const fixture = await openApp({ dataDir });
  const { client, leave } = connectPort(fixture.app);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    leave();
    await fixture.close();
  };
  onTestFinished(close);
  return { fixture, client, close };
}

test("a batch counts its damaged answers in the list before its page is opened, also after a restart", async () => {
  const { dataDir, id, restore } = await damagedFolder(8, [2, 5, 7]);
  const { client, close } = await open(dataDir);
  const counts = { total: 8, completed: 5, failed: 0, damaged: 3, neverRan: 0, awaited: 0 };
  const listed = async () => (await client.batches.list({})).batches;
  await expect.poll(listed).toMatchObject([{ id, status: "completed", counts }]);
  expect(await client.batches.get({ id })).toMatchObject({
    left: { failed: 0, errors: {}, damaged: 3, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 },
    wire: { request_counts: { total: 8, completed: 8, failed: 0 } },
  });
  const { states, errors } = await client.results.summary({ batchId: id });
  expect(states).toMatchObject([
    { value: "answered", count: 5 },
    { value: "damaged", count: 3 },
  ]);
  expect(errors).toMatchObject([{ value: "file_damaged", count: 3, firstLine: 2 }]);
  expect(await client.results.numbers({ batchId: id, filter: { errors: ["file_damaged"] } })).toEqual([2, 5, 7]);
  await close();

  const second = await open(dataDir);
  expect((await second.client.batches.list({})).batches).toMatchObject([{ id, counts }]);
  expect(await second.client.batches.left({ ids: [id] })).toEqual([
    { failed: 0, errors: {}, damaged: 3, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 },
  ]);
  const retry = await second.client.batches.retry({ id, which: ["failed"] });
  await second.fixture.service.batches.settled(retry.id);
  expect((await second.client.batches.get({ id: retry.id })).counts).toMatchObject({ total: 3, completed: 3 });
  expect(await second.client.batches.left({ ids: [id] })).toEqual([
    { failed: 0, errors: {}, damaged: 0, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 },
  ]);
  await second.close();

  await restore();
  const third = await open(dataDir);
  const isSound = async () => (await third.client.batches.list({})).batches.find((batch) => batch.id === id)?.counts;
  await expect.poll(isSound).toEqual({ ...counts, completed: 8, damaged: 0 });
});

test("all answers of an output file that is gone are damaged, and can be asked again", async () => {
  const { dataDir, id, remove } = await damagedFolder(3, []);
  await remove();
  const { fixture, client } = await open(dataDir);
  const listed = async () => (await client.batches.list({})).batches;
  await expect.poll(listed).toMatchObject([{ id, counts: { total: 3, completed: 0, damaged: 3 } }]);
  expect(await client.results.numbers({ batchId: id, filter: { errors: ["file_damaged"] } })).toEqual([1, 2, 3]);
  const retry = await client.batches.retry({ id, which: ["failed"] });
  expect(await fixture.service.batches.settled(retry.id)).toMatchObject({ counts: { total: 3, completed: 3 } });
});

test("a row that is read counts its damaged answer, though the page of its batch was never opened", async () => {
  const { dataDir, id } = await damagedFolder(3, [2]);
  const { client } = await open(dataDir);
  for await (const { progress } of await client.results.rows({ batchId: id, offset: 0, limit: 3 })) {
    if (progress === null) break;
  }
  const counts = { total: 3, completed: 2, failed: 0, damaged: 1, neverRan: 0, awaited: 0 };
  expect((await client.batches.list({})).batches).toMatchObject([{ id, counts }]);
});

test("an export whose table is lost with the record of it says so, and so do a notice and the health", async () => {
  const { dataDir, id } = await damagedFolder(3, []);
  await mkdir(join(dataDir, "origins"));
  await writeFile(join(dataDir, "origins", `${id}.json`), '{"sealed":1,"id":"src_1","crc":"00000000"}');
  const { fixture, client } = await open(dataDir);
  const table = { what: "results" as const, batchId: id, format: "csv" as const };
  expect(await client.exports.begin(table)).toMatchObject({ how: "link", lostTable: true });
  expect(await client.exports.begin({ ...table, columns: ["answer"] })).not.toHaveProperty("lostTable");
  expect(await client.app.notices()).toMatchObject([{ code: "record_damaged" }]);
  expect(fixture.service.readHealth()).toEqual(["data_damaged"]);
});

test("an export of a table that was cut counts its empty rows, also in a note beside the file", async () => {
  const dataDir = await makeTempDir();
  const saved = join(dataDir, "..", `${basename(dataDir)}.csv`);
  const note = `${saved}.missing.txt`;
  onTestFinished(async () => {
    for (const path of [saved, note]) await rm(path, { force: true });
  });
  const fixture = await openApp({ dataDir, host: { kind: "electron", saveFile: async () => saved } });
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const rows = ["1,Why?,one", "2,How?,two", "3,Where?,three", "4,When?,four"];
  const table = Buffer.from(`id,question,note\n${rows.join("\n")}\n`);
  const { id: sourceId } = await upload(client, table, "table.csv");
  const template = { ...questionTemplate(), customId: "{{ id }}" };
  const events = await Array.fromAsync(await client.build.submit({ sourceId, template, name: "Cut" }));
  const last = events.at(-1);
  const batchId = last?.phase === "submitted" ? last.batchId : "";
  await fixture.service.batches.settled(batchId);
  const request = { what: "results" as const, batchId, format: "csv" as const };
  const whole = await client.exports.begin(request);
  expect(whole).toEqual({ how: "saved", id: expect.any(String), path: saved, lines: 4 });

  // As an earlier version stored it, without a checksum of its bytes; the end of the third row is gone, and the fourth.
  const folder = join(dataDir, "sources", sourceId);
  const record = (await readJsonFile(join(folder, "source.json"))) as Record<string, unknown>;
  await writeJsonFile(join(folder, "source.json"), { ...record, contents: {} }, commandWrites);
  await writeFile(join(folder, "content"), table.subarray(0, table.indexOf(",three")));
  expect(await client.exports.begin(request)).toMatchObject({
    how: "saved",
    lines: 4,
    rowsWithoutTable: 2,
    noteFile: note,
  });
  expect(await readFile(note, "utf8")).toBe(
    `What is missing in ${basename(saved)}:\n- 2 rows have empty cells in the columns of the table that the batch was built from: it lacks their rows.\n`,
  );
  expect((await readFile(saved, "utf8")).split("\r\n")[3]).toMatch(/^3,,,,/);
  // Without a column of the table nothing of it is missing, and the note of the export before is removed.
  expect(await client.exports.begin({ ...request, columns: ["answer"] })).not.toHaveProperty("rowsWithoutTable");
  await expect(readFile(note)).rejects.toMatchObject({ code: "ENOENT" });
  await rm(join(folder, "content"));
  expect(await client.exports.begin(request)).toMatchObject({ lostTable: true });
});

test("what is read of a damaged folder fails with its cause and what to do, never as something that went wrong", async () => {
  const { dataDir, id } = await damagedFolder(3, []);
  const { fixture, client } = await open(dataDir);
  const batch = fixture.service.batches.get(id);
  const output = join(dataDir, "files", batch?.outputFileId ?? "");
  const input = join(dataDir, "files", batch?.inputFileId ?? "");
  const isKnown = (error: Error & { code?: string; data?: { code?: string } }) => {
    expect(error).toMatchObject({ code: "REFUSED", data: { code: "file_damaged" } });
    expect(error.message).not.toContain("Something went wrong");
  };
  await writeFile(output, "");
  const exported = client.exports.begin({ what: "file", fileId: batch?.outputFileId ?? "" });
  isKnown(await exported.catch((error) => error));
  await writeFile(input, "");
  const retried = client.batches.retry({ id, which: ["lines"], lines: [1, 2] });
  isKnown(await retried.catch((error) => error));
});
