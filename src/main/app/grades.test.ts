import { safe } from "@orpc/client";
import { expect, it, onTestFinished } from "vitest";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

const template = {
  messages: [{ role: "user" as const, content: "{{ question }}" }],
  model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
  temperature: 0,
  maxCompletionTokens: 200,
  customId: "{{ id }}",
};

it("grades a batch against a column of its table over the RPC", async () => {
  const fixture = await openApp();
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const table = Buffer.from("id,question,gold answer\n1,How many?,18\n2,How high?,300 m\n3,How old?,none\n");
  const source = await upload(client, table, "towers.csv");
  let batchId = "";
  for await (const event of await client.build.submit({ sourceId: source.id, template, name: "Towers" })) {
    if (event.phase === "submitted") batchId = event.batchId;
  }
  await fixture.service.batches.settled(batchId);

  expect(await client.grades.get({ batchId })).toBeNull();
  expect(await client.grades.options({ batchId })).toEqual({
    columns: ["id", "question", "gold answer"],
    expectedColumn: "gold answer",
    hasSchemas: false,
  });
  const grader = { name: "number", tolerance: 0 } as const;
  const wrong = await safe(client.grades.start({ batchId, grader, column: "colour" }));
  expect(wrong.error).toMatchObject({ code: "REFUSED", data: { message: expect.stringContaining("colour") } });

  expect(await client.batches.qualities()).toEqual([]);
  const changes = await client.grades.watch();
  const started = await client.grades.start({ batchId, grader, column: "gold answer" });
  expect(started).toMatchObject({ batchId, state: "running", total: 3, grader, column: "gold answer" });
  let done = started;
  for await (const run of changes) {
    done = run;
    if (run.state === "done") break;
  }
  expect(done.summary).toMatchObject({ graded: 3, noAnswer: 0 });
  const { passed, failed, accuracy } = done.summary;
  const quality = {
    batchId,
    accuracy: { share: accuracy, passed, graded: passed + failed },
    verdicts: null,
    rulesAlone: 0,
  };
  expect(await client.batches.qualities()).toEqual([quality]);
  expect(await client.batches.left({ ids: [batchId] })).toEqual([{ failed: 0, neverRan: 0 }]);
  expect(await client.grades.resume({ batchId })).toEqual(done);
  expect(await client.grades.cancel({ batchId })).toEqual(done);
  const { rows, total } = await client.results.page({ batchId, offset: 0, limit: 10, filter: { grades: ["fail"] } });
  expect(total).toBe(done.summary.failed);
  expect(rows.map(({ line }) => line)).toContain(3);
  expect(await client.grades.line({ batchId, line: 3 })).toMatchObject({
    expected: "none",
    given: null,
    why: "The expected value 'none' has no number.",
  });
  expect((await client.results.line({ batchId, line: 3 })).grade).toBe("fail");
});
