import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { noDurability } from "#main/storage";
import { createFakeMachine } from "../base/clock/fake-machine.ts";
import { createSilentLogger } from "../base/logger.ts";
import { makeBatchRecord, makeTempDir } from "../service/testing/index.ts";
import { createDurability } from "../storage/io/durability.ts";
import { injectDiskFaults } from "../storage/io/testing/inject-disk-faults.ts";
import { createNotices } from "../storage/journal/notices.ts";
import { createRunFiles } from "./run-file.ts";

test("a run that begins anew after a failed sync has no line of the one before", async () => {
  const folder = join(await makeTempDir(), "runs");
  const machine = createFakeMachine();
  const durability = createDurability("second", { machine, logger: createSilentLogger() });
  const marks = ["good" as const];
  const headerSchema = z.object({ run: z.string() });
  const notices = createNotices(createSilentLogger());
  const format = { durability, notices, headerSchema, marks, resultSchema: z.unknown() };
  const files = createRunFiles({ ...format, folder });
  const synced: string[] = [];
  let fails = true;
  onTestFinished(
    await injectDiskFaults(({ name, path }) => {
      if (name !== "fdatasync" || !path.endsWith("batch_1.jsonl")) return null;
      synced.push(path);
      return fails ? "EIO" : null;
    }),
  );
  const batch = makeBatchRecord({ counts: { total: 1, completed: 1, failed: 0 } });
  const first = await files.begin(batch, { run: "first" });
  await first.append([{ line: 1, mark: "good", tally: {}, result: '"first"' }]);
  await machine.advance(1_000);
  await expect.poll(() => durability.failure).not.toBeNull();
  expect(synced).toHaveLength(1);

  await expect(files.begin(batch, { run: "second" })).rejects.toThrow("EIO");
  expect(await first.results([1])).toEqual(["first"]);
  fails = false;
  const second = await files.begin(batch, { run: "second" });
  await durability.synced();
  const text = await readFile(join(folder, "batch_1.jsonl"), "utf8");
  expect([text.split("\n").length, text]).toEqual([2, expect.stringContaining("second")]);
  await second.close();

  await writeFile(join(folder, "batch_1.jsonl"), text.replace("second", "sEcond"));
  expect(await createRunFiles({ ...format, folder }).get(batch)).toBeNull();
  expect(notices.list()).toMatchObject([{ code: "record_damaged", count: 1 }]);
});

test("a reading that fails takes no run away that began after it", async () => {
  const files = createRunFiles({
    folder: join(await makeTempDir(), "runs"),
    durability: noDurability,
    notices: createNotices(createSilentLogger()),
    headerSchema: z.object({}),
    marks: ["good"],
    resultSchema: z.unknown(),
  });
  const batch = makeBatchRecord();
  let isFirst = true;
  const putBack = await injectDiskFaults(({ name, path }) => {
    if (name !== "open" || !path.endsWith("batch_1.jsonl") || !isFirst) return null;
    isFirst = false;
    return "EMFILE";
  });
  onTestFinished(putBack);
  const reading = expect(files.get(batch)).rejects.toThrow("EMFILE");
  const begun = await files.begin(batch, {});
  onTestFinished(() => begun.close());
  await reading;
  expect(await files.get(batch)).toBe(begun);
});
