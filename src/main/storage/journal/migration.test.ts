import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSystemMachine } from "#main/base";
import { createLogger } from "../../base/logger.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { type DiskCall, injectDiskFaults } from "../io/testing/inject-disk-faults.ts";
import { openStore } from "./store.ts";

/** The data folder of an older version, as its process was killed in it. */
const oldFolder = join(import.meta.dirname, "../../cli/testing/old-folders/7ab37f8/data");

/** A copy of it. */
async function copyFolder(): Promise<string> {
  const dataDir = join(await makeTempDir(), "data");
  await cp(oldFolder, dataDir, { recursive: true });
  return dataDir;
}

/** Opens a folder and closes it; `deny` is asked before each call of the disk, by its number, with what error it fails. */
async function start(dataDir: string, deny: (call: DiskCall, number: number) => string | null = () => null) {
  let calls = 0;
  // Which process holds the folder is tested elsewhere.
  const isTested = ({ path }: DiskCall) => path.startsWith(dataDir) && !/\/(owner|lock|claim)[^/]*$/.test(path);
  const putBack = await injectDiskFaults((call) => (isTested(call) ? deny(call, calls++) : null));
  onTestFinished(putBack);
  const stderr: string[] = [];
  const logger = createLogger({ level: "warn", write: (line) => stderr.push(line) });
  try {
    const store = await openStore({ dataDir }, { logger, machine: createSystemMachine() });
    putBack();
    const content = { batches: store.batches.list(), files: store.files.list() };
    await store.close();
    return { content, calls, stderr };
  } catch (error) {
    return { error, calls, stderr };
  } finally {
    putBack();
  }
}

async function expectWhole(dataDir: string, content: unknown): Promise<void> {
  const after = await start(dataDir);
  expect(after).toMatchObject({ content, stderr: [] });
  const copied = (name: string) => readFile(join(dataDir, "before-2", name), "utf8");
  for (const name of ["journal.jsonl", "connections.json", "secrets.json"])
    expect(await copied(name), name).toBe(await readFile(join(oldFolder, name), "utf8"));
}

test("an older folder whose first start is killed at ten moments is whole after the next, and no one is told of it", async () => {
  const whole = await start(await copyFolder());
  const moments = Array.from({ length: 10 }, (_, at) => Math.floor((at * whole.calls) / 10));
  const errors: unknown[] = [];
  for (const moment of moments) {
    const dataDir = await copyFolder();
    // Nothing is done any more.
    const { error } = await start(dataDir, (_call, number) => (number < moment ? null : "EIO"));
    errors.push(error);
    await expectWhole(dataDir, whole.content);
  }
  expect(errors.filter((error) => error instanceof Error).length).toBeGreaterThan(5);
});

test("an older folder on a full disk is left as it is, which says so, and opens once there is room", async () => {
  const whole = await start(await copyFolder());
  const writes = ["mkdir", "write", "writeFile", "copyFile", "fsync", "fdatasync"];
  const isOfMigration = ({ name, path }: DiskCall) => writes.includes(name) && /before-2|journal\.jsonl/.test(path);
  let count = 0;
  await start(await copyFolder(), (call) => {
    if (isOfMigration(call)) count += 1;
    return null;
  });
  for (const room of [0, 1, Math.floor(count / 2), count - 1]) {
    const dataDir = await copyFolder();
    let written = 0;
    const { error } = await start(dataDir, (call) => (isOfMigration(call) && written++ >= room ? "ENOSPC" : null));
    expect(error, `room for ${room} of ${count}`).toMatchObject({
      code: "data_dir_not_migrated",
      message: `${dataDir} is of an older version of Sheaf, and could not be brought to the form of this one. The disk is full: make room, and start Sheaf again. Its records are as they were.`,
    });
    expect(await readFile(join(dataDir, "journal.jsonl"), "utf8")).toBe(
      await readFile(join(oldFolder, "journal.jsonl"), "utf8"),
    );
    await expectWhole(dataDir, whole.content);
  }
  const dataDir = await copyFolder();
  const { error } = await start(dataDir, (call) => (isOfMigration(call) ? "EROFS" : null));
  expect(error).toMatchObject({ message: expect.stringContaining("It can't be written now: start Sheaf again") });
});
