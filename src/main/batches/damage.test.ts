import { copyFile, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ErrorBody, ResultLine } from "#contract";
import { createEngineError } from "#main/engines";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  type TestService,
} from "../service/testing/index.ts";

/** Changes a file at the first place of a text. */
async function damage(path: string, text: string, by: string): Promise<void> {
  const content = (await readFile(path)).toString("latin1");
  expect(content).toContain(text);
  await writeFile(path, Buffer.from(content.replace(text, by), "latin1"));
}

test("an answer that is damaged on disk spoils its own row alone, and is not asked again by itself", async () => {
  const dataDir = await makeTempDir();
  const asked: string[] = [];
  const engine = createTestEngine((call) => {
    asked.push(call.line?.customId ?? "");
    return replyTo(call);
  });
  const first = await openTestService({ dataDir, engine });
  const { id, outputFileId } = await first.run(fileOf(5));
  await first.close();
  const output = join(dataDir, "files", outputFileId ?? "");
  await damage(output, '"custom_id":"q-3","response":{', '"custom_id":"q-3","response":\0');

  for (const lost of [[], ["indexes"]]) {
    for (const folder of lost) await rm(join(dataDir, folder), { recursive: true });
    const service = await openTestService({ dataDir, engine });
    const { rows } = await service.results.page(id, 0, 100);
    expect(rows.map(({ customId, state, errorCode }) => [customId, state, errorCode])).toEqual([
      ["q-1", "answered", null],
      ["q-2", "answered", null],
      ["q-3", "damaged", "file_damaged"],
      ["q-4", "answered", null],
      ["q-5", "answered", null],
    ]);
    const filter = { columns: [{ path: "answer", op: "contains" as const, value: "e" }] };
    await expect(service.results.page(id, 0, 100, filter)).resolves.toBeDefined();
    await expect(readContent(service.files.read(outputFileId ?? ""))).rejects.toMatchObject({ code: "file_damaged" });
    await service.close();
  }
  expect(asked).toHaveLength(5);
});

test("a damaged line hides no other from a filter, a sort or a search, wherever it is damaged", async () => {
  const dataDir = await makeTempDir();
  const first = await openTestService({ dataDir });
  const { id, outputFileId } = await first.run(fileOf(6));
  const lines = (await readContent(first.files.read(outputFileId ?? ""))).split("\n");
  await first.close();
  const path = join(dataDir, "files", outputFileId ?? "");
  const third = lines.findIndex((line) => line.includes('"q-3"'));
  for (const bad of [
    // Its line feed: the next line is one with it.
    lines.with(third, `${lines[third]}x${lines[third + 1]}`).toSpliced(third + 1, 1),
    // A line feed within it, and another letter.
    lines.with(third, lines[third]?.replace("Answer to:", "Answer\nto:") ?? ""),
    lines.with(third, lines[third]?.replace("Question", "Problem_") ?? ""),
  ]) {
    await writeFile(path, bad.join("\n"));
    const service = await openTestService({ dataDir });
    const filter = { columns: [{ path: "answer", op: "contains" as const, value: "o" }] };
    expect(await service.results.numbers(id, filter)).toEqual([1, 2, 4, 5, 6]);
    expect(await service.results.numbers(id, {}, {}, { by: "answer", descending: true })).toEqual([6, 5, 4, 2, 1, 3]);
    const [found] = (await Array.fromAsync(service.results.search(id, "answer to"))).slice(-1);
    expect(found).toMatchObject({ hits: 5, isDone: true });
    const { rows } = await service.results.page(id, 0, 10);
    expect(rows.map(({ state }) => state)).toEqual(rows.map(({ line }) => (line === 3 ? "damaged" : "answered")));
    expect(await service.results.summary(id)).toMatchObject({
      states: [
        { value: "answered", count: 5 },
        { value: "damaged", count: 1 },
      ],
    });
    await service.close();
    await rm(join(dataDir, "indexes"), { recursive: true });
  }
});

test("a line of the journal that is lost of a batch's file costs neither its answers nor its end", async () => {
  const dataDir = await makeTempDir();
  const held = createManualEngine();
  const first = await openTestService({ dataDir, engine: held });
  const { id, inputFileId } = await first.submit(fileOf(3));
  await held.arrived(3);
  await first.close(0);
  const journal = join(dataDir, "journal.jsonl");
  await damage(
    journal,
    `"kind":"file","record":{"id":"${inputFileId}"`,
    `"kind":"fiLe","record":{"id":"${inputFileId}"`,
  );

  const second = await openTestService({ dataDir });
  const { status, outputFileId } = await second.batches.settled(id);
  expect(status).toBe("completed");
  const answers = await readContent(second.files.read(outputFileId ?? ""));
  expect(answers.trimEnd().split("\n")).toHaveLength(3);
  await second.close();
  // The last line of the file's record, which has its size.
  const content = await readFile(journal, "utf8");
  const last = content.lastIndexOf(`"record":{"id":"${outputFileId}"`);
  await writeFile(journal, `${content.slice(0, last)}"rEcord"${content.slice(last + 8)}`);
  const third = await openTestService({ dataDir });
  expect(await readContent(third.files.read(outputFileId ?? ""))).toBe(answers);
});

test("an answer file is whole where its last record is lost, and the one before is from the middle of its batch", async () => {
  const dataDir = await makeTempDir();
  const held = createManualEngine();
  const first = await openTestService({ dataDir, engine: held });
  const { id } = await first.submit(fileOf(3));
  await held.arrived(3);
  held.release(1);
  await expect.poll(() => first.batches.get(id)?.counts.completed).toBe(1);
  // Written anew, the journal has the file as it is by then.
  await first.confirmDamage();
  held.release();
  const { outputFileId } = await first.batches.settled(id);
  const answers = await readContent(first.files.read(outputFileId ?? ""));
  await first.close();
  const journal = join(dataDir, "journal.jsonl");
  const content = await readFile(journal, "utf8");
  const last = content.lastIndexOf(`"record":{"id":"${outputFileId}"`);
  await writeFile(journal, `${content.slice(0, last)}"rEcord"${content.slice(last + 8)}`);

  const service = await openTestService({ dataDir });
  expect(service.batches.get(id)?.status).toBe("completed");
  expect(await readContent(service.files.read(outputFileId ?? ""))).toBe(answers);
});

test("an index with zeros in it is made anew", async () => {
  const dataDir = await makeTempDir();
  const engine = createTestEngine(replyTo);
  const first = await openTestService({ dataDir, engine });
  const { id } = await first.run(fileOf(50));
  await first.close();
  const path = join(dataDir, "indexes", id);
  const sound = await readFile(path);
  const damaged = Buffer.from(sound);
  damaged.fill(0, sound.indexOf("\n") + 1);
  await writeFile(path, damaged);
  const service = await openTestService({ dataDir, engine });
  expect(await service.results.left(id)).toEqual({
    failed: 0,
    errors: {},
    damaged: 0,
    neverRan: 0,
    awaited: 0,
    mayBePaid: 0,
    cut: 0,
    empty: 0,
  });
  expect(await readFile(path)).toEqual(sound);
});

test("an index that is another batch's is not taken: all lines are asked", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine(1);
  const first = await openTestService({ dataDir, engine });
  const { id: other } = await first.submit(fileOf(2));
  await engine.arrived(1);
  engine.release();
  await engine.arrived(1);
  engine.release();
  await first.batches.settled(other);
  const { id } = await first.submit(fileOf(6));
  await engine.arrived(1);
  await first.close(0);
  await copyFile(join(dataDir, "indexes", other), join(dataDir, "indexes", id));

  const service = await openTestService({ dataDir });
  const batch = await service.batches.settled(id);
  expect(batch).toMatchObject({ status: "completed", counts: { total: 6, completed: 6, failed: 0 } });
});

test("a request that is damaged on disk is not sent, and its batch ends with all others answered", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine();
  const first = await openTestService({ dataDir, engine });
  const { id } = await first.submit(fileOf(4));
  await engine.arrived(4);
  engine.release(1);
  await expect.poll(() => first.batches.get(id)?.counts.completed).toBe(1);
  await first.close(0);
  const input = first.batches.get(id)?.inputFileId ?? "";
  await damage(join(dataDir, "files", input), '"q-3"', '"q-9"');

  const service = await openTestService({ dataDir });
  const ended = await service.batches.settled(id);
  expect(ended).toMatchObject({ status: "completed", counts: { total: 4, completed: 3, failed: 1 } });
  const { rows } = await service.results.page(id, 0, 100);
  expect(rows.map(({ state, errorCode }) => errorCode ?? state)).toEqual([
    "answered",
    "answered",
    "file_damaged",
    "answered",
  ]);
  expect(rows.map(({ question }) => question)).toEqual([
    "Question 1?",
    "Question 2?",
    "This request is damaged on disk.",
    "Question 4?",
  ]);
  const about = { endpoint: "/v1/chat/completions", completionWindow: "24h" };
  const again = await service.batches.create({ inputFileId: input, ...about });
  expect(await service.batches.settled(again.id)).toMatchObject({
    status: "failed",
    problems: [expect.objectContaining({ code: "file_damaged" })],
  });
});

test("a damaged request has no id of another one: its result has none, with its line in the message", async () => {
  for (const end of ["settled", "cancel"] as const) {
    const dataDir = await makeTempDir();
    const engine = createManualEngine(5);
    const first = await openTestService({ dataDir, engine });
    const { id, inputFileId } = await first.submit(fileOf(5));
    await engine.arrived(5);
    engine.release(1);
    await expect.poll(() => first.batches.get(id)?.counts.completed).toBe(1);
    await first.close(0);
    // Each has the id of another line by now: of one that was answered, and of one that was not.
    await damage(join(dataDir, "files", inputFileId), '"q-3"', '"q-1"');
    await damage(join(dataDir, "files", inputFileId), '"q-5"', '"q-4"');

    const isDone = end === "settled";
    const held = createManualEngine(1);
    const second = await openTestService({ dataDir, ...(!isDone && { engine: held }) });
    if (!isDone) {
      await held.arrived(1);
      await second.batches.cancel(id);
      held.release();
    }
    const { outputFileId, errorFileId, counts } = await second.batches.settled(id);
    const idsIn = async (fileId: string | null) =>
      ((await second.lines(fileId)) as ResultLine[]).map(({ custom_id, response, error }) => {
        const failure = response === null ? error : (response.body as Partial<ErrorBody>).error;
        return custom_id ?? failure?.message.slice(0, 6);
      });
    expect((await idsIn(outputFileId)).sort()).toEqual(isDone ? ["q-1", "q-2", "q-4"] : ["q-1", "q-2"]);
    expect((await idsIn(errorFileId)).sort()).toEqual(["Line 3", "Line 5", ...(isDone ? [] : ["q-4"])]);
    expect(counts).toEqual({ total: 5, completed: isDone ? 3 : 2, failed: isDone ? 2 : 0 });
    const rowsOf = async ({ results }: TestService) =>
      (await results.page(id, 0, 10)).rows.map(({ customId, errorCode }) => [customId, errorCode]);
    const left = isDone ? null : "batch_cancelled";
    const expected = [
      ["q-1", null],
      ["q-2", null],
      ["", left ?? "file_damaged"],
      ["q-4", left],
      ["", left ?? "file_damaged"],
    ];
    expect(await rowsOf(second)).toEqual(expected);
    await second.close(0);
    // Without its ledger, too, each result is that of its line.
    await rm(join(dataDir, "answers", id));
    const third = await openTestService({ dataDir });
    expect(await rowsOf(third)).toEqual(expected);
    await third.close(0);
  }
});

test("a request that is damaged after its answer has the answer's id, also where that is joined with others", async () => {
  const dataDir = await makeTempDir();
  const failing = createTestEngine((call) =>
    call.line?.customId === "q-2" ? createEngineError({ status: 500, message: "Oh.", code: "oh" }) : replyTo(call),
  );
  const first = await openTestService({ dataDir, engine: failing });
  const { id, inputFileId } = await first.run(fileOf(4));
  const { id: other } = await first.run(fileOf(4));
  await first.close();
  await damage(join(dataDir, "files", inputFileId), '"q-3"', '"q-2"');

  for (const lost of [[], [join("answers", id)]]) {
    for (const path of lost) await rm(join(dataDir, path));
    const service = await openTestService({ dataDir });
    const { rows } = await service.results.page(id, 0, 10);
    expect(rows.map(({ customId, state }) => [customId, state])).toEqual([
      ["q-1", "answered"],
      ["q-2", "failed"],
      ["q-3", "answered"],
      ["q-4", "answered"],
    ]);
    const compared = await service.comparisons.page(
      { ids: [id, other] },
      { filter: { show: "all" }, offset: 0, limit: 10 },
    );
    expect(compared.rows.map(({ customId }) => customId).sort()).toEqual(["q-1", "q-2", "q-3", "q-4"]);
    await service.close();
  }
  // A retry of the failed line is one of that line alone.
  const service = await openTestService({ dataDir });
  const retry = await service.batches.retry({ id, which: ["failed"] });
  await service.batches.settled(retry.id);
  const { rows } = await service.results.page(id, 0, 10, {}, undefined, { merged: true });
  expect(rows.map(({ customId, state }) => [customId, state])).toEqual(
    ["q-1", "q-2", "q-3", "q-4"].map((customId) => [customId, "answered"]),
  );
});

test("a batch whose input file is gone ends, and can be cancelled", async () => {
  for (const end of ["settled", "cancel"] as const) {
    const dataDir = await makeTempDir();
    const engine = createManualEngine();
    const first = await openTestService({ dataDir, engine });
    const { id, inputFileId } = await first.submit(fileOf(4));
    await engine.arrived(4);
    engine.release(1);
    await expect.poll(() => first.batches.get(id)?.counts.completed).toBe(1);
    if (end === "cancel") await first.batches.cancel(id);
    await first.close(0);
    await rm(join(dataDir, "files", inputFileId));

    const asked: string[] = [];
    const service = await openTestService({
      dataDir,
      engine: createTestEngine((call) => {
        asked.push(call.line?.customId ?? "");
        return replyTo(call);
      }),
    });
    expect(await service.batches.settled(id)).toMatchObject({
      status: end === "cancel" ? "cancelled" : "completed",
      counts: { total: 4, completed: 1 },
    });
    expect(asked).toEqual([]);
    const { rows } = await service.results.page(id, 0, 10);
    expect(rows.map(({ state }) => state)).toEqual([
      "answered",
      ...Array(3).fill(end === "cancel" ? "skipped" : "failed"),
    ]);
    await expect(readContent(service.files.read(inputFileId))).rejects.toMatchObject({ code: "not_found" });
  }
});

test("of an input file that is cut, what is there is answered", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine(2);
  const first = await openTestService({ dataDir, engine });
  const { id, inputFileId } = await first.submit(fileOf(4));
  await engine.arrived(2);
  await first.close(0);
  const path = join(dataDir, "files", inputFileId);
  await truncate(path, (await readFile(path)).indexOf('"q-4"'));

  const service = await openTestService({ dataDir });
  expect(await service.batches.settled(id)).toMatchObject({ counts: { total: 4, completed: 3, failed: 1 } });
  const { rows } = await service.results.page(id, 0, 100);
  expect(rows.map(({ errorCode }) => errorCode)).toEqual([null, null, null, "file_damaged"]);
});

test("of an input file that is cut and whose index is gone, each line is answered or damaged", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine(2);
  const first = await openTestService({ dataDir, engine });
  const { id, inputFileId } = await first.submit(fileOf(4));
  await engine.arrived(2);
  engine.release();
  await engine.arrived(1);
  await first.close(0);
  const path = join(dataDir, "files", inputFileId);
  await truncate(path, (await readFile(path)).indexOf('"q-1"'));
  await rm(join(dataDir, "indexes"), { recursive: true });

  const service = await openTestService({ dataDir });
  expect(await service.batches.settled(id)).toMatchObject({ counts: { total: 4, completed: 2 } });
  const { rows } = await service.results.page(id, 0, 10);
  expect(rows.map(({ state }) => state)).toEqual(["answered", "answered", "skipped", "skipped"]);
});
