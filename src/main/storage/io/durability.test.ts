import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { createSilentLogger } from "../../base/logger.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createAppender } from "./appender.ts";
import { createDurability, type Syncable } from "./durability.ts";

const logger = createSilentLogger();

test("what waits shares a sync, in the order of bytes, names and records", async () => {
  const machine = createFakeMachine();
  const durability = createDurability("second", { machine, logger });
  const order: string[] = [];
  const target = (stage: Syncable["stage"]): Syncable => ({
    stage,
    async sync() {
      order.push(stage);
      await Promise.resolve();
    },
  });
  const all = [target("records"), target("names"), target("data")];
  const change = () => all.forEach(durability.changed);

  change();
  const waiting = [durability.synced(), durability.synced(), durability.synced()];
  await Promise.all(waiting);
  // The second and third came while the first was under way: what changed before them was part of it, or of the next.
  expect(order).toEqual(["data", "names", "records"]);
  await durability.synced();
  expect(order).toHaveLength(3);

  change();
  await machine.advance(999);
  expect(order).toHaveLength(3);
  await machine.advance(1);
  await expect.poll(() => order).toHaveLength(6);
});

test("a sync that fails confirms nothing, and the bytes are written again through a newly opened file", async () => {
  const machine = createFakeMachine();
  const durability = createDurability("second", { machine, logger });
  const path = join(await makeTempDir(), "lines.jsonl");
  const appender = createAppender(path, 0, durability);
  await appender.append(Buffer.from("one\n"));
  await durability.synced();
  await appender.append(Buffer.from("two\n"));
  await appender.append(Buffer.from("three\n"));

  // A system that drops what it can't write, and takes it for written from then on.
  const handle = await open(path, "r+");
  const datasync = vi
    .spyOn(Object.getPrototypeOf(handle) as FileHandle, "datasync")
    .mockImplementationOnce(async () => {
      await handle.write(Buffer.alloc(10), 0, 10, 4);
      throw Object.assign(new Error("EIO"), { code: "EIO" });
    });
  onTestFinished(() => datasync.mockRestore());
  await expect(durability.synced()).rejects.toThrow("EIO");
  expect(durability.failure?.message).toBe("EIO");
  expect((await readFile(path, "utf8")).slice(4)).toBe("\0".repeat(10));

  await machine.advance(1_000);
  await expect.poll(() => durability.failure).toBeNull();
  expect(await readFile(path, "utf8")).toBe("one\ntwo\nthree\n");
  await handle.close();
  await appender.close();
  await durability.close();
});
