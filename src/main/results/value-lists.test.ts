import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ColumnCondition, mostListedValues } from "#contract";
import { createSystemMachine } from "#main/base";
import { backUpFolder } from "../doctor/back-up-folder.ts";
import { examineFolder } from "../doctor/examine-folder.ts";
import { fileOf, makeTempDir, openTestService } from "../service/testing/index.ts";

test("lines are left by a list of 10,000 values that is stored with their batch, backed up, examined, and removed with it", async () => {
  const dataDir = await makeTempDir();
  const service = await openTestService({ dataDir });
  const [{ id }, other] = [await service.run(fileOf(40)), await service.run(fileOf(3))];
  const values = [...Array.from({ length: mostListedValues - 3 }, (_, at) => `none ${at}`), "Q-7", "q-9", "12"];
  const list = await service.results.keepList(id, values);
  expect(await service.results.keepList(id, values)).toBe(list);
  const left = async (path: string, batchId = id) => {
    const condition: ColumnCondition = { path, op: "in_list", list, count: values.length };
    return await service.results.numbers(batchId, { columns: [condition] });
  };
  expect(await left("custom_id")).toEqual([7, 9]);
  // A number is compared as one, in memory as in a file.
  expect(await left("line")).toEqual([12]);
  await expect(left("custom_id", other.id)).rejects.toThrow(
    "The list of 10,000 values that “custom_id” is filtered by is no longer stored with this batch.",
  );

  const lists = () => readdir(join(dataDir, "lists"));
  expect(await lists()).toEqual([`${id}.${list}.json`]);
  const path = join(dataDir, "lists", `${id}.${list}.json`);
  const content = await readFile(path, "utf8");
  const out = join(await makeTempDir(), "copy");
  await backUpFolder(dataDir, out, createSystemMachine());
  expect(await readFile(join(out, "lists", `${id}.${list}.json`), "utf8")).toBe(content);

  await writeFile(path, content.replace("Q-7", "Q-8"));
  await expect(left("custom_id")).rejects.toThrow("is no longer stored");
  const { findings } = await examineFolder(dataDir, createSystemMachine());
  expect(findings.map(({ kind, path }) => [kind, path])).toContainEqual([
    "record_damaged",
    join("lists", `${id}.${list}.json`),
  ]);
  await service.results.keepList(id, values);
  expect(await left("custom_id")).toEqual([7, 9]);

  // There are 50 of a batch at most, and none of a batch that is gone.
  await writeFile(join(dataDir, "lists", `batch_${"0".repeat(32)}.${list}.json`), content);
  for (let at = 0; at < 51; at++) await service.results.keepList(other.id, [`value ${at}`]);
  expect((await lists()).filter((name) => name.startsWith(other.id))).toHaveLength(50);
  expect((await lists()).filter((name) => name.startsWith(`batch_${"0".repeat(32)}`))).toEqual([]);
  await service.batches.remove(other.id);
  expect(await lists()).toEqual([`${id}.${list}.json`]);
  await rm(path);
  await expect(left("line")).rejects.toThrow("that “Line” is filtered by is no longer stored");
}, 30_000);
