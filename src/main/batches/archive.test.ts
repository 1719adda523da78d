import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BatchRecord } from "#main/storage";
import { createFakeMachine } from "../base/clock/fake-machine.ts";
import { createManualEngine, fileOf, makeTempDir, openTestService, readContent } from "../service/testing/index.ts";

test("batches of another folder are listed and read while it is at work, and neither changed nor locked", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine(4);
  const job = await openTestService({ dataDir, engine });
  const { id } = await job.submit(fileOf(4));
  await engine.arrived(4);
  engine.release(2);
  await expect.poll(() => job.batches.get(id)?.counts.completed).toBe(2);

  const broken = await makeTempDir();
  await writeFile(join(broken, "journal.jsonl"), "{}\n{}\n");
  const machine = createFakeMachine();
  const archives = async () => [dataDir, broken];
  const app = await openTestService({ archives, listsArchives: true, machine });
  const own = await app.run(fileOf(1));
  const changes: BatchRecord[] = [];
  app.batches.subscribe((batch) => changes.push(batch));
  const listed = app.batches.list({ limit: 10 }).batches;
  expect(listed.map((batch) => batch.id).toSorted()).toEqual([id, own.id].toSorted());
  const running = { id, status: "in_progress", counts: { total: 4, completed: 2, failed: 0 } };
  expect(app.batches.get(id)).toMatchObject(running);
  expect([app.batches.isReadOnly(id), app.batches.isReadOnly(own.id)]).toEqual([true, false]);
  const states = async () => (await app.results.page(id, 0, 10)).rows.map(({ state }) => state);
  expect((await states()).filter((state) => state === "answered")).toHaveLength(2);

  engine.release();
  await job.batches.settled(id);
  await expect
    .poll(async () => {
      await machine.advance(2_000);
      return app.batches.get(id)?.status;
    })
    .toBe("completed");
  expect(changes.at(-1)).toMatchObject({ id, status: "completed", counts: { completed: 4 } });
  expect(await states()).toEqual(Array(4).fill("answered"));
  expect(await readContent(app.results.exportLines(id))).toBe(await readContent(job.results.exportLines(id)));

  const refusal = { code: "batch_read_only" };
  await expect(app.batches.cancel(id)).rejects.toMatchObject(refusal);
  await expect(app.batches.retry({ id, which: ["failed"] })).rejects.toMatchObject(refusal);
  await expect(app.batches.remove(id)).rejects.toMatchObject(refusal);
  expect(() => app.batches.rename(id, "Mine")).toThrow("a job of the command line");
  // The other process still holds its folder.
  await expect(openTestService({ dataDir })).rejects.toMatchObject({ code: "data_dir_in_use" });
});
