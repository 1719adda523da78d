import { safe } from "@orpc/client";
import { expect, it, onTestFinished } from "vitest";
import { labelPaths } from "#contract";
import { isAnswered } from "#main/answers";
import { listObjects } from "#main/base";
import { createTestEngine, replyTo } from "../service/testing/index.ts";
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
    grader: "text",
    columnPaths: {},
    columns: ["id", "question", "gold answer"],
    expectedColumn: "gold answer",
    answerPath: null,
    paths: [],
    batches: [{ batchId, name: "Towers", answers: 3, isGraded: false, problem: null }],
  });
  expect(await client.grades.hasSchemas({ batchId })).toBe(false);
  const grader = { name: "number", tolerance: 0 } as const;
  const wrong = await safe(client.grades.start({ batchIds: [batchId], grader, column: "colour" }));
  expect(wrong.error).toMatchObject({ code: "REFUSED", data: { message: expect.stringContaining("colour") } });

  expect(await client.batches.qualities()).toEqual([]);
  const changes = await client.grades.watch();
  const [started] = await client.grades.start({ batchIds: [batchId], grader, column: "gold answer" });
  expect(started).toMatchObject({ batchId, state: "running", total: 3, grader, column: "gold answer" });
  if (started === undefined) throw new Error("Nothing was started.");
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
  expect(await client.batches.left({ ids: [batchId] })).toEqual([
    { failed: 0, errors: {}, damaged: 0, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 },
  ]);
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

const topics = ["billing", "bug", "login"];

/** The topic that the table has for a ticket, but for every fourth; the first ticket is answered when it is asked again, later. */
function createTopicEngine(later: Promise<void>) {
  let attempts = 0;
  return createTestEngine(async (call) => {
    const prompt = String(call.request.messages.at(-1)?.content);
    const number = Number(/\d+/.exec(prompt)?.[0]);
    if (number === 1 && prompt.startsWith("Classify") && ++attempts === 1) {
      const body = { error: { message: "Slow down.", type: "rate_limit", param: null, code: "rate_limit_exceeded" } };
      return { statusCode: 429, body };
    }
    if (attempts === 2) await later;
    const topic = number % 4 === 0 ? "spam" : topics[number % topics.length];
    const reply = replyTo(call);
    if (!isAnswered(reply)) return reply;
    const message = { role: "assistant" as const, content: JSON.stringify({ why: "So.", topic }) };
    return {
      statusCode: 200,
      body: { ...reply.body, choices: listObjects(reply.body.choices).map((one) => ({ ...one, message })) },
    };
  });
}

it("grades a batch, its versions and retries as one act, by the column whose values are a field of the answers", async () => {
  const { promise: later, resolve: answerLater } = Promise.withResolvers<void>();
  const fixture = await openApp({ engine: createTopicEngine(later) });
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const rows = Array.from({ length: 8 }, (_, at) => `t-${at + 1},Ticket ${at + 1},en,${topics[(at + 1) % 3]}`);
  const source = await upload(client, Buffer.from(`id,ticket,lang,kind\n${rows.join("\n")}\n`), "tickets.csv");
  const ask = (words: string) => [{ role: "user" as const, content: `${words} {{ ticket }}` }];
  const versions = {
    ...template,
    version: "v1",
    messages: ask("Classify"),
    otherVersions: [{ version: "v2", messages: ask("Name the kind of"), temperature: 0, maxCompletionTokens: 200 }],
  };
  const ids: string[] = [];
  for await (const event of await client.build.submit({ sourceId: source.id, template: versions, name: "Tickets" })) {
    if (event.phase === "submitted") ids.push(event.batchId, ...(event.versions ?? []));
  }
  const [first = "", second = ""] = ids;
  for (const id of ids) await fixture.service.batches.settled(id);
  const { id: retry } = await client.batches.retry({ id: first, which: ["failed"] });
  const grader = { name: "json", path: "$.topic" } as const;
  const batchIds = [first, retry, second];
  const start = () => client.grades.start({ batchIds, grader, column: "kind" });
  const stillRuns = { batchId: retry, answers: 0, problem: "It still runs." };
  expect((await client.grades.options({ batchId: first })).batches[1]).toMatchObject(stillRuns);
  const { error } = await safe(start());
  expect(error).toMatchObject({
    data: { message: "'Tickets, v1, retry 1': This batch still runs. Wait for its end." },
  });
  expect(await client.grades.get({ batchId: first })).toBeNull();
  answerLater();
  await fixture.service.batches.settled(retry);

  const options = await client.grades.options({ batchId: second });
  expect(options).toMatchObject({ expectedColumn: "kind", answerPath: "$.topic", paths: ["$.why", "$.topic"] });
  const gradable = { isGraded: false, problem: null };
  expect(options.batches).toEqual([
    { batchId: first, name: "Tickets, v1", answers: 7, ...gradable },
    { batchId: retry, name: "Tickets, v1, retry 1", answers: 1, ...gradable },
    { batchId: second, name: "Tickets, v2", answers: 8, ...gradable },
  ]);
  expect(await client.grades.options({ batchId: retry })).toMatchObject({ columns: ["id", "ticket", "lang", "kind"] });

  expect(await start()).toHaveLength(3);
  const accuracies = [];
  for (const id of batchIds) accuracies.push((await fixture.service.grades.settled(id))?.summary.accuracy);
  expect(accuracies).toEqual([5 / 7, 1, 6 / 8]);
  const others = {
    columns: [
      { path: labelPaths.expected, op: "one_of" as const, values: ["bug", "login"] },
      { path: labelPaths.given, op: "empty" as const },
    ],
  };
  const page = await client.results.page({ batchId: second, offset: 0, limit: 9, filter: others });
  expect(page.rows.map(({ line }) => line)).toEqual([4, 8]);
  const bugs = {
    columns: [labelPaths.expected, labelPaths.given].map((path) => ({ path, op: "equals" as const, value: "bug" })),
  };
  const linesOf = async (merged: boolean) =>
    (await client.results.page({ batchId: first, offset: 0, limit: 9, filter: bugs, merged })).rows.map(
      ({ line }) => line,
    );
  expect(await linesOf(false)).toEqual([7]);
  expect(await linesOf(true)).toEqual([1, 7]);
  expect((await client.grades.options({ batchId: first })).batches.map(({ isGraded }) => isGraded)).toEqual([
    true,
    true,
    true,
  ]);
  expect((await client.grades.get({ batchId: second }))?.summary.labels).toMatchObject({
    labels: [{ label: "bug" }, { label: "login" }, { label: "billing" }],
    counts: [
      [2, 0, 0, 1],
      [0, 2, 0, 1],
      [0, 0, 2, 0],
    ],
  });
});
