import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTempDir } from "../../service/testing/index.ts";
import { createAppender, openSyncAppender } from "./appender.ts";
import { openFiles } from "./open-files.ts";
import { injectDiskFaults } from "./testing/inject-disk-faults.ts";

test("pieces stand in the order in which they came, each where it was said to begin, in a folder that is made", async () => {
  const path = join(await makeTempDir(), "new", "lines.jsonl");
  const appender = createAppender(path);
  const starts = await Promise.all(["one\n", "three\n", "five\n"].map((line) => appender.append(Buffer.from(line))));
  expect(starts).toEqual([0, 4, 10]);
  await appender.close();
  expect(await appender.append(Buffer.from("after a close\n"))).toBe(15);
  await appender.close();
  expect(await readFile(path, "utf8")).toBe("one\nthree\nfive\nafter a close\n");
});

test("half a line behind the bytes that count is cut off, and of a file of which nothing counts nothing stays", async () => {
  const path = join(await makeTempDir(), "lines.jsonl");
  for (const [size, expected] of [
    [6, "first\nx\n"],
    [0, "x\n"],
  ] as const) {
    await writeFile(path, "first\ntorn li");
    const appender = createAppender(path, size);
    await appender.append(Buffer.from("x\n"));
    await appender.close();
    expect(await readFile(path, "utf8")).toBe(expected);
  }
});

test("a piece that can't be written counts for nothing, and the next one is written once it can be", async () => {
  const folder = join(await makeTempDir(), "folder");
  await writeFile(folder, "a file where the folder is to be");
  const appender = createAppender(join(folder, "lines.jsonl"));
  await expect(appender.append(Buffer.from("lost\n"))).rejects.toThrow();
  expect(appender.size).toBe(0);
  await rm(folder);
  expect(await appender.append(Buffer.from("kept\n"))).toBe(0);
  await appender.close();
  expect(await readFile(join(folder, "lines.jsonl"), "utf8")).toBe("kept\n");
});

test("what was appended is synced also after the file was let go of, under the name that it has, unless it was removed", async () => {
  const folder = await makeTempDir();
  const [path, other] = [join(folder, "lines.next"), join(folder, "lines")];
  const appender = openSyncAppender(path, 0, { isSynced: true });
  appender.append(Buffer.from("one\n"));
  await appender.close();
  await rename(path, other);
  appender.renamed(other);
  await appender.sync();
  await rm(other);
  await appender.sync();
  await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test("a piece that fails fails with its own error, and nothing of it stays, also where it could not be cut off at once", async () => {
  const path = join(await makeTempDir(), "lines.jsonl");
  const appender = openSyncAppender(path, 0, { isSynced: true });
  appender.append(Buffer.from("one\n"));
  let isFailing = true;
  const codes: Readonly<Record<string, string>> = { write: "ENOSPC", ftruncate: "EIO" };
  const putBack = await injectDiskFaults(({ name }) => (isFailing ? (codes[name] ?? null) : null));
  onTestFinished(putBack);
  expect(() => appender.append(Buffer.from("lost\n"))).toThrow("ENOSPC");
  isFailing = false;
  await appendFile(path, "lo");
  appender.append(Buffer.from("2\n"));
  await appender.close();
  expect(await readFile(path, "utf8")).toBe("one\n2\n");
});

/** Takes so many places, or all that there are. The answer gives them back. */
function takePlaces(count = Number.POSITIVE_INFINITY): { readonly count: number; readonly giveBack: () => void } {
  const taken: (() => void)[] = [];
  let isFull = false;
  const onNeeded = () => {
    isFull = true;
  };
  while (!isFull && taken.length < count) taken.push(openFiles.take(onNeeded));
  const giveBack = () => {
    for (const give of taken) give();
  };
  return { count: taken.length - (isFull ? 1 : 0), giveBack };
}

test("a file that is opened anew after a failed sync, when no place is free, stays open and takes more", async () => {
  const path = join(await makeTempDir(), "ledger");
  const all = takePlaces();
  all.giveBack();
  const appender = openSyncAppender(path, 0, { isSynced: true, mayClose: true });
  onTestFinished(() => appender.close());
  onTestFinished(takePlaces(all.count - 1).giveBack);
  let isFailing = true;
  onTestFinished(await injectDiskFaults(({ name }) => (isFailing && name === "fdatasync" ? "EIO" : null)));

  appender.append(Buffer.from("one\n"));
  await expect(appender.sync()).rejects.toThrow("EIO");
  isFailing = false;
  await appender.sync();
  appender.append(Buffer.from("two\n"));
  await appender.sync();
  expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
});
