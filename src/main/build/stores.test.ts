import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Notice } from "#contract";
import { createSilentLogger } from "#main/base";
import { createBuild } from "./build.ts";
import { type BuildFixture, openBuild, questionTemplate, readSource } from "./testing/build-fixture.ts";
import { sharedBuildThread } from "./testing/shared-thread.ts";

let fixture: BuildFixture;

beforeAll(async () => {
  fixture = await openBuild();
});
afterAll(() => fixture.close());

describe("sources", () => {
  it("take pieces in their order only", async () => {
    const { id } = await fixture.build.sources.begin("a.csv");
    await fixture.build.sources.append(id, 0, Buffer.from("a,b\n"));
    await expect(fixture.build.sources.append(id, 0, Buffer.from("again"))).rejects.toMatchObject({ kind: "conflict" });
    await fixture.build.sources.append(id, 4, Buffer.from("1,2\n"));
    const source = await readSource(fixture.build.sources.finish(id));
    expect(source).toMatchObject({ name: "a.csv", bytes: 8, rowCount: 1, columns: ["a", "b"] });
    await expect(fixture.build.sources.append(id, 8, Buffer.from("x"))).rejects.toMatchObject({ kind: "not_found" });
    expect(await fixture.build.sources.rows(id, 0, 10)).toEqual({
      total: 1,
      rows: [{ row: 1, cells: { a: "1", b: "2" } }],
    });
    expect(await fixture.build.sources.rows(id, 1, 10)).toEqual({ total: 1, rows: [] });
  });

  it("leave nothing of a file that is no table", async () => {
    const folder = join(fixture.dataDir, "sources");
    const before = await readdir(folder);
    await expect(fixture.upload("PK\x03\x04", "book.xlsx")).rejects.toMatchObject({ kind: "refused" });
    expect(await readdir(folder)).toEqual(before);
  });

  it("leave nothing of a file whose reading is given up", async () => {
    const folder = join(fixture.dataDir, "sources");
    const before = await readdir(folder);
    const { id } = await fixture.build.sources.begin("a.csv");
    await fixture.build.sources.append(id, 0, Buffer.from("a,b\n1,2\n"));
    const giveUp = new AbortController();
    const reading = fixture.build.sources.finish(id, giveUp.signal).next();
    giveUp.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(await readdir(folder)).toEqual(before);
  });

  it.each(["../drafts", "..", "a/b", "", "source_unknown"])("are not found outside of their folder: %j", async (id) => {
    await expect(fixture.build.sources.get(id)).rejects.toMatchObject({ kind: "not_found" });
    await expect(fixture.build.drafts.get(id)).rejects.toMatchObject({ kind: "not_found" });
  });

  it("open with the layout that an earlier version stored", async () => {
    const { sources } = fixture.build;
    for (const [header, row, rowCount] of [
      [true, 1, 1],
      [false, null, 2],
    ] as const) {
      const { id, name } = await fixture.upload("a,b\n1,2\n", "a.csv");
      const path = join(fixture.dataDir, "sources", id, "source.json");
      const { notes: _, sealed: __, crc: ___, ...stored } = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...stored, csv: { delimiter: ",", header } }));
      const source = await sources.get(id);
      expect(source).toMatchObject({ name, rowCount: 1, csv: { delimiter: ",", header: row, skip: 0 } });
      expect(await sources.rows(id, 0, 10)).toMatchObject({ rows: [{ cells: { a: "1", b: "2" } }] });
      expect(await sources.setLayout(id, source)).toMatchObject({ rowCount, csv: { header: row } });
    }
  });

  it("are refused once their bytes are damaged, and what they were converted to is made anew", async () => {
    const { sources, preview } = fixture.build;
    const inFolder = (id: string, name: string) => join(fixture.dataDir, "sources", id, name);
    const flip = async (path: string) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.with(-2, (bytes.at(-2) ?? 0) ^ 1));
    };
    const plain = await fixture.upload("question,b\n1,2\n", "a.csv");
    const input = { sourceId: plain.id, template: questionTemplate(), pictureFolders: [] };
    expect(await preview(input, 1)).toMatchObject({ total: 1 });
    await flip(inFolder(plain.id, "content"));
    for (const use of [
      () => preview(input, 1),
      () => sources.rows(plain.id, 0, 1),
      () => sources.setLayout(plain.id, plain),
    ])
      await expect(use()).rejects.toMatchObject({
        kind: "refused",
        message: expect.stringContaining("damaged on disk"),
      });

    const converted = await fixture.upload(Buffer.from("\ufeffa,b\n1,2\n", "utf16le"), "b.csv");
    const rows = await sources.rows(converted.id, 0, 1);
    const target = inFolder(converted.id, "content.utf-16le");
    const bytes = await readFile(target);
    for (const damage of [() => flip(target), () => rm(target)]) {
      await damage();
      const both = [sources.rows(converted.id, 0, 1), sources.rows(converted.id, 0, 1)];
      expect(await Promise.all(both)).toEqual([rows, rows]);
      expect(await readFile(target)).toEqual(bytes);
    }
    await Promise.all([flip(target), flip(inFolder(converted.id, "content"))]);
    await expect(sources.rows(converted.id, 0, 1)).rejects.toMatchObject({ kind: "refused" });
  });

  it("stay while a draft uses them, and go with the last one", async () => {
    const source = await fixture.upload("a,b\n1,2\n", "a.csv");
    const [first, second] = [await fixture.build.drafts.create("one"), await fixture.build.drafts.create("two")];
    for (const draft of [first, second]) await fixture.build.drafts.save({ ...draft, sourceId: source.id });
    await expect(fixture.build.sources.remove(source.id)).rejects.toMatchObject({ kind: "conflict" });
    await fixture.build.drafts.remove(first.id);
    expect(await fixture.build.sources.get(source.id)).toEqual(source);
    await fixture.build.drafts.remove(second.id);
    await expect(fixture.build.sources.get(source.id)).rejects.toMatchObject({ kind: "not_found" });
    expect(existsSync(join(fixture.dataDir, "sources", source.id))).toBe(false);
  });
});

describe("drafts", () => {
  it("are stored as they were saved, the latest first", async () => {
    const [old, recent] = [await fixture.build.drafts.create("old"), await fixture.build.drafts.create("recent")];
    const saved = await fixture.build.drafts.save({ ...old, template: questionTemplate(), batchId: "batch_1" });
    expect(saved.updatedAt).toBeGreaterThanOrEqual(recent.updatedAt);
    expect(await fixture.build.drafts.get(old.id)).toEqual(saved);
    const names = (await fixture.build.drafts.list()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["old", "recent"]));
  });

  it("are set aside, not lost, when their file can't be read", async () => {
    const draft = await fixture.build.drafts.create("broken");
    const path = join(fixture.dataDir, "drafts", `${draft.id}.json`);
    await writeFile(path, '{"id": "cut o');
    await expect(fixture.build.drafts.get(draft.id)).rejects.toMatchObject({ kind: "not_found" });
    expect(await readFile(`${path}.broken`, "utf8")).toBe('{"id": "cut o');
    expect((await fixture.build.drafts.list()).map(({ id }) => id)).not.toContain(draft.id);
  });
});

describe("at a start", () => {
  const record = (id: string) => ({ id, name: "t.csv", rowCount: 1 });

  async function restart(change: (folder: string) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-start-"));
    await change(folder);
    const { service } = fixture;
    const notices: Notice[] = [];
    const build = await createBuild({
      dataDir: folder,
      writeRules: service.durability,
      thread: sharedBuildThread(),
      service,
      clock: { ...service.clock, now: () => Date.now() + 2 * 24 * 60 * 60_000 },
      machine: service.machine,
      ids: service.ids,
      logger: createSilentLogger(),
      readRequestRules: async () => null,
      openPlanner: async () => null,
      notices: { add: (notice) => notices.push(notice) },
    });
    const entries = async (name: string) => (await readdir(join(folder, name)).catch(() => [])).sort();
    const [sources, quarantine] = [await entries("sources"), await entries("quarantine")];
    await build.close();
    await rm(folder, { recursive: true });
    return { sources, quarantine, notices };
  }

  /** Three old tables (one complete, one with a record cut off, one without any), an upload, and a foreign file. */
  async function fill(folder: string): Promise<void> {
    const source = await fixture.upload("a,b\n1,2\n", "a.csv");
    await cp(join(fixture.dataDir, "sources", source.id), join(folder, "sources", "source_whole"), { recursive: true });
    for (const id of ["source_cut", "source_bare", "source_part", "mine"])
      await mkdir(join(folder, "sources", id), { recursive: true });
    await writeFile(join(folder, "sources", "source_cut", "source.json"), JSON.stringify(record("source_cut")));
    for (const id of ["source_cut", "source_bare", "mine"]) await writeFile(join(folder, "sources", id, "content"), id);
    await writeFile(join(folder, "sources", "source_part", "content.part"), "half");
    await writeFile(join(folder, "sources", ".DS_Store"), "");
    await mkdir(join(folder, "drafts"));
    await writeFile(join(folder, "drafts", ".DS_Store"), "");
    await writeFile(join(folder, "drafts", "._draft_1.json"), "");
  }

  it("a table whose record can't be read is set apart, never removed, and foreign names are left alone", async () => {
    const { sources, quarantine, notices } = await restart(fill);
    expect(sources).toEqual([".DS_Store", "mine"]);
    expect(quarantine).toEqual(["source_bare", "source_cut"]);
    expect(notices).toMatchObject([{ code: "sources_quarantined", count: 2 }]);
  });

  it("no table is touched while a draft can't be read", async () => {
    const { sources, quarantine } = await restart(async (folder) => {
      await fill(folder);
      await writeFile(join(folder, "drafts", "draft_1.json"), '{"id": "cut o');
    });
    expect(sources).toEqual([".DS_Store", "mine", "source_bare", "source_cut", "source_whole"]);
    expect(quarantine).toEqual([]);
  });
});
