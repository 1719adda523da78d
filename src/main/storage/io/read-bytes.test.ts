import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { readBytes } from "./read-bytes.ts";

it("opens the file when it is read: one that is gone by then rejects there, and nowhere else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bytes-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "content");
  const bytes = readBytes(path);
  await wait(20);
  await writeFile(path, "it is there now");
  expect(Buffer.concat(await Array.fromAsync(bytes)).toString()).toBe("it is there now");
  await expect(Array.fromAsync(readBytes(join(folder, "missing")))).rejects.toMatchObject({ code: "ENOENT" });
});
