import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type OpenaiService, startOpenaiService } from "../../connections/testing/openai-service.ts";
import { type StandIn, startStandIn } from "../../connections/testing/stand-in.ts";
import { callSheaf, type Finished, runSheaf, type StartOptions } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const key = "sk-0123456789abcdefghijklmnop";
const inFolder = setUpFolder();
let chat: StandIn;
let remote: OpenaiService;
/** The questions that the chat server was asked. */
const asked: string[] = [];
/** The chat server answers no more than so many. */
let patience = Number.POSITIVE_INFINITY;

const requestSchema = z.object({ messages: z.tuple([z.object({ content: z.string() })]) });

beforeAll(async () => {
  chat = await startStandIn(({ path, body }) => {
    if (path !== "/v1/chat/completions") return { body: { data: [] } };
    const { content: question } = requestSchema.parse(JSON.parse(body.toString("utf8"))).messages[0];
    asked.push(question);
    if (asked.length > patience) return () => {};
    const message = { role: "assistant", content: `${question}: yes` };
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model: "gpt-4o-mini", choices, usage } };
  });
  remote = await startOpenaiService("openai", key);
});
afterAll(async () => {
  await Promise.all([chat.close(), remote.close()]);
});
beforeEach(async () => {
  asked.length = 0;
  patience = Number.POSITIVE_INFINITY;
  await sheaf("connections", "add", "Chat", "--adapter", "chat", "--url", `${chat.url}/v1`, "--concurrency", "2");
  await sheaf("connections", "add", "Hosted", "--preset", "openai", "--url", remote.url, "--key-env", "MY_KEY");
});

const env = { MY_KEY: key, SHEAF_SECRETS: "memory" };
const withFolder = (args: readonly string[]) => [...args, "--data-dir", inFolder("data")];

async function sheaf(...args: string[]): Promise<Finished> {
  return await runSheaf(withFolder(args), { env });
}

function makeBatch(count: number, parameters: Record<string, unknown> = {}): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const body = { model: "gpt-4o-mini", messages: [{ role: "user", content: `question ${at}` }], ...parameters };
    return JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body });
  });
  return lines.join("\n");
}

async function writeBatch(count: number, parameters?: Record<string, unknown>): Promise<string> {
  await writeFile(inFolder("batch.jsonl"), makeBatch(count, parameters));
  return inFolder("batch.jsonl");
}

const lineSchema = z.looseObject({ custom_id: z.string() });

async function readIds(path: string): Promise<string[]> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.map((line) => lineSchema.parse(JSON.parse(line)).custom_id);
}

const outcomeSchema = z.looseObject({ id: z.string(), total: z.int(), completed: z.int(), never_ran: z.int() });

test("a file is answered on a connection, the same command asks nothing again, and rows make a job of their own", async () => {
  const file = await writeBatch(20);
  const out = inFolder("out.jsonl");
  const run = async (...more: string[]) => {
    const { code, stdout } = await sheaf("run", file, "-o", out, "--connection", "Chat", "--json", ...more);
    return { code, ...outcomeSchema.parse(JSON.parse(stdout)) };
  };
  const sample = await run("--random", "5");
  expect(sample).toMatchObject({ code: 0, total: 5, completed: 5, never_ran: 0, reused: 0, connection: "Chat" });
  const sampled = await readIds(out);
  expect(new Set(sampled)).toHaveProperty("size", 5);
  expect(asked).toHaveLength(5);
  expect(await run("--random", "5")).toMatchObject({ id: sample.id });
  expect(await readIds(out)).toEqual(sampled);
  expect(asked).toHaveLength(5);

  expect(await run("--first", "3")).toMatchObject({ total: 3, completed: 3 });
  expect(await readIds(out)).toEqual(["q-0", "q-1", "q-2"]);

  const whole = await run();
  // Nobody says what this server costs: a model's name alone is no price.
  expect(whole).toMatchObject({ code: 0, total: 20, completed: 20, cost: null });
  await run("--fresh");
  expect(asked).toHaveLength(5 + 3 + 20 + 20);
  const nobody = await sheaf("run", file, "-o", out, "--connection", "Nobody");
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining("There are: Chat, Hosted.") });

  const listed = (await sheaf("status")).stdout.trimEnd().split("\n");
  expect(listed).toHaveLength(3);
  expect(listed).toContain(`${sample.id}\tcompleted\t5 of 5 requests answered\tbatch.jsonl (random 5)\tChat`);
});

test("a file comes from standard input and goes to standard output, with problems by their lines in the file", async () => {
  const run = (stdin: string, ...more: string[]) =>
    runSheaf(withFolder(["run", "-", "-o", "-", "--connection", "Chat", ...more]), {
      env,
      stdin,
    } satisfies StartOptions);
  const { code, stdout, stderr } = await run(makeBatch(3));
  expect(stdout.trimEnd().split("\n")).toHaveLength(3);
  expect(stdout).toContain("question 2: yes");
  expect(stderr).toContain("standard output: 3 of 3 requests answered");
  expect(code).toBe(0);
  const broken = `${makeBatch(4)}\n{}\n`;
  expect(await run(broken, "--first", "4")).toMatchObject({ code: 0 });
  expect(await run(broken)).toMatchObject({ code: 2, stderr: expect.stringContaining("standard input:5: ") });
  expect(await run(makeBatch(1), "--json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("want standard output"),
  });
});

test("Ctrl+C keeps every answer, says how to go on, and the same command goes on", async () => {
  const file = await writeBatch(8);
  patience = 4;
  const args = withFolder(["run", file, "-o", inFolder("out.jsonl"), "--connection", "Chat"]);
  const call = callSheaf(args, { env });
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(5);
  call.signal("SIGINT");
  chat.hangUp();
  const { code, stderr } = await call.finished;
  expect(stderr).toContain("Stopped: 4 of 8 requests done. The same command goes on.");
  expect(code).toBe(1);
  patience = Number.POSITIVE_INFINITY;
  const id = (await sheaf("status")).stdout.split("\t")[0] ?? "";
  // A look asks nothing.
  const before = asked.length;
  expect((await sheaf("status", id)).stdout).toContain("in_progress, 4 of 8 requests answered");
  expect(await sheaf("fetch", id, "-o", inFolder("some.jsonl"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("what there is so far"),
  });
  expect(await readIds(inFolder("some.jsonl"))).toHaveLength(4);
  expect(asked).toHaveLength(before);
  expect((await runSheaf(args, { env })).code).toBe(0);
  expect(await readIds(inFolder("out.jsonl"))).toHaveLength(8);
  expect(new Set(asked.slice(before)).size).toBe(4);
});

test("a dry run says the plan and the cost, and asks nothing", async () => {
  const file = await writeBatch(10, { max_tokens: 1_000_000 });
  const plan = await sheaf("run", file, "--connection", "Hosted", "--dry-run");
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain("10 requests (");
  expect(plan.stdout).toContain("to Hosted in 1 part");
  expect(plan.stdout).toMatch(/Answers: at most 10,000,000 tokens/);
  expect(plan.stdout).toMatch(/Cost: about \$0\.00 for the prompts, at most \$3\.00 in all \(prices of \d{4}-/);
  const json = JSON.parse((await sheaf("run", file, "--connection", "Chat", "--dry-run", "--json")).stdout);
  expect(json).toMatchObject({ total: 10, parts: null, prompt_cost: null, most_completion_tokens: 10_000_000 });
  expect(asked).toEqual([]);
  expect(remote.received).toEqual([]);
});

test("a batch is submitted, looked at, fetched and cancelled by its id", async () => {
  const file = await writeBatch(6);
  const submitted = await sheaf("submit", file, "--connection", "Hosted");
  expect(submitted).toMatchObject({ code: 0, stderr: expect.stringContaining("6 requests submitted to Hosted.") });
  const id = submitted.stdout.trim();
  // Once more is the same job.
  expect((await sheaf("submit", file, "--connection", "Hosted")).stdout.trim()).toBe(id);
  expect(remote.batches).toHaveLength(1);
  expect((await sheaf("status", id)).stdout).toContain("lines 1-6: batch-1, in_progress");
  expect(await sheaf("fetch", id, "-o", inFolder("out.jsonl"))).toMatchObject({ code: 1 });

  remote.end((customId) => customId === "q-3");
  const fetched = await sheaf("fetch", id, "-o", inFolder("out.jsonl"), "--errors", inFolder("err.jsonl"), "--json");
  expect(JSON.parse(fetched.stdout)).toMatchObject({ id, total: 6, completed: 5, failed: 1, never_ran: 0 });
  expect(await readIds(inFolder("err.jsonl"))).toEqual(["q-3"]);
  expect(await sheaf("cancel", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("completed already") });
  expect(await sheaf("retry", id)).toMatchObject({ code: 0, stderr: expect.stringContaining("Submitted.") });
  expect(remote.batches.at(-1)).toMatchObject({ lines: 1 });
  remote.end();
  const merged = await sheaf("fetch", id, "-o", inFolder("out.jsonl"), "--wait");
  expect(merged).toMatchObject({ code: 0, stderr: expect.stringContaining("6 of 6 requests answered") });
  expect(await readIds(inFolder("out.jsonl"))).toHaveLength(6);
  expect((await sheaf("status", id)).stdout).toContain("6 of 6 requests answered\n  1 request asked again: completed");

  const other = (await sheaf("submit", file, "--connection", "Hosted", "--first", "2")).stdout.trim();
  expect(await sheaf("cancel", other)).toMatchObject({ code: 0, stderr: expect.stringContaining("Cancelled.") });
  expect(JSON.parse((await sheaf("status", other, "--json")).stdout)).toMatchObject({
    status: "cancelled",
    never_ran: 2,
  });

  const refused = await sheaf("submit", file, "--connection", "Chat");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("Instead: sheaf run") });
  expect(await sheaf("status", "batch_0")).toMatchObject({ code: 2, stderr: expect.stringContaining("no job") });
});
