import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuildFixture, openBuild, questionTemplate, readSource } from "./testing/build-fixture.ts";

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
  it("are kept as they were saved, the latest first", async () => {
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
