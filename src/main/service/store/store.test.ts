import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempDir } from "../testing/index.ts";
import type { FileRecord } from "../types.ts";
import { DataDirError } from "./data-dir-error.ts";
import { openStore } from "./store.ts";

function fileRecord(id: string, bytes = 1): FileRecord {
  return {
    id,
    filename: `${id}.jsonl`,
    purpose: "batch",
    bytes,
    sha256: null,
    createdAt: 5,
    expiresAt: null,
    faulty: false,
  };
}

describe("after a restart", () => {
  test("every record is as it was last put, in the same order", async () => {
    const dataDir = await makeTempDir();
    const before = openStore({ dataDir });
    for (const id of ["file-1", "file-2", "file-3"]) before.files.put(fileRecord(id));
    before.files.put(fileRecord("file-1", 9));
    before.files.remove("file-2");
    const records = before.files.list();
    before.close();

    for (let restart = 0; restart < 2; restart++) {
      const after = openStore({ dataDir });
      expect(after.files.list()).toEqual(records);
      expect(after.files.list().map(({ id }) => id)).toEqual(["file-3", "file-1"]);
      after.close();
    }
  });

  test("the journal holds one line for each record that is left", async () => {
    const dataDir = await makeTempDir();
    const store = openStore({ dataDir });
    for (let change = 1; change <= 50; change++) store.files.put(fileRecord("file-1", change));
    store.close();
    openStore({ dataDir }).close();
    expect((await readFile(join(dataDir, "journal.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(1);
  });

  test("what was held in memory only is forgotten", async () => {
    const dataDir = await makeTempDir();
    const store = openStore({ dataDir });
    store.files.put(fileRecord("file-1", 1));
    store.files.hold(fileRecord("file-1", 2));
    expect(store.files.get("file-1")?.bytes).toBe(2);
    store.close();
    const reopened = openStore({ dataDir });
    expect(reopened.files.get("file-1")?.bytes).toBe(1);
    reopened.close();
  });

  test("a torn last line is dropped", async () => {
    const dataDir = await makeTempDir();
    const store = openStore({ dataDir });
    store.files.put(fileRecord("file-1"));
    store.close();
    await appendFile(join(dataDir, "journal.jsonl"), '{"kind":"file","record":{"id":"fi');
    const reopened = openStore({ dataDir });
    expect(reopened.files.list().map(({ id }) => id)).toEqual(["file-1"]);
    reopened.close();
  });

  test("bytes of unknown files are removed; what is not of the service stays", async () => {
    const dataDir = await makeTempDir();
    const store = openStore({ dataDir });
    store.files.put(fileRecord("file-1"));
    for (const id of ["file-1", "file-2", "notes.txt"]) await writeFile(store.pathOf(id), "x");
    store.close();
    const reopened = openStore({ dataDir });
    expect((await readdir(join(dataDir, "files"))).sort()).toEqual(["file-1", "notes.txt"]);
    reopened.close();
  });
});

test("a damaged journal is refused with its line, and nothing is removed", async () => {
  const dataDir = await makeTempDir();
  const store = openStore({ dataDir });
  store.files.put(fileRecord("file-1"));
  await writeFile(store.pathOf("file-2"), "x");
  store.close();
  await appendFile(join(dataDir, "journal.jsonl"), '{"kind":"file","record":{}}\n{"kind":"batch');
  expect(() => openStore({ dataDir })).toThrow(DataDirError);
  expect(() => openStore({ dataDir })).toThrow(/Line 2 of .*journal\.jsonl can't be read/);
  expect(existsSync(store.pathOf("file-2"))).toBe(true);
});

describe("a data folder", () => {
  test("is held by one service at a time", async () => {
    const dataDir = await makeTempDir();
    const store = openStore({ dataDir });
    expect(() => openStore({ dataDir })).toThrow(`in use by process ${process.pid}`);
    store.close();
    openStore({ dataDir }).close();
  });

  test("that another process holds is refused with its pid", async () => {
    const dataDir = await makeTempDir();
    await writeFile(join(dataDir, "lock"), `${process.ppid}\n`);
    expect(() => openStore({ dataDir })).toThrow(`in use by process ${process.ppid}`);
  });

  test("is taken over from a process that is gone", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "exit");
    const dataDir = await makeTempDir();
    for (const stale of [`${gone.pid}\n`, `${process.pid}\n`, "", "rubbish"]) {
      await writeFile(join(dataDir, "lock"), stale);
      openStore({ dataDir }).close();
    }
    expect(await readdir(dataDir)).toEqual(["files", "journal.jsonl"]);
  });
});

test("a store that keeps nothing is gone when it is closed", async () => {
  const store = openStore({ ephemeral: true });
  store.files.put(fileRecord("file-1"));
  const path = store.pathOf("file-1");
  await writeFile(path, "x");
  store.close();
  expect(existsSync(dirname(path))).toBe(false);
});
