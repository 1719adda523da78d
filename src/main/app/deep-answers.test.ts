import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine, fileOf, makeTempDir, openTestService, replyTo } from "../service/testing/index.ts";
import { connectPort, openApp } from "./testing/app-fixture.ts";

const levels = 100_000;
const deep = `${'{"a":'.repeat(levels)}1.10${"}".repeat(levels)}`;
const contents = [deep, `{"a":1.10,"b":${deep}}`, "[".repeat(levels) + "]".repeat(levels), '{"a":1.10}'];

test("answers that are nested 100,000 levels deep are texts in tables, filters, exports, verdicts and grades", async () => {
  const dataDir = await makeTempDir();
  const engine = createTestEngine((call) => {
    const reply = replyTo(call);
    const message = { role: "assistant" as const, content: contents[(call.line?.number ?? 1) - 1] ?? "" };
    return { statusCode: 200, body: { ...reply.body, choices: [{ index: 0, message, finish_reason: "stop" }] } };
  });
  const service = await openTestService({ dataDir, engine });
  const { id } = await service.run(fileOf(contents.length));
  const column = "expected";
  const readColumn = async function* () {
    yield ["1.1", "1.1", "1.1", "1.1"];
  };
  for (const grader of [{ name: "json", path: "$.a" }, { name: "number", tolerance: 0 }, { name: "exact" }] as const) {
    await service.grades.start([{ batchId: id, grader, column, readColumn }]);
    const run = await service.grades.settled(id);
    expect(run?.problem, grader.name).toBeNull();
  }
  await service.verifications.start({
    batchId: id,
    choice: { judge: "rules", model: null, preset: "general" },
    document: { from: "none" },
    strict: false,
  });
  expect((await service.verifications.settled(id))?.problem).toBeNull();
  await service.close();

  const saved = join(await makeTempDir(), "out");
  const fixture = await openApp({ dataDir, host: { kind: "electron", saveFile: async () => saved } });
  const { client, leave } = connectPort(fixture.app);
  try {
    const equals = { columns: [{ path: "answer.a", op: "equals" as const, value: "1.1" }] };
    expect(await client.results.numbers({ batchId: id, filter: equals })).toEqual([4]);
    const { state, answer } = await client.results.line({ batchId: id, line: 1 });
    expect([state, answer.length]).toEqual(["answered", deep.length]);
    for (const format of ["jsonl", "flat", "csv", "xlsx", "parquet"] as const) {
      const outcome = await client.exports.begin({ what: "results", batchId: id, format });
      expect(outcome, format).toMatchObject({ how: "saved" });
      if (format === "csv") expect(await readFile(saved, "utf8")).toContain(deep.slice(0, 30).replaceAll('"', '""'));
    }
  } finally {
    leave();
    await fixture.close();
  }
});
