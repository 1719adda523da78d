import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSystemMachine } from "#main/base";
import { openStore } from "#main/storage";
import { createSilentLogger } from "../base/logger.ts";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  replyTo,
} from "../service/testing/index.ts";

test("a batch of which it is not known what was done asks nothing until its user goes on with it or ends it", async () => {
  const dataDir = await makeTempDir();
  const asked: string[] = [];
  const engine = createTestEngine((call) => {
    asked.push(call.line?.customId ?? "");
    return replyTo(call);
  });
  const first = await openTestService({ dataDir, engine });
  const ids = [(await first.run(fileOf(2))).id, (await first.run(fileOf(3))).id];
  await first.close();

  // As a start leaves them that found the journal damaged.
  const store = await openStore({ dataDir }, { logger: createSilentLogger(), machine: createSystemMachine() });
  for (const id of ids) {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new Error("It is gone.");
    for (const file of [batch.outputFileId, batch.errorFileId]) if (file !== null) store.files.remove(file);
    const fresh = { outputFileId: null, errorFileId: null, counts: { total: 0, completed: 0, failed: 0 } };
    const times = { ...batch.times, inProgress: null, finalizing: null, completed: null };
    store.batches.put({ ...batch, ...fresh, times, status: "validating", unclear: true });
  }
  await store.close();
  asked.length = 0;

  const service = await openTestService({ dataDir, engine });
  const [gone = "", ended = ""] = ids;
  expect(service.batches.get(gone)).toMatchObject({ unclear: true, waiting: expect.stringContaining("damaged") });
  await service.batches.cancel(ended);
  expect(await service.batches.settled(ended)).toMatchObject({ status: "cancelled", unclear: false });
  expect(asked).toEqual([]);
  await service.batches.resume(gone);
  expect(await service.batches.settled(gone)).toMatchObject({ status: "completed", unclear: false, waiting: null });
  expect(asked).toHaveLength(2);
  await expect(service.batches.resume(gone)).rejects.toThrow("known");
  expect(await readFile(join(dataDir, "journal.jsonl"), "utf8")).toContain('"unclear":true');
});

test("where the last record of a batch is damaged that an upstream answers, its user is asked first; of the mock's it goes on", async () => {
  for (const mayCost of [true, false]) {
    const dataDir = await makeTempDir();
    const held = { ...createManualEngine(2), mayCost };
    const first = await openTestService({ dataDir, engine: held });
    const { id } = await first.submit(fileOf(2));
    await held.arrived(2);
    await first.close(0);
    const journal = join(dataDir, "journal.jsonl");
    const content = await readFile(journal, "utf8");
    const last = content.lastIndexOf(`"record":{"id":"${id}"`);
    await writeFile(journal, `${content.slice(0, last)}"rec0rd"${content.slice(last + 8)}`);

    const asked: string[] = [];
    const engine = createTestEngine((call) => {
      asked.push(call.line?.customId ?? "");
      return replyTo(call);
    });
    const service = await openTestService({ dataDir, engine });
    expect(service.batches.get(id)?.unclear).toBe(mayCost);
    if (mayCost) await service.batches.cancel(id);
    expect(await service.batches.settled(id)).toMatchObject({ status: mayCost ? "cancelled" : "completed" });
    expect(asked).toHaveLength(mayCost ? 0 : 2);
    await service.close();
  }
});

test("a batch may cost from the moment that an upstream answers it: chosen while it runs, or at a start", async () => {
  const dataDir = await makeTempDir();
  const first = await openTestService({ dataDir, engine: createManualEngine(1) });
  const { id } = await first.submit(fileOf(2));
  expect(first.batches.get(id)?.mayCost).toBe(false);
  first.switchEngine({ ...createManualEngine(1), mayCost: true });
  expect(first.batches.get(id)?.mayCost).toBe(true);
  const { id: other } = await first.submit(fileOf(2));
  first.switchEngine(createManualEngine(1));
  const { id: free } = await first.submit(fileOf(2));
  await first.close(0);
  expect([other, free].map((one) => first.batches.get(one)?.mayCost)).toEqual([true, false]);
  const second = await openTestService({ dataDir, engine: { ...createManualEngine(1), mayCost: true } });
  expect(second.batches.get(free)?.mayCost).toBe(true);
});
