import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StandIn, startStandIn } from "../../connections/testing/stand-in.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
/** What the stand-in would put on its bill, in US dollars. */
let bill = 0;
let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn(({ method, body }) => {
    if (method === "GET") return { body: { object: "list", data: [] } };
    const { model, messages } = JSON.parse(body.toString("utf8"));
    const usage = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } };
    if (model === "priced") bill += (60 * 2 + 40 * 0.5 + 10 * 8) / 1e6;
    const message = { role: "assistant", content: `You said ${messages[0].content}` };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model, choices, usage } };
  });
});
afterAll(async () => {
  await standIn.close();
});

test("a job with two models, one without a price: estimate, bill, job, costs of the month and export agree", async () => {
  const sheaf = (...args: string[]) =>
    runSheaf([...args, "--data-dir", inFolder("data")], { env: { SHEAF_SECRETS: "memory" } });
  const json = async (...args: string[]) => JSON.parse((await sheaf(...args, "--json")).stdout);
  const price = (kind: string, usd: string) => [`--price-${kind}`, `priced=${usd}`];
  await sheaf(
    ...["connections", "add", "Lab", "--adapter", "chat", "--url", `${standIn.url}/v1`],
    ...[...price("input", "2"), ...price("cached", "0.5"), ...price("output", "8")],
  );
  const lines = Array.from({ length: 7 }, (_, at) => {
    const model = at < 5 ? "priced" : "unpriced";
    const body = { model, max_tokens: 10, messages: [{ role: "user", content: `question ${at}` }] };
    return JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body });
  });
  const [input, output] = [inFolder("batch.jsonl"), inFolder("answers.jsonl")];
  await writeFile(input, `${lines.join("\n")}\n`);

  expect((await sheaf("run", input, "--connection", "Lab", "--dry-run")).stdout).toMatch(
    /Cost: at least \$\S+ for the prompts; no price for 2 of 7 requests \(your prices\)/,
  );
  await sheaf("connections", "add", "Gemini", "--adapter", "gemini-batch", "--url", standIn.url);
  const withSchema = lines.map((line, at) => {
    const { body, ...request } = JSON.parse(line);
    const schema = { type: "object", properties: at < 3 ? {} : { a: { type: "string" } } };
    const format = { type: "json_schema", json_schema: { name: "s", schema } };
    return JSON.stringify({ ...request, body: { ...body, response_format: format } });
  });
  await writeFile(inFolder("schemas.jsonl"), `${withSchema.slice(0, 5).join("\n")}\n`);
  const planned = await sheaf("run", inFolder("schemas.jsonl"), "--connection", "Gemini", "--dry-run");
  expect(planned.stderr).toContain(
    "warning: 3 requests: Batches of Gemini can't enforce this schema: it has an object without properties.",
  );
  const done = await json("run", input, "--connection", "Lab", "-o", output);
  expect(done).toMatchObject({ completed: 7, cost: expect.closeTo(bill, 12), at_least: true, without_price: 2 });
  const again = await sheaf("run", input, "--connection", "Lab", "-o", output);
  expect(again.stderr).toMatch(/ for at least \$0\.0011; no price for 2 of 7 answers\./);

  // What takes an answer that is there already costs nothing: only the new request is priced.
  const more = JSON.stringify({ ...JSON.parse(lines[0] ?? ""), custom_id: "more" }).replace("question 0", "a new one");
  const [grown, alone] = [inFolder("grown.jsonl"), inFolder("alone.jsonl")];
  await writeFile(grown, `${[...lines, more].join("\n")}\n`);
  await writeFile(alone, `${more}\n`);
  const plan = (file: string, ...flags: string[]) => json("run", file, "--connection", "Lab", "--dry-run", ...flags);
  const [all, rest, one] = [await plan(grown), await plan(grown, "--reuse"), await plan(alone)];
  expect([all.at_least, rest.known, rest.at_least]).toEqual([true, 7, undefined]);
  expect([rest.prompt_cost, rest.most_cost]).toEqual([one.prompt_cost, one.most_cost]);
  expect(one.most_cost).toBeGreaterThan(0);

  const report = await json("costs");
  expect(report).toEqual({
    month: expect.stringMatching(/^\d{4}-\d\d$/),
    total: done.cost,
    at_least: true,
    rows: [
      ["priced", 5, done.cost, 0],
      ["unpriced", 2, null, 2],
    ].map(([model, answers, cost, without_price]) => ({
      // The day of its creation, which may be yesterday by now.
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      connection: "Lab",
      model,
      kind: "batch",
      answers,
      prompt_tokens: Number(answers) * 100,
      cached_tokens: Number(answers) * 40,
      cache_write_tokens: 0,
      completion_tokens: Number(answers) * 10,
      cost,
      without_price,
    })),
  });
  const shown = await sheaf("costs");
  expect(shown.stdout).toContain("at least $0.0011 for 7 answers, no price for 2\n");
  expect(shown.stderr).toContain("Deleted batches are not included.");
  expect(await json("costs", "--month", "2020-01")).toMatchObject({ total: 0, at_least: false, rows: [] });
  expect(await sheaf("costs", "--month", "2020-13")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--month expects a month such as 2026-11"),
  });

  const exported = async (...flags: string[]) => {
    const flat = inFolder("flat.jsonl");
    const ran = await sheaf("export", output, "--input", input, "--format", "flat", "-o", flat, ...flags);
    expect(ran.code).toBe(0);
    const text = await readFile(flat, "utf8");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const rows = await exported("--job", done.id);
  expect(rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeCloseTo(done.cost, 12);
  expect(rows[6]).toMatchObject({ model: "unpriced", cost: null, cached_tokens: 40, cache_write_tokens: 0 });
  expect(rows[0]).toMatchObject({ model: "priced", reasoning_tokens: 0, completion_tokens: 10 });
  const csv = inFolder("answers.csv");
  await sheaf("export", output, "--input", input, "--format", "csv", "-o", csv, "--job", done.id);
  const [head = "", first = "", ...others] = (await readFile(csv, "utf8"))
    .replace("\ufeff", "")
    .trimEnd()
    .split(/\r?\n/);
  const columns = ["cost", "cached_tokens", "cache_write_tokens", "reasoning_tokens"];
  const read = (row: string) => columns.map((name) => row.split(",")[head.split(",").indexOf(name)]);
  expect(read(first)).toEqual([String(rows[0].cost), "40", "0", "0"]);
  expect(read(others.at(-1) ?? "")[0]).toBe("");
  // Without the job the column stands, empty.
  expect((await exported()).map(({ cost }) => cost)).toEqual(rows.map(() => null));

  // The connection is gone: what was paid is not.
  await sheaf("connections", "remove", "Lab");
  expect(await json("costs")).toEqual(report);

  // Answers in text where JSON was asked for are answers: kept, and counted.
  await sheaf("connections", "add", "Lab", "--adapter", "chat", "--url", `${standIn.url}/v1`);
  const ran = await sheaf("run", inFolder("schemas.jsonl"), "--connection", "Lab", "-o", inFolder("text.jsonl"));
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("answered (5 break the schema)") });
  const [newest] = await json("status");
  expect(await json("status", newest.id)).toMatchObject({ completed: 5, breaks_schema: 5 });
  expect((await sheaf("status", newest.id)).stdout).toContain("5 of 5 requests answered, 5 break the schema");
});
