import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { safe } from "@orpc/client";
import { expect, it, onTestFinished } from "vitest";
import { commandWrites, readJsonFile, writeJsonFile } from "#main/storage";
import { makeTempDir } from "../service/testing/index.ts";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

it("compares batches of the same lines over the RPC, in any order", async () => {
  const dataDir = await makeTempDir();
  const fixture = await openApp({ dataDir });
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const sourceOf = new Map<string, string>();
  const submit = async (name: string, rows: readonly string[], question = "{{ question }}") => {
    const source = await upload(client, Buffer.from(`id,question,gold\n${rows.join("\n")}\n`), `${name}.csv`);
    const template = {
      messages: [{ role: "user" as const, content: question }],
      model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
      temperature: 0,
      maxCompletionTokens: 200,
      customId: "{{ id }}",
    };
    let batchId = "";
    for await (const event of await client.build.submit({ sourceId: source.id, template, name })) {
      if (event.phase === "submitted") batchId = event.batchId;
    }
    await fixture.service.batches.settled(batchId);
    sourceOf.set(batchId, source.id);
    return batchId;
  };
  const rows = ["a,What is 1 + 1?,2", "b,What is 2 + 2?,4", "c,What is 3 + 3?,6", "d,What is 4 + 4?,8"];
  const first = await submit("v1", rows);
  const second = await submit(
    "v2",
    [rows[2] ?? "", rows[3] ?? "", rows[0] ?? "", "e,Why?,x"],
    "Tell me: {{ question }}",
  );
  const again = await submit("v1 again", rows);
  const other = await submit("elsewhere", ["x,Why not?,y"]);
  const grader = { name: "number", tolerance: 0 } as const;
  for (const batchId of [first, second]) {
    await client.grades.start({ batchIds: [batchId], grader, column: "gold" });
    await fixture.service.grades.settled(batchId);
  }

  const ids = [first, second];
  const summary = await client.compare.summary({ ids });
  expect(summary).toMatchObject({ lines: 3, answered: 3, unanswered: 0, batches: [{ lines: 4 }, { lines: 4 }] });
  expect(summary.same + summary.changed).toBe(3);
  expect(summary.pairs).toMatchObject([{ place: 1, p: expect.any(Number) }]);
  expect(summary.expected).toBe("gold");
  const [pair] = summary.pairs;
  const graded = summary.batches.map(({ grades }) => (grades?.passed ?? 0) + (grades?.failed ?? 0));
  expect(graded).toEqual([3, 3]);
  expect(summary.batches[0]?.grades?.interval).toHaveLength(2);
  const turned = await client.compare.summary({ ids: ids.toReversed() });
  expect(turned.same).toBe(summary.same);
  expect(turned.pairs).toMatchObject([{ won: pair?.lost, lost: pair?.won }]);
  expect((await client.compare.summary({ ids, baseline: 1 })).pairs).toEqual([{ ...turned.pairs[0], place: 0 }]);

  const filter = { show: "all" } as const;
  const page = await client.compare.page({ ids, filter, offset: 0, limit: 100 });
  expect(page.rows.map(({ customId }) => customId).sort()).toEqual(["a", "c", "d"]);
  const beside = await client.compare.page({ ids, filter, offset: 0, limit: 100, sourceColumns: ["gold"] });
  expect(beside.rows.find(({ customId }) => customId === "c")?.values).toEqual({ "source.gold": "6" });
  expect(await client.results.sourceColumns({ batchId: first })).toEqual({
    columns: ["id", "question", "gold"],
    hasChosenIds: true,
    inPrompt: ["question"],
    expected: "gold",
    isQuestionShared: false,
  });
  const lines = page.rows.map(({ line }) => line);
  const rowsOf = await Promise.all([...lines, 999].map((line) => client.compare.rowOf({ ids, filter, line })));
  expect(rowsOf).toEqual([...lines.keys(), null]);
  const changed = await client.compare.page({ ids, filter: { show: "changed" }, offset: 0, limit: 100 });
  expect(changed.total).toBe(summary.changed);
  expect(page.rows.slice(0, changed.total)).toEqual(changed.rows);
  const found = await client.compare.page({
    ids,
    filter: { ...filter, search: "WHAT IS 3 + 3" },
    offset: 0,
    limit: 100,
  });
  expect(found.rows.map(({ customId }) => customId)).toEqual(["c"]);
  const [won = 0, lost = 0] = [pair?.lost, pair?.won];
  for (const [win, lines] of [
    [{ winner: 0, loser: 1 }, won],
    [{ winner: 1, loser: 0 }, lost],
  ] as const) {
    expect((await client.compare.page({ ids, filter: { win }, offset: 0, limit: 1 })).total).toBe(lines);
  }
  const byField = { ids, by: "answer.score" };
  expect(await client.compare.summary(byField)).toMatchObject({ by: "answer.score", same: 3 });
  expect((await client.compare.page({ ...byField, filter, offset: 0, limit: 1 })).rows[0]?.cells[0]?.text).toBeNull();
  const line = await client.compare.line({ ids, line: 3 });
  expect(line.map((detail) => [detail.customId, detail.line])).toEqual([
    ["c", 3],
    ["c", 1],
  ]);

  const request = { what: "comparison" as const, ids, filter };
  const exported = await client.exports.begin(request);
  expect(exported).not.toHaveProperty("rowsWithoutTable");
  const file = exported.how === "link" ? fixture.app.takeExport(basename(exported.href)) : null;
  const [head, ...records] = (await readFile(file?.path ?? "", "utf8")).trimEnd().split("\r\n");
  expect(head).toContain("custom_id,question,expected,A v1: answer,A v1: status");
  expect(head).toContain("A v1: model,A v1: connection,A v1: cost");
  expect(records).toHaveLength(3);
  expect(records.find((record) => record.startsWith("c,"))).toMatch(/^c,What is 3 \+ 3\?,6,.*,This computer,/);

  // The mock answers the same question alike: three batches differ just as two of them do.
  expect(await client.compare.summary({ ids: [first, again] })).toMatchObject({ lines: 4, same: 4, changed: 0 });
  expect(await client.compare.summary({ ids: [first, second, again] })).toMatchObject({ lines: 3, same: summary.same });
  expect(await client.compare.summary({ ids: [first, other] })).toMatchObject({ lines: 0, answered: 0 });
  const { error } = await safe(client.compare.summary({ ids: [first, "batch_gone"] }));
  expect(error).toMatchObject({ code: "NOT_FOUND" });

  // As an earlier version stored it, without a checksum of its bytes; the end of the third row is gone, and the fourth.
  const folder = join(dataDir, "sources", sourceOf.get(first) ?? "");
  const record = (await readJsonFile(join(folder, "source.json"))) as Record<string, unknown>;
  await writeJsonFile(join(folder, "source.json"), { ...record, contents: {} }, commandWrites);
  const content = await readFile(join(folder, "content"), "utf8");
  await writeFile(join(folder, "content"), content.slice(0, content.indexOf(",6")));
  expect(await client.exports.begin(request)).toMatchObject({ how: "link", rowsWithoutTable: 2 });
  await rm(join(folder, "content"));
  expect(await client.exports.begin(request)).toMatchObject({ how: "link", lostTable: true });
});
