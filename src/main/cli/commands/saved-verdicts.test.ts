import { existsSync } from "node:fs";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createSystemMachine } from "#main/base";
import { completeMachine } from "../../base/clock/machine.ts";
import { type Reply, type StandIn, send, startStandIn } from "../../connections/testing/stand-in.ts";
import { completion } from "../testing/judge-server.ts";
import { callSheaf, runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const env = { MY_KEY: "sk-0123456789abcdefghijklmnop", SHEAF_SECRETS: "memory" };
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
/** What gpt-4o-mini costs for one answer, in US dollars. */
const price = (1_000 * 0.15 + 100 * 0.6) / 1e6;

let server: StandIn;
/** The answers that were judged, repeats included. */
const asked: string[] = [];
let reply: (count: number) => Reply | Promise<Reply>;

const requestSchema = z.object({ messages: z.tuple([z.unknown(), z.object({ content: z.string() })]) });
const questionSchema = z.object({ response: z.string().optional(), answer: z.string().optional() });

const verdict = completion(JSON.stringify([{ id: 1, verdict: "supported" }]), { finish_reason: "stop" });
const judged: Reply = { body: { ...verdict, usage } };
const passed: Reply = { body: { ...completion('{"reason": "So.", "pass": true}'), usage } };

beforeAll(async () => {
  server = await startStandIn(async ({ body }) => {
    const { content } = requestSchema.parse(JSON.parse(body.toString())).messages[1];
    const { response, answer } = questionSchema.parse(JSON.parse(content));
    asked.push(response ?? answer ?? "");
    return await reply(asked.length);
  });
});
afterAll(() => server.close());

beforeEach(async () => {
  asked.length = 0;
  reply = () => judged;
  const url = ["--url", `${server.url}/v1`, "--key-env", "MY_KEY", "--concurrency", "1"];
  const { code } = await sheaf("connections", "add", "Judge", "--preset", "openai", ...url);
  expect(code).toBe(0);
});

const inData = (args: readonly string[]) => [...args, "--data-dir", inFolder("data")];
const sheaf = (...args: string[]) => runSheaf(inData(args), { env });

const toLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const ids = ["a", "b", "c", "d"];

async function writeBatch(answerOf = (id: string) => `It is ${id}.`): Promise<readonly [string, string]> {
  const [input, output] = [inFolder("in.jsonl"), inFolder("out.jsonl")];
  const requests = ids.map((id) => {
    const messages = [{ role: "user", content: `What is ${id}?` }];
    return { custom_id: id, method: "POST", url: "/v1/chat/completions", body: { model: "m", messages } };
  });
  const answers = ids.map((id) => {
    const response = { status_code: 200, request_id: "r", body: completion(answerOf(id)) };
    return { id: "batch_req_1", custom_id: id, response, error: null };
  });
  await writeFile(input, toLines(requests));
  await writeFile(output, toLines(answers));
  return [input, output];
}

async function verifyArgs(): Promise<string[]> {
  const [input, output] = await writeBatch();
  const judge = ["--judge-model", "gpt-4o-mini", "--connection", "Judge"];
  return ["verify", "--batch", output, "--input", input, "-o", inFolder("verdicts.jsonl"), ...judge];
}

const outcomeSchema = z.looseObject({ saved: z.int(), usage: z.object({ total_tokens: z.int() }), cost: z.number() });

test("Ctrl+C keeps the verdicts that came and the one in flight, and the same command asks the others alone", async () => {
  const args = await verifyArgs();
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<Reply>()];
  reply = (count) => {
    if (count === 3) arrived.resolve();
    return count === 3 ? held.promise : judged;
  };
  const first = callSheaf(inData(args), { env });
  await arrived.promise;
  expect(await sheaf(...args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Another command judges these answers right now."),
  });
  first.signal("SIGINT");
  held.resolve(judged);
  const { code, stdout, stderr } = await first.finished;
  expect({ code, stdout, last: stderr.trimEnd().split("\n").at(-1) }).toEqual({
    code: 130,
    stdout: "",
    last: "Stopped. 3 verdicts saved: the same command goes on. The model used 3,300 tokens for $0.00063.",
  });
  expect(existsSync(inFolder("verdicts.jsonl"))).toBe(false);

  const second = await sheaf(...args);
  expect(second).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      "3 verdicts of an earlier run used again.\nThe model used 4,400 tokens for $0.00084.\n",
    ),
  });
  expect(asked).toEqual(ids.map((id) => `It is ${id}.`));
  const lines = (await readFile(inFolder("verdicts.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(ids.map((id) => ({ custom_id: id, usage })));

  const strict = outcomeSchema.parse(JSON.parse((await sheaf(...args, "--strict", "--json")).stdout));
  expect(strict).toMatchObject({ saved: 4, usage: { total_tokens: 4_400 }, cost: expect.closeTo(4 * price, 9) });
  await writeBatch((id) => (id === "b" ? "It is better." : `It is ${id}.`));
  expect(outcomeSchema.parse(JSON.parse((await sheaf(...args, "--json")).stdout)).saved).toBe(3);
  expect(asked.slice(4)).toEqual(["It is better."]);
  const fresh = outcomeSchema.parse(JSON.parse((await sheaf(...args, "--fresh", "--json")).stdout));
  expect(fresh).toMatchObject({ saved: 0, usage: { total_tokens: 4_400 } });
  expect(asked).toHaveLength(9);
  // Also what was asked for verdicts that are no longer there, and in a copy of the folder.
  const readCosts = async (folder: string) =>
    JSON.parse((await runSheaf(["costs", "--json", "--data-dir", folder], { env })).stdout);
  const costs = await readCosts(inFolder("data"));
  expect(costs).toMatchObject({
    at_least: false,
    rows: [{ connection: "Judge", model: "gpt-4o-mini", kind: "judge", answers: 9, prompt_tokens: 9_000 }],
  });
  expect(costs.total).toBeCloseTo(9 * price, 12);
  await runSheaf(["backup", inFolder("data"), inFolder("costs-copy")], { env });
  expect(await readCosts(inFolder("costs-copy"))).toEqual(costs);
});

test("what is damaged of the saved verdicts is asked again, and a half line costs no other", async () => {
  const args = await verifyArgs();
  await sheaf(...args);
  const [folder = ""] = await readdir(inFolder("data/cli"));
  const path = join(inFolder("data/cli"), folder, "verdicts.jsonl");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"supported"', '"supperted"'));
  await appendFile(path, '{"key":"ab');
  expect(await sheaf("doctor", inFolder("data"))).toMatchObject({ code: 2 });
  expect(await runSheaf(["doctor", inFolder("data")], { env })).toMatchObject({ code: 1 });
  await sheaf(...args);
  expect(asked).toHaveLength(5);
  await sheaf(...args);
  expect(asked).toHaveLength(5);
  await runSheaf(["backup", inFolder("data"), inFolder("copy")], { env });
  await runSheaf([...args, "--data-dir", inFolder("copy")], { env });
  expect(asked).toHaveLength(5);
});

test("a connection that can't answer ends the command with what to do, and the verdicts so far are saved", async () => {
  const args = await verifyArgs();
  const refusal: Reply = { status: 401, body: { error: { message: "Wrong key.", code: "invalid_api_key" } } };
  reply = (count) => (count > 2 ? refusal : judged);
  const { code, stderr } = await sheaf(...args);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^error: Judge .* The verdicts so far are saved: the same command goes on\.\n$/),
  });
  reply = () => judged;
  expect(await sheaf(...args)).toMatchObject({ code: 0 });
  expect(asked.filter((answer) => answer !== "It is c.")).toHaveLength(3);
});

test("grades of a model are saved likewise, but those that did not come about", async () => {
  const [input, output] = await writeBatch();
  await writeFile(inFolder("rubric.txt"), "It is short.");
  const rubric = ["--as", "model", "--rubric", inFolder("rubric.txt"), "--judge-model", "gpt-4o-mini"];
  const args = ["grade", "--batch", output, "--requests", input, ...rubric, "--connection", "Judge", "--json"];
  const unreadable: Reply = { body: { ...completion("Hm."), usage } };
  reply = () => (asked.at(-1) === "It is b." ? unreadable : passed);
  const first = await sheaf(...args);
  expect(JSON.parse(first.stdout)).toMatchObject({ graded: 3, passed: 3, saved: 0, usage: { total_tokens: 5_500 } });
  expect(first.code).toBe(1);
  reply = () => passed;
  const second = await sheaf(...args);
  expect(JSON.parse(second.stdout)).toMatchObject({ graded: 4, saved: 3, cost: expect.closeTo(6 * price, 9) });
  expect(asked.slice(5)).toEqual(["It is b."]);
});

test("one response is judged by a connection, too, and two judges are refused", async () => {
  const args = ["verify", "--prompt", "How?", "--response", "It is a.", "--judge-model", "gpt-4o-mini"];
  const { code, stdout } = await sheaf(...args, "--connection", "Judge");
  expect({ code, last: stdout.split("\n").at(-2) }).toEqual({
    code: 0,
    last: "The model used 1,100 tokens for $0.00021.",
  });
  const { stdout: json } = await sheaf(...args, "--connection", "Judge", "--json");
  expect(JSON.parse(json)).toMatchObject({ usage, cost: expect.closeTo(price, 9) });
  const wrong: [args: string[], message: string][] = [
    [
      [...args, "--connection", "Judge", "--upstream-url", "http://127.0.0.1:1/v1"],
      "--connection and --upstream-url both name the judge: leave one out.",
    ],
    [["verify", "--prompt", "How?", "--response", "So.", "--connection", "Judge"], "--connection is for --judge model"],
    [[...args, "--connection", "Judge", "--fresh"], "--fresh is for --batch."],
    [[...args, "--connection", "Nobody"], "There is no connection called Nobody."],
  ];
  for (const [flags, message] of wrong) {
    expect(await sheaf(...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  }
});

test("verdicts of an engine without a connection are saved as well, and what its server asks to wait is said", async () => {
  const args = (await verifyArgs()).slice(0, -2);
  const upstream = ["--upstream-url", `${server.url}/v1`, "--upstream-retries", "0", "--upstream-concurrency", "1"];
  const slow: Reply = (response) => {
    send(response, { status: 429, headers: { "retry-after": "90" }, body: { error: { message: "Slow down." } } });
  };
  reply = (count) => (count === 2 ? slow : judged);
  const real = createSystemMachine();
  const machine = completeMachine({
    wall: real.wall,
    monotonic: () => real.monotonic() * 1_000,
    after: (delay, run, options) => real.after(delay / 1_000, run, options),
  });
  const { code, stderr } = await runSheaf(inData([...args, ...upstream]), { env, machine });
  expect(stderr).toContain("Waiting: the server asks to wait 90 s.\n");
  expect(code).toBe(0);
  expect(asked).toHaveLength(5);
  expect(await sheaf(...args, ...upstream)).toMatchObject({ code: 0 });
  expect(asked).toHaveLength(5);
});
