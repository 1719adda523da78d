import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSystemMachine } from "../clock/index.ts";
import { createSilentLogger } from "../logger.ts";
import { openStore } from "../store/index.ts";
import { createTestEngine, fileOf, makeTempDir, openTestService, replyTo } from "../testing/index.ts";

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
