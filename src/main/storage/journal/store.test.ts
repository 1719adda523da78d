import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSystemMachine } from "#main/base";
import { createLogger } from "../../base/logger.ts";
import { makeBatchRecord, makeFileRecord, makeTempDir } from "../../service/testing/index.ts";
import { createAppender } from "../io/appender.ts";
import { sealLine } from "../io/sealed-line.ts";
import { openStore, type Storage, type Store } from "./store.ts";

const fileRecord = (id: string, bytes = 1) => makeFileRecord({ id, filename: `${id}.jsonl`, bytes, createdAt: 5 });

/** Opens a store that is closed when the test ends, and collects what it writes to stderr. */
async function open(storage: Storage): Promise<{ store: Store; stderr: string[] }> {
  const stderr: string[] = [];
  const store = await openStore(storage, {
    logger: createLogger({ level: "warn", write: (line) => stderr.push(line) }),
    machine: createSystemMachine(),
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { store: { ...store, close }, stderr };
}

/** A folder as a store leaves it that had these files, each with its id as content. */
async function makeDataDir(...ids: string[]) {
  const dataDir = await makeTempDir();
  const { store } = await open({ dataDir });
  for (const id of ids) {
    store.files.put(fileRecord(id, id.length));
    await writeFile(store.pathOf(id), id);
  }
  await store.close();
  return { dataDir, journal: join(dataDir, "journal.jsonl"), files: join(dataDir, "files") };
}

/** A journal as the versions before wrote it: without a first line of its own, numbers and checksums. */
function toOldFormat(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string });
  const changes = lines.filter(({ kind }) => !["journal", "mark", "damage"].includes(kind));
  return changes.map((line) => `${JSON.stringify({ ...line, seq: undefined, crc: undefined })}\n`).join("");
}

const idsOf = ({ files }: Store) => files.list().map(({ id }) => id);

describe("after a restart", () => {
  test("every record is as it was last put, in the same order", async () => {
    const { dataDir } = await makeDataDir("file-1", "file-2", "file-3");
    const { store: before } = await open({ dataDir });
    before.files.put(fileRecord("file-1", 9));
    before.files.remove("file-2");
    const records = before.files.list();
    await before.close();

    for (let restart = 0; restart < 2; restart++) {
      const { store: after } = await open({ dataDir });
      expect(after.files.list()).toEqual(records);
      expect(idsOf(after)).toEqual(["file-3", "file-1"]);
      await after.close();
    }
  });

  test("a file of a journal without connections is for the one whose batches alone have it", async () => {
    const { dataDir, journal } = await makeDataDir("file-a", "file-b", "file-c");
    const { store } = await open({ dataDir });
    store.batches.put(makeBatchRecord({ id: "batch-1", connection: "connection-1", inputFileId: "file-a" }));
    store.batches.put(makeBatchRecord({ id: "batch-2", connection: "connection-1", inputFileId: "file-b" }));
    store.batches.put(makeBatchRecord({ id: "batch-3", connection: null, inputFileId: "file-b" }));
    await store.close();
    const before = toOldFormat(await readFile(journal, "utf8")).replaceAll(',"connection":null', "");
    await writeFile(journal, before);
    const { store: after } = await open({ dataDir });
    const connectionOf = (id: string) => after.files.get(id)?.connection;
    expect(["file-a", "file-b", "file-c"].map(connectionOf)).toEqual(["connection-1", null, null]);
    expect(await readFile(join(dataDir, "before-2", "journal.jsonl"), "utf8")).toBe(before);
    await after.close();
    expect(idsOf((await open({ dataDir })).store)).toEqual(["file-c", "file-b", "file-a"]);
  });

  test("what was set without the journal is forgotten", async () => {
    const { dataDir } = await makeDataDir("file-1");
    const { store } = await open({ dataDir });
    store.files.setWithoutJournal(fileRecord("file-1", 2));
    expect(store.files.get("file-1")?.bytes).toBe(2);
    await store.close();
    expect((await open({ dataDir })).store.files.get("file-1")?.bytes).toBe(6);
  });

  test("a torn last line is dropped, and one that lacks its line end alone counts", async () => {
    const { dataDir, journal, files } = await makeDataDir("file-1", "file-2");
    await truncate(journal, (await readFile(journal)).length - 1);
    const { store, stderr } = await open({ dataDir });
    expect(idsOf(store)).toEqual(["file-2", "file-1"]);
    await store.close();
    await appendFile(journal, '{"kind":"file","record":{"id":"fi');
    expect(idsOf((await open({ dataDir })).store)).toEqual(["file-2", "file-1"]);
    expect(await readdir(files)).toEqual(["file-1", "file-2"]);
    expect(stderr).toEqual([]);
  });

  test("a file whose line was written before its name was on the disk is not there, and one that was synced is", async () => {
    const dataDir = await makeTempDir();
    const { store } = await open({ dataDir });
    const put = async (id: string) => {
      await writeFile(store.pathOf(id), id);
      store.files.put(fileRecord(id, id.length));
    };
    await put("file-synced");
    await store.synced();
    await put("file-whole");
    await put("file-lost");
    const cut = await makeTempDir();
    for (const path of ["journal.jsonl", "files/file-synced", "files/file-whole"]) {
      await cp(join(dataDir, path), join(cut, path));
    }
    const { store: after } = await open({ dataDir: cut });
    expect(idsOf(after)).toEqual(["file-whole", "file-synced"]);
    expect(after.notices.list()).toEqual([]);
  });
});

describe("of what the journal does not name", () => {
  test("parts of uploads go, and bytes whose removal is recorded", async () => {
    const { dataDir, journal, files } = await makeDataDir("file-1", "file-2");
    const [last = 0] = [...(await readFile(journal, "utf8")).matchAll(/"seq":(\d+)/g)]
      .map(([, seq]) => Number(seq))
      .reverse();
    await appendFile(journal, sealLine({ kind: "file_removed", id: "file-2", seq: last + 1 }));
    await writeFile(join(files, "file-3.part"), "half of i");
    await writeFile(join(files, "file-4"), "");
    const { store } = await open({ dataDir });
    expect(await readdir(files)).toEqual(["file-1"]);
    expect(store.notices.list()).toEqual([]);
  });

  test("what is left of a batch that was removed goes", async () => {
    const { dataDir } = await makeDataDir("file-1");
    const { store: before } = await open({ dataDir });
    for (const id of ["batch_1", "batch_2"]) before.batches.put(makeBatchRecord({ id }));
    before.batches.remove("batch_1");
    await before.close();
    const namesOf = (id: string) => [
      ...["answers", "timings", "indexes"].map((folder) => `${folder}/${id}`),
      `indexes/${id}.0123456789abcdef.column`,
      ...["verdicts", "grades"].map((folder) => `${folder}/${id}.jsonl`),
    ];
    const all = ["batch_1", "batch_2", "batch_3"].flatMap(namesOf);
    for (const name of all) {
      await mkdir(dirname(join(dataDir, name)), { recursive: true });
      await writeFile(join(dataDir, name), "left");
    }
    await open({ dataDir });
    // What nothing names is not known to be left over.
    expect(all.filter((name) => existsSync(join(dataDir, name)))).toEqual(["batch_2", "batch_3"].flatMap(namesOf));
  });

  test("what was half written goes and is named in the log, but not what another command may be writing", async () => {
    const { dataDir, journal } = await makeDataDir("file-1");
    const uuid = "01234567-89ab-4def-8123-456789abcdef";
    const left = [
      "files/file-2.part",
      "indexes/batch_1.part",
      "indexes/batch_1.0123456789abcdef.column.part",
      `parts/connection-1/${uuid}.jsonl`,
      `sources/source_1/source.json.${uuid}.tmp`,
      "sources/source_1/content.sheet-1.part",
      `drafts/draft_1.json.${uuid}.tmp`,
      `origins/batch_1.json.${uuid}.tmp`,
      `verdicts/batch_1.jsonl.${uuid}.tmp`,
    ];
    const old = [`connections.json.${uuid}.tmp`, `verifications.jsonl.${uuid}.tmp`, "claim-0123456789abcdef.held"];
    const others = [
      `server.json.${uuid}.tmp`,
      "drafts/notes.tmp",
      "my.part",
      "files/notes.part",
      `exports/${uuid}.jsonl`,
    ];
    const fill = async (names: readonly string[]) => {
      for (const name of names) {
        await mkdir(dirname(join(dataDir, name)), { recursive: true });
        await writeFile(join(dataDir, name), "half");
      }
    };
    const listAll = () => [...left, ...old, ...others].filter((name) => existsSync(join(dataDir, name)));
    await fill([...left, ...old, ...others]);
    for (const name of old) await utimes(join(dataDir, name), 1, 1);
    const logged: string[] = [];
    const logger = createLogger({ write: (line) => logged.push(line) });
    const store = await openStore({ dataDir }, { logger, machine: createSystemMachine() });
    expect(listAll()).toEqual(others);
    expect(logged.join("")).toMatch(/Half-written files .* were removed files=".*file-2\.part, .* and 2 more"/);
    await store.close();

    // In a damaged folder nothing is removed by itself.
    await fill(left);
    await appendFile(journal, '{"seq":1,"rot":1}\n');
    await appendFile(journal, sealLine({ kind: "mcp_endpoint", enabled: false, seq: 99 }));
    await open({ dataDir });
    expect(listAll()).toEqual([...left, ...others]);
  });

  test("files with names of ours move to quarantine, which is said; foreign ones stay", async () => {
    const { dataDir, files } = await makeDataDir("file-1");
    const foreign = [".DS_Store", "file-", "file-a b", "notes.txt"];
    for (const name of ["file-2", "file-3", ...foreign]) await writeFile(join(files, name), name);
    await mkdir(join(files, "file-folder"));
    const { store, stderr } = await open({ dataDir });
    expect(await readdir(files)).toEqual([...foreign, "file-1", "file-folder"].sort());
    expect(await readdir(join(dataDir, "quarantine"))).toEqual(["file-2", "file-3"]);
    expect(await readFile(join(dataDir, "quarantine", "file-2"), "utf8")).toBe("file-2");
    expect(store.notices.list()).toMatchObject([{ code: "files_quarantined", count: 2 }]);
    expect(stderr.join("")).toMatch(/2 files that no record names were set aside.* From .*files to .*quarantine: /);
    await store.close();

    await writeFile(join(files, "file-2"), "another");
    await open({ dataDir });
    expect((await readdir(join(dataDir, "quarantine"))).sort()).toEqual(["file-2", "file-2.2", "file-3"]);
  });
});

test("an old journal that is damaged is refused with its line, and nothing is removed", async () => {
  const { dataDir, journal, files } = await makeDataDir("file-1");
  await writeFile(journal, toOldFormat(await readFile(journal, "utf8")));
  await writeFile(join(files, "file-2"), "x");
  await appendFile(journal, '{"kind":"file","record":{}}\n{"kind":"batch');
  await expect(open({ dataDir })).rejects.toMatchObject({
    code: "data_dir_unreadable",
    message: expect.stringMatching(/Line 3 of .*journal\.jsonl can't be read/),
  });
  expect(await readdir(files)).toEqual(["file-1", "file-2"]);
});

describe("a lost journal", () => {
  const request = (id: string) => `${JSON.stringify({ custom_id: id, method: "POST", url: "/v1", body: {} })}\n`;
  const lose = [
    ["missing", (journal: string) => rm(journal)],
    ["empty", (journal: string) => truncate(journal, 0)],
  ] as const;

  test.each(lose)("that is %s stops the start where there are files, and says how to go on", async (word, act) => {
    const { dataDir, journal, files } = await makeDataDir("file-1");
    await act(journal);
    await expect(open({ dataDir })).rejects.toMatchObject({
      code: "journal_missing",
      message: expect.stringMatching(new RegExp(`journal\\.jsonl is ${word}.*register the uploads again`)),
    });
    expect(await readdir(files)).toEqual(["file-1"]);
  });

  test("is no matter where there are no files of ours", async () => {
    const { dataDir, journal, files } = await makeDataDir();
    await rm(journal);
    await writeFile(join(files, ".DS_Store"), "");
    expect(idsOf((await open({ dataDir })).store)).toEqual([]);
  });

  test("is begun anew with --adopt: whole batch inputs under their ids, the rest as it is", async () => {
    const { dataDir, journal, files } = await makeDataDir();
    const contents = {
      "file-a": request("1") + request("2"),
      "file-b": `${request("1")}\n${request("2").trimEnd()}`,
      "file-answers": '{"id":"x","custom_id":"1","response":null,"error":null}\n',
      "file-half": request("1") + request("2").slice(0, -9),
      "file-none": "",
      "file-c.part": request("1"),
    };
    for (const [name, content] of Object.entries(contents)) await writeFile(join(files, name), content);
    await utimes(join(files, "file-a"), 1_700_000_000, 1_700_000_000);
    await utimes(join(files, "file-b"), 1_600_000_000, 1_600_000_000);
    await truncate(journal, 0);

    const { store, stderr } = await open({ dataDir, adopt: true });
    const sha256 = createHash("sha256").update(contents["file-a"]).digest("hex");
    const times = { createdAt: 1_700_000_000_000, expiresAt: null };
    const about = {
      filename: "file-a.jsonl",
      purpose: "batch",
      faulty: false,
      generated: false,
      scope: "default",
      vendor: "openai",
      mimeType: null,
      connection: null,
      ...times,
    };
    expect(store.files.get("file-a")).toEqual({ id: "file-a", ...about, bytes: contents["file-a"].length, sha256 });
    expect(idsOf(store)).toEqual(["file-a", "file-b"]);
    expect((await readdir(files)).sort()).toEqual(Object.keys(contents).sort());
    expect(stderr).toEqual([]);
    await store.close();

    const { store: next } = await open({ dataDir });
    expect(idsOf(next)).toEqual(["file-a", "file-b"]);
    expect(await readdir(join(dataDir, "quarantine"))).toEqual(["file-answers", "file-half"]);
  });
});

describe("a data folder", () => {
  test.skipIf(process.platform === "win32")("of ours is closed to others, any other is reported", async () => {
    const { dataDir } = await makeDataDir();
    await chmod(dataDir, 0o755);
    expect((await open({ dataDir })).stderr).toEqual([]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);

    const made = join(await makeTempDir(), "new");
    await open({ dataDir: made });
    expect(statSync(made).mode & 0o777).toBe(0o700);

    const other = await makeTempDir();
    await chmod(other, 0o755);
    const { stderr } = await open({ dataDir: other });
    expect(stderr).toEqual([expect.stringMatching(/Other users .* may read the data folder .*chmod 700/)]);
    expect(statSync(other).mode & 0o777).toBe(0o755);
  });
});

test.each(["second", "never"] as const)(
  "a store whose folder was taken stores and confirms nothing (%s)",
  async (durability) => {
    const { dataDir, journal } = await makeDataDir("file-1");
    const { store, stderr } = await open({ dataDir, durability });
    const answers = createAppender(join(dataDir, "files", "file-2"), 0, store.durability);
    await answers.append(Buffer.from("{}\n"));
    store.files.put(fileRecord("file-2"));
    const before = await readFile(journal);
    await writeFile(join(dataDir, "owner"), JSON.stringify({ nonce: "another", pid: 1, socket: "elsewhere" }));

    await expect(store.synced()).rejects.toMatchObject({ code: "data_dir_lost", status: 503 });
    expect(() => store.files.remove("file-1")).toThrow("was taken by process 1");
    await expect(answers.append(Buffer.from("{}\n"))).rejects.toThrow("was taken by process 1");
    expect(idsOf(store)).toEqual(["file-2", "file-1"]);
    expect(store.durability.failure).not.toBeNull();
    expect(store.notices.list()).toMatchObject([{ code: "data_dir_lost" }]);
    expect(stderr[0]).toContain("nothing more is stored");
    await answers.close();
    await store.close();
    expect(await readFile(journal)).toEqual(before);
    expect(await readFile(join(dataDir, "owner"), "utf8")).toContain("another");
  },
);

test("a store that keeps nothing is gone when it is closed", async () => {
  const { store } = await open({ ephemeral: true });
  store.files.put(fileRecord("file-1"));
  const path = store.pathOf("file-1");
  await writeFile(path, "x");
  await store.close();
  expect(existsSync(dirname(path))).toBe(false);
});
