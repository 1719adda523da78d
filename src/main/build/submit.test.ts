import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openHttpApp } from "#main/http";
import { type BuildFixture, openBuild, questionTemplate } from "./testing/build-fixture.ts";

let fixture: BuildFixture;

beforeAll(async () => {
  fixture = await openBuild();
});
afterAll(() => fixture.close());

async function readFileOf(id: string): Promise<string> {
  const chunks = await Array.fromAsync<Uint8Array>(await fixture.service.files.read(id));
  return Buffer.concat(chunks).toString("utf8");
}

describe("a batch", () => {
  it("is made of the rendered rows", async () => {
    const source = await fixture.upload("id,question\na,Why?\nb,How?\n", "questions.csv");
    const template = questionTemplate({ customId: "{{ id }}" });
    const events = await Array.fromAsync(
      fixture.build.submit({ sourceId: source.id, template, name: "Two: questions" }),
    );
    const last = events.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const batch = await fixture.service.batches.settled(last.batchId);
    expect(batch).toMatchObject({
      status: "completed",
      metadata: { name: "Two: questions" },
      counts: { total: 2, completed: 2, failed: 0 },
    });
    expect(fixture.service.files.get(batch.inputFileId)?.filename).toBe("Two questions.jsonl");
    const lines = (await readFileOf(batch.inputFileId)).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).custom_id)).toEqual(["a", "b"]);
    expect(await readdir(join(fixture.dataDir, "rendered"))).toEqual([]);

    const { draftFromBatch, drafts, sources } = fixture.build;
    const copy = await draftFromBatch(batch.id, "copy");
    expect(copy).toMatchObject({ name: "Two: questions", sourceId: source.id, template });
    const mended = await draftFromBatch(batch.id, "lines");
    expect(await sources.get(mended.sourceId ?? "")).toMatchObject({ holds: "requests", rowCount: 2 });
    await drafts.remove(copy.id);
    expect(await sources.get(source.id)).toMatchObject({ holds: "rows" });
    // Its table is lost.
    await rm(join(fixture.dataDir, "sources", source.id), { recursive: true });
    const later = await draftFromBatch(batch.id, "copy");
    expect(await sources.get(later.sourceId ?? "")).toMatchObject({ holds: "requests", rowCount: 2 });
    for (const { id } of [mended, later]) await drafts.remove(id);
  });

  it("is the very bytes of a file of requests", async () => {
    const line =
      '{"custom_id": "1",  "method":"POST","url":"/v1/chat/completions","body":{"model":"deepseek-ai/DeepSeek-R1","messages":[{"role":"user","content":"Hi"}],"seed":1}}';
    const content = `\ufeff${line}\r\n${line.replace('"1"', '"2"')}\r\n\r\n`;
    const source = await fixture.upload(content, "batch.jsonl");
    expect(source.rowCount).toBe(2);
    const events = await Array.fromAsync(
      fixture.build.submit({ sourceId: source.id, template: questionTemplate(), name: "As it is" }),
    );
    const last = events.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const batch = await fixture.service.batches.settled(last.batchId);
    expect(batch).toMatchObject({ status: "completed", counts: { total: 2 } });
    expect(await readFileOf(batch.inputFileId)).toBe(content);
  });

  it("has the edited lines of a file of requests in their places", async () => {
    const line = (id: string, model = "deepseek-ai/DeepSeek-R1") =>
      JSON.stringify({
        custom_id: id,
        method: "POST",
        url: "/v1/chat/completions",
        body: { model, messages: [{ role: "user", content: "Hi" }] },
      });
    const source = await fixture.upload([line("1"), "{broken", line("3")].join("\n"), "batch.jsonl");
    const { sources } = fixture.build;
    await expect(sources.editLine(source.id, 4, line("4"))).rejects.toMatchObject({ kind: "not_found" });
    await expect(sources.editLine(source.id, 2, "{}\n{}")).rejects.toMatchObject({ kind: "refused" });
    expect(await sources.editLine(source.id, 3, line("c"))).toMatchObject({ editedLines: [3] });
    expect(await sources.editLine(source.id, 2, line("b"))).toMatchObject({ editedLines: [2, 3] });
    expect(await sources.editLine(source.id, 3, null)).toMatchObject({ editedLines: [2] });
    expect((await sources.rows(source.id, 1, 1)).rows).toEqual([{ row: 2, cells: { line: line("b") } }]);
    const events = await Array.fromAsync(
      fixture.build.submit({ sourceId: source.id, template: questionTemplate(), name: "Edited" }),
    );
    const last = events.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const batch = await fixture.service.batches.settled(last.batchId);
    const lines = (await readFileOf(batch.inputFileId)).trimEnd().split("\n");
    expect(lines).toEqual([line("1"), line("b"), line("3")]);
  });

  it("has a value of a file of requests replaced in all of its lines, until that is undone", async () => {
    const line = (id: string, model: string) =>
      `{"custom_id":"${id}", "method":"POST","url":"/v1/chat/completions","body":{"model":"${model}","messages":[{"role":"user","content":"Hi"}]}}`;
    const known = "deepseek-ai/DeepSeek-R1";
    const source = await fixture.upload(
      [line("1", "gpt"), line("2", known), line("3", "gpt")].join("\n"),
      "batch.jsonl",
    );
    const { check, sources } = fixture.build;
    const path = "body.model";
    expect(await sources.values(source.id, path)).toEqual([
      { value: "gpt", lines: 2 },
      { value: known, lines: 1 },
    ]);
    await sources.editLine(source.id, 2, line("b", "gpt"));
    const replacement = { path, from: "gpt", to: known };
    expect(await sources.setReplacements(source.id, [replacement])).toMatchObject({
      replacements: [{ ...replacement, lines: 3 }],
    });
    const input = { sourceId: source.id, template: questionTemplate() };
    const countErrors = async () => (await Array.fromAsync(check(input))).at(-1)?.errorCount;
    expect(await countErrors()).toBe(0);
    expect((await sources.rows(source.id, 0, 1)).rows).toEqual([{ row: 1, cells: { line: line("1", known) } }]);
    const last = (await Array.fromAsync(fixture.build.submit({ ...input, name: "Replaced" }))).at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const batch = await fixture.service.batches.settled(last.batchId);
    expect((await readFileOf(batch.inputFileId)).trimEnd().split("\n")).toEqual([
      line("1", known),
      line("b", known),
      line("3", known),
    ]);
    await sources.setReplacements(source.id, []);
    expect(await countErrors()).toBe(3);
  });

  it("is one of several for several models and versions of the prompt, linked to the first", async () => {
    const source = await fixture.upload("id,question\na,Why?\nb,How?\n", "models.csv");
    const other = "deepseek-ai/DeepSeek-R1";
    const template = questionTemplate({ otherModels: [other], further: '{ "seed": 7 }' });
    const asked = { messages: [{ role: "user", content: "Briefly: {{ question }}" }], maxCompletionTokens: 9 } as const;
    const otherVersions = [{ ...asked, messages: [...asked.messages], temperature: null, version: "Brief" }];
    const submitAll = (changes: object) => {
      const input = { sourceId: source.id, template: { ...template, ...changes }, name: "All" };
      return Array.fromAsync(fixture.build.submit(input));
    };
    const last = (await submitAll({ version: "A", otherVersions })).at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const { batches } = fixture.service;
    const all = await Promise.all([last.batchId, ...(last.versions ?? [])].map((id) => batches.settled(id)));
    expect(all.map(({ metadata }) => metadata.name)).toEqual([
      "All, A, Meta-Llama-3.1-8B-Instruct-Turbo",
      "All, A, DeepSeek-R1",
      "All, Brief, Meta-Llama-3.1-8B-Instruct-Turbo",
      "All, Brief, DeepSeek-R1",
    ]);
    const link = { kind: "version", root: last.batchId };
    expect(all.map((batch) => batch.link)).toEqual([null, link, link, link]);
    const lines = await Promise.all(all.map(async ({ inputFileId }) => (await readFileOf(inputFileId)).split("\n")));
    const bodies = lines.map(([first = ""]) => JSON.parse(first).body);
    expect(bodies[1]).toEqual({ model: other, messages: [{ role: "user", content: "Why?" }], seed: 7 });
    const briefly = { messages: [{ role: "user", content: "Briefly: Why?" }], max_completion_tokens: 9 };
    expect(bodies[3]).toEqual({ model: other, ...briefly });
    expect(await fixture.build.draftFromBatch(last.batchId, "copy")).toMatchObject({
      name: "All",
      template: { version: "A", otherVersions, otherModels: [other] },
    });
    expect(await fixture.build.draftFromBatch(all[3]?.id ?? "", "copy")).toMatchObject({
      name: "All",
      template: { version: "Brief", model: other },
    });

    const before = batches.list({ limit: 100 }).batches.length;
    await expect(submitAll({ otherModels: ["nobody/knows"] })).rejects.toMatchObject({ kind: "refused" });
    expect(batches.list({ limit: 100 }).batches).toHaveLength(before);

    // The next submit would pay for the first of them again.
    const { files } = fixture.service;
    const [stored, { receive }] = [files.list().length, files];
    const failing = vi.spyOn(files, "receive");
    failing.mockImplementationOnce(receive).mockRejectedValueOnce(new Error("The disk is full."));
    await expect(submitAll({ otherVersions })).rejects.toThrow("The disk is full.");
    failing.mockRestore();
    expect(batches.list({ limit: 100 }).batches).toHaveLength(before);
    expect(files.list()).toHaveLength(stored);

    // A batch that runs already stays, and is named.
    const { create } = batches;
    const refusing = vi.spyOn(batches, "create");
    refusing.mockImplementationOnce(create).mockRejectedValueOnce(new Error("The disk is full."));
    await expect(submitAll({ otherModels: [], version: "A", otherVersions })).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("Submitted: “All, A”. Not submitted: “All, Brief”."),
    });
    refusing.mockRestore();
    const [running] = batches.list({ limit: 100 }).batches;
    expect(running?.metadata.name).toBe("All, A");
    await batches.settled(running?.id ?? "");
    expect(batches.list({ limit: 100 }).batches).toHaveLength(before + 1);
  });

  it("can be tried on a few rows first, which no list shows", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `${at + 1},${at === 28 ? "" : `Why ${at + 1}?`}`);
    const source = await fixture.upload(`id,question\n${rows.join("\n")}\n`, "trial.csv");
    const trial = { sourceId: source.id, template: questionTemplate(), draftId: "draft_1" };
    const events = await Array.fromAsync(fixture.build.trial({ ...trial, rows: { take: "last", count: 3 } }));
    const last = events.at(-1);
    expect(last?.finished).toBe(true);
    expect(last?.rows).toMatchObject([
      { row: 28, state: "answered", question: "Why 28?", answer: expect.stringMatching(/\w/) },
      { row: 30, state: "answered", question: "Why 30?" },
    ]);
    expect(last?.source.expected).toBeNull();
    const { batches } = fixture.service;
    expect(batches.get(last?.batchId ?? "")?.link).toEqual({ kind: "trial", root: "draft_1" });
    expect(batches.list({ limit: 100 }).batches.map(({ id }) => id)).not.toContain(last?.batchId);
    await fixture.build.drafts.remove("draft_1");
    expect(batches.get(last?.batchId ?? "")).toBeUndefined();
  });

  it("is tried with the expected answers of its table, and with the reason where an answer breaks the schema", async () => {
    const source = await fixture.upload("question,Label\nWhy?,a\nHow?,b\nWho?,c\n", "labels.csv");
    const schema = JSON.stringify({ type: "object", properties: { topic: { type: "string" } }, required: ["topic"] });
    const answerFormat = { type: "json_schema" as const, name: "topic", schema, strict: false };
    const tryFirst = async (maxCompletionTokens: number | null) => {
      const template = questionTemplate({ answerFormat, maxCompletionTokens });
      const trial = { sourceId: source.id, template, draftId: "draft_2", rows: { take: "first", count: 2 } as const };
      return (await Array.fromAsync(fixture.build.trial(trial))).at(-1);
    };
    expect(await tryFirst(null)).toMatchObject({
      source: { expected: "Label", inPrompt: ["question"] },
      rows: [
        {
          row: 1,
          customId: "q-1",
          expected: "a",
          cells: { question: "Why?" },
          fields: { topic: expect.stringMatching(/\w/) },
        },
        { row: 2, customId: "q-2", expected: "b" },
      ],
    });
    const misfits = [{ path: "answer", why: "The answer is no JSON." }];
    expect(await tryFirst(1)).toMatchObject({ rows: [{ state: "answered", misfits, fields: null }, { misfits }] });
  });

  it("keeps the last trial of each version with its draft, with its answers", async () => {
    const source = await fixture.upload("question,Label\nWhy?,a\nHow?,b\nWho?,c\n", "labels.csv");
    const { id: draftId } = await fixture.build.drafts.create("Kept");
    const tryRows = async (version: string, count: number) => {
      const rows = { take: "first", count } as const;
      const trial = { sourceId: source.id, template: questionTemplate(), draftId, version, rows };
      return (await Array.fromAsync(fixture.build.trial(trial))).at(-1);
    };
    await tryRows("A", 1);
    const ofB = await tryRows("B", 2);
    const ofA = await tryRows("A", 3);
    const kept = await fixture.build.trials(draftId);
    expect(kept.map(({ input, rows, source }) => [input.version, rows, source])).toEqual([
      ["B", ofB?.rows, ofB?.source],
      ["A", ofA?.rows, ofA?.source],
    ]);
    expect(kept[0]?.input.template).toEqual(questionTemplate());
    expect(kept[0]?.milliseconds).toEqual(expect.any(Number));

    // One that is stopped has what came until then.
    const rows = { take: "first", count: 2 } as const;
    const stop = new AbortController();
    const input = { sourceId: source.id, template: questionTemplate(), draftId, version: "B", rows };
    for await (const _ of fixture.build.trial(input, stop.signal)) stop.abort();
    expect((await fixture.build.trials(draftId)).at(-1)).toMatchObject({ input: { version: "B" }, rows: [{}, {}] });

    const path = join(fixture.dataDir, "drafts", `${draftId}.trials.json`);
    const stored = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ trials: [{}, ...stored.trials] }));
    expect(await fixture.build.trials(draftId)).toHaveLength(2);
    expect(fixture.service.notices.list().at(-1)?.message).toContain("1 of 3 trials of a draft");
    expect(JSON.parse(await readFile(`${path}.broken`, "utf8")).trials).toHaveLength(3);
    expect(await fixture.build.trials(draftId)).toHaveLength(2);
    await writeFile(path, "{");
    expect(await fixture.build.trials(draftId)).toEqual([]);
    expect(fixture.service.notices.list().at(-1)?.message).toContain("trials of a draft");
    await tryRows("A", 1);
    // One that ends after its draft was removed is not kept.
    for await (const _ of fixture.build.trial(input)) await fixture.build.drafts.remove(draftId);
    expect(await fixture.build.trials(draftId)).toEqual([]);
    // One that begins after that is not kept either.
    await tryRows("A", 1);
    expect(await readdir(join(fixture.dataDir, "drafts"))).not.toContain(`${draftId}.trials.json`);
  });

  it("of a trial that can't be kept is ended, since nobody would see its answers", async () => {
    const source = await fixture.upload("question\nWhy?\nHow?\n", "kept.csv");
    const { id: draftId } = await fixture.build.drafts.create("Not kept");
    await mkdir(join(fixture.dataDir, "drafts", `${draftId}.trials.json`));
    const rows = { take: "first", count: 2 } as const;
    const trial = fixture.build.trial({ sourceId: source.id, template: questionTemplate(), draftId, rows });
    await expect(Array.fromAsync(trial)).rejects.toThrow("EISDIR");
    const { batches } = fixture.service.batches.list({ limit: 100, trials: true });
    const [batch] = batches.filter(({ link }) => link?.root === draftId);
    expect(await fixture.service.batches.settled(batch?.id ?? "")).toMatchObject({ status: "cancelled" });
  });

  it("is refused while there are errors, with the first of them, and leaves nothing behind", async () => {
    const before = fixture.service.files.list().length;
    const source = await fixture.upload("id,question\na,Why?\na,How?\n", "questions.csv");
    const template = questionTemplate({ customId: "{{ id }}" });
    const refused = Array.fromAsync(fixture.build.submit({ sourceId: source.id, template, name: "Twice" }));
    await expect(refused).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("1 problem keeps this batch from running. The first is on line 2: custom_id"),
    });
    expect(fixture.service.files.list()).toHaveLength(before);
    expect(await readdir(join(fixture.dataDir, "rendered"))).toEqual([]);
  });

  it("is exported even with problems, unless a row would be missing", async () => {
    const source = await fixture.upload("id,question\na,Why?\na,How?\n", "questions.csv");
    const target = join(fixture.dataDir, "export.jsonl");
    const input = { sourceId: source.id, template: questionTemplate({ customId: "{{ id }}" }) };
    expect(await fixture.build.input.writeTo(input, target)).toBe(2);
    expect((await readFile(target, "utf8")).trimEnd().split("\n")).toHaveLength(2);
    const ragged = await fixture.upload("id,question\na,Why?\nb\n", "ragged.csv");
    await expect(fixture.build.input.writeTo({ ...input, sourceId: ragged.id }, target)).rejects.toThrow(
      "1 row can't be made a request. The first is on line 2: This row has 1 cell",
    );
  });
});

describe("a table with more rows than an uploaded file may have requests", () => {
  const rows = (count: number) => `question\n${"What is 6 times 7?\n".repeat(count)}`;
  const wanted = { endpoint: "/v1/chat/completions", completion_window: "24h" };
  const apiKey = "sk-sheaf-test-0123456789abcdef";
  const apiRequest = { headers: { authorization: `Bearer ${apiKey}` } };

  it("is a batch in the app, whose lines are asked again there; the API lists and serves it, and keeps its own limits", async () => {
    const large = await openBuild({
      fileLimits: { requests: 3, bytes: 800 },
      generatedFileLimits: { requests: 6, bytes: 4_000 },
    });
    onTestFinished(() => large.close());
    const { service, build } = large;
    const http = await openHttpApp({ service, apiKey });
    onTestFinished(() => http.close());
    const [table, tooLong] = [await large.upload(rows(6), "six.csv"), await large.upload(rows(7), "seven.csv")];
    const submitted = await Array.fromAsync(
      build.submit({ sourceId: table.id, template: questionTemplate(), name: "Six" }),
    );
    const last = submitted.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const batch = await service.batches.settled(last.batchId);
    expect(batch).toMatchObject({ status: "completed", counts: { total: 6, completed: 6 } });
    expect(service.files.get(batch.inputFileId)).toMatchObject({ generated: true });

    const retry = await service.batches.retry({ id: batch.id, which: ["lines"], lines: [1, 2, 3, 4, 5] });
    expect(await service.batches.settled(retry.id)).toMatchObject({ status: "completed", counts: { total: 5 } });

    const { body: list } = await http.inject({ ...apiRequest, url: "/v1/batches" });
    expect(JSON.parse(list).data.map(({ id }: { id: string }) => id)).toEqual([retry.id, batch.id]);
    const url = `/v1/files/${batch.outputFileId}/content`;
    expect((await http.inject({ ...apiRequest, url })).body.trimEnd().split("\n")).toHaveLength(6);

    const payload = { ...wanted, input_file_id: batch.inputFileId };
    const made = await http.inject({ ...apiRequest, method: "POST", url: "/v1/batches", payload });
    expect(made.statusCode).toBe(200);
    const failed = await service.batches.settled(JSON.parse(made.body).id);
    expect(failed.status).toBe("failed");
    expect(failed.problems.map(({ code }) => code)).toEqual(["too_many_requests_in_file", "file_too_large"]);

    const input = { sourceId: tooLong.id, template: questionTemplate(), name: "Seven" };
    await expect(Array.fromAsync(build.submit(input))).rejects.toThrow(
      "The file has 7 requests; at most 6 are taken. Split it.",
    );
    // The lines of the app's own batch are sent once more, edited or not.
    const { sourceId } = await build.draftFromBatch(batch.id, "lines");
    const lines = { sourceId: sourceId ?? "", template: questionTemplate(), name: "Again" };
    expect(await Array.fromAsync(build.submit(lines))).toContainEqual(expect.objectContaining({ phase: "submitted" }));
    // Another file of requests is the user's own: it is checked as an upload is.
    const content = (await Array.fromAsync(await service.files.read(batch.inputFileId))).join("");
    const ready = { ...input, sourceId: (await large.upload(content, "six.jsonl")).id };
    await expect(Array.fromAsync(build.submit(ready))).rejects.toThrow("at most 3 are taken");
  });
});
