import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRows, defaultCustomId, type RequestTemplate } from "#contract";
import { type BuildFixture, openBuild, questionTemplate } from "./testing/build-fixture.ts";

let fixture: BuildFixture;
beforeAll(async () => {
  fixture = await openBuild();
});
afterAll(() => fixture.close());

async function submitTable(content: string, name: string) {
  const source = await fixture.upload(content, name);
  const events = fixture.build.submit({ sourceId: source.id, template: questionTemplate(), name: "Batch" });
  for await (const event of events) if (event.phase === "submitted") return { source, batchId: event.batchId };
  throw new Error("It was not submitted.");
}

async function readAll(batchId: string, column: string, from: number): Promise<string[]> {
  const read = await fixture.build.batchSources.columnReader(batchId);
  if (read === undefined) throw new Error("The table is gone.");
  return (await Array.fromAsync(read(column, from))).flat();
}

const rows = Array.from({ length: 450 }, (_, at) => `Why ${at + 1}?,"Passage ${at + 1},\nin two lines"`);
const table = `question,passage\n${rows.join("\n")}\n`;

describe("the table that a batch was built from", () => {
  it("can be read by column from any row on", async () => {
    const { batchId } = await submitTable(table, "table.csv");
    expect(await fixture.build.batchSources.columns(batchId)).toEqual(["question", "passage"]);
    expect(await readAll(batchId, "passage", 449)).toEqual([
      "Passage 449,\nin two lines",
      "Passage 450,\nin two lines",
    ]);
    expect(await readAll(batchId, "question", 1)).toHaveLength(450);
    await fixture.build.batchSources.requireColumn(batchId, "passage");
    await expect(fixture.build.batchSources.requireColumn(batchId, "colour")).rejects.toMatchObject({
      kind: "refused",
    });
  });

  it("is read by the rows that became lines", async () => {
    const source = await fixture.upload(table.replace("Why 2?", ""), "some.csv");
    const rows = { ...allRows, take: "first", count: 4, skipFaulty: true } as const;
    const events = fixture.build.submit({ sourceId: source.id, template: questionTemplate(), rows, name: "Batch" });
    const last = (await Array.fromAsync(events)).at(-1);
    const batchId = last?.phase === "submitted" ? last.batchId : "";
    expect(await readAll(batchId, "question", 1)).toEqual(["Why 1?", "Why 3?", "Why 4?"]);
    expect(await readAll(batchId, "question", 3)).toEqual(["Why 4?"]);
  });

  it("is read as it was for the batch, whatever its layout is now", async () => {
    const { source, batchId } = await submitTable("question;passage\na;b\n", "layout.csv");
    await fixture.build.sources.setLayout(source.id, { ...source, csv: { delimiter: ",", header: null, skip: 0 } });
    expect(await fixture.build.batchSources.columns(batchId)).toEqual(["question", "passage"]);
    expect(await readAll(batchId, "passage", 1)).toEqual(["b"]);
  });

  it("is described by what of it stands in the requests", async () => {
    const { source, batchId } = await submitTable("question,label,note\na,b,c\n", "used.csv");
    const describeOf = async (template: Partial<RequestTemplate>) => {
      const events = fixture.build.submit({ sourceId: source.id, template: questionTemplate(template), name: "Batch" });
      const last = (await Array.fromAsync(events)).at(-1);
      return fixture.build.batchSources.describe(last?.phase === "submitted" ? last.batchId : "");
    };
    const known = { columns: ["question", "label", "note"], expected: "label", isQuestionShared: false };
    expect(await fixture.build.batchSources.describe(batchId)).toEqual({
      ...known,
      hasChosenIds: true,
      inPrompt: ["question"],
    });
    const messages = [{ role: "system" as const, content: "{{ note }}" }, ...questionTemplate().messages];
    expect(await describeOf({ messages, customId: defaultCustomId })).toEqual({
      ...known,
      hasChosenIds: false,
      inPrompt: ["note", "question"],
    });
    // The Row ID is not shown twice.
    expect(await describeOf({ messages, customId: "{{ note }}" })).toMatchObject({ inPrompt: ["question"] });
  });

  it("stays for as long as its batch does", async () => {
    const { source, batchId } = await submitTable("question,passage\na,b\n", "kept.csv");
    const { build, service } = fixture;
    await build.sources.remove(source.id);
    expect(await build.batchSources.columns(batchId)).toEqual(["question", "passage"]);
    await service.batches.settled(batchId);
    await service.batches.remove(batchId);
    await build.sources.remove(source.id);
    await expect(build.sources.get(source.id)).rejects.toMatchObject({ kind: "not_found" });
  });

  it("has no columns when it is gone, was none, or is unknown", async () => {
    const { source, batchId } = await submitTable("question,passage\na,b\n", "gone.csv");
    await rm(join(fixture.dataDir, "sources", source.id), { recursive: true });
    const request = `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"deepseek-ai/DeepSeek-R1","messages":[{"role":"user","content":"Hi"}]}}\n`;
    const requests = await submitTable(request, "requests.jsonl");
    for (const id of [batchId, requests.batchId, "batch_none"]) {
      expect(await fixture.build.batchSources.columns(id)).toEqual([]);
      expect(await fixture.build.batchSources.columnReader(id)).toBeUndefined();
      expect((await fixture.build.batchSources.describe(id))?.columns ?? []).toEqual([]);
      expect(await fixture.build.batchSources.isTableLost(id)).toBe(id === batchId);
    }
  });

  it("is lost where its record is damaged, with a notice", async () => {
    const { batchId, source } = await submitTable("question,passage\na,b\n", "damaged.csv");
    const { batchSources, sources } = fixture.build;
    expect(await batchSources.isTableLost(batchId)).toBe(false);
    const path = join(fixture.dataDir, "origins", `${batchId}.json`);
    await writeFile(path, (await readFile(path, "utf8")).replace('"passage"', '"passagf"'));
    expect(await batchSources.isTableLost(batchId)).toBe(true);
    expect(await batchSources.columns(batchId)).toEqual([]);
    expect(fixture.service.notices.list()).toMatchObject([{ code: "record_damaged", details: path }]);
    expect(fixture.service.readHealth()).toEqual(["data_damaged"]);
    // It may be the table of the damaged record: no table counts as unused, and none is removed.
    expect(await fixture.build.unusedSources()).toBeNull();
    await sources.remove(source.id);
    expect(await sources.get(source.id)).toMatchObject({ id: source.id });
    const { id } = await sources.begin("stopped.csv");
    await sources.remove(id);
    await expect(sources.append(id, 0, new Uint8Array(1))).rejects.toThrow();
  });

  it("is lost where its record can't be read, with a notice", async () => {
    const { batchId } = await submitTable("question,passage\na,b\n", "unreadable.csv");
    const { batchSources } = fixture.build;
    const path = join(fixture.dataDir, "origins", `${batchId}.json`);
    await rm(path);
    await mkdir(path);
    expect(await batchSources.describe(batchId)).toBeNull();
    expect(await batchSources.cells(batchId, ["passage"], [1])).toEqual([[]]);
    expect(await batchSources.isTableLost(batchId)).toBe(true);
    const details = expect.stringContaining(`${path}: Error: EISDIR`);
    expect(fixture.service.notices.list()).toContainEqual(
      expect.objectContaining({ code: "record_damaged", message: expect.stringContaining(batchId), details }),
    );
  });
});
