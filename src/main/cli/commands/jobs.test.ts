import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { samplePictures } from "../../build/testing/sample-pictures.ts";
import { createTestFolder, submitQuestions } from "../../connections/testing/open-service.ts";
import { type OpenaiService, startOpenaiService } from "../../connections/testing/openai-service.ts";
import { type StandIn, startStandIn } from "../../connections/testing/stand-in.ts";
import { createFakeMachine, type FakeMachine } from "../../service/testing/index.ts";
import { countMisfits } from "../batch-report.ts";
import { callSheaf, type Finished, runSheaf, type StartOptions } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const key = "sk-0123456789abcdefghijklmnop";
const inFolder = setUpFolder();
let chat: StandIn;
let remote: OpenaiService;
/** The questions that the chat server was asked. */
const asked: string[] = [];
/** The same, as the bytes of its requests. */
const sent: string[] = [];
/** How the chat server ends its answers to some questions, while their limit is below 100 tokens. */
const shortAnswers: Record<string, { content: string; reason: string }> = {};
/** The models that the chat server lists. */
let listed: readonly string[] = [];
/** The chat server answers no more requests than this. */
let answerLimit = Number.POSITIVE_INFINITY;

const requestSchema = z.object({
  messages: z.tuple([z.object({ content: z.unknown().transform(String) })]),
  max_tokens: z.int().optional(),
});

beforeAll(async () => {
  chat = await startStandIn(({ path, body }) => {
    if (path !== "/v1/chat/completions") return { body: { data: listed.map((id) => ({ id })) } };
    sent.push(body.toString("utf8"));
    const { messages, max_tokens: limit = 0 } = requestSchema.parse(JSON.parse(body.toString("utf8")));
    const { content: question } = messages[0];
    asked.push(question);
    if (asked.length > answerLimit) return () => {};
    const short = limit < 100 ? shortAnswers[question] : undefined;
    const message = { role: "assistant", content: short?.content ?? `${question}: yes` };
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
    const choices = [{ index: 0, message, finish_reason: short?.reason ?? "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model: "gpt-4o-mini", choices, usage } };
  });
});
afterAll(async () => {
  await chat.close();
});
afterEach(async () => {
  await remote.close();
});
beforeEach(async () => {
  remote = await startOpenaiService("openai", key);
  asked.length = 0;
  listed = [];
  answerLimit = Number.POSITIVE_INFINITY;
  for (const question of Object.keys(shortAnswers)) delete shortAnswers[question];
  await sheaf("connections", "add", "Chat", "--adapter", "chat", "--url", `${chat.url}/v1`, "--concurrency", "2");
  await sheaf("connections", "add", "Hosted", "--preset", "openai", "--url", remote.url, "--key-env", "MY_KEY");
});

const env = { MY_KEY: key, SHEAF_SECRETS: "memory" };
const withFolder = (args: readonly string[]) => [...args, "--data-dir", inFolder("data")];

async function sheaf(...args: string[]): Promise<Finished> {
  return await runSheaf(withFolder(args), { env });
}

/** Runs commands on a machine whose time passes a thousand times as fast as this one's. */
function callAt(machine: FakeMachine) {
  return async (...args: string[]): Promise<Finished> => {
    let isOver = false;
    const finished = runSheaf(withFolder(args), { env, machine }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await machine.advance(1_000);
      await wait(1);
    }
    return await finished;
  };
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
  // The price of this server is unknown: a model's name alone is no price.
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

test("a count of the answers that break their schemas fails by itself: it is null, and the reason is printed", async () => {
  const stderr = new PassThrough();
  const results = { countMisfits: () => Promise.reject(new Error("no space left on device")) };
  expect(await countMisfits({ results }, { id: "b" }, { stderr })).toBe(null);
  expect(String(stderr.read())).toBe("Answers that break their schema were not counted: no space left on device\n");
});

test("Ctrl+C keeps every answer, says how to go on, and the same command goes on", async () => {
  const file = await writeBatch(8);
  answerLimit = 4;
  const args = withFolder(["run", file, "-o", inFolder("out.jsonl"), "--connection", "Chat"]);
  const call = callSheaf([...args, "--json"], { env });
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(5);
  call.signal("SIGINT");
  chat.hangUp();
  const { code, stdout, stderr } = await call.finished;
  expect(JSON.parse(stdout)).toMatchObject({ completed: 4, never_ran: 4, breaks_schema: null });
  expect(stderr).toContain("Stopped: 4 of 8 requests done. The same command goes on.");
  expect(code).toBe(1);
  answerLimit = Number.POSITIVE_INFINITY;
  const id = (await sheaf("status")).stdout.split("\t")[0] ?? "";
  // Status sends no request.
  const before = asked.length;
  expect((await sheaf("status", id)).stdout).toContain("in_progress, 4 of 8 requests answered\n");
  expect(JSON.parse((await sheaf("status", id, "--json")).stdout)).toMatchObject({ completed: 4, breaks_schema: null });
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

test("answers of earlier jobs and of the app, which is open meanwhile, are taken where that is asked for", async () => {
  const parameters = { model: "some-model", max_tokens: 9 };
  const app = await createTestFolder();
  onTestFinished(() => app.remove());
  await app.store.save({ name: "Chat", adapter: "chat", preset: null, url: `${chat.url}/v1` });
  const service = await app.open();
  onTestFinished(() => service.stop());
  const { id } = await submitQuestions(service, (await app.store.find("Chat"))?.id ?? "", ["question 0", "question 1"]);
  await service.batches.settled(id);

  const file = await writeBatch(8, parameters);
  const args = ["run", file, "-o", inFolder("out.jsonl"), "--connection", "Chat", "--data-dir", app.path];
  expect((await runSheaf([...args, "--first", "5"], { env })).code).toBe(0);
  expect(asked).toHaveLength(2 + 5);
  const plan = await runSheaf([...args, "--first", "7", "--dry-run"], { env });
  expect(plan.stdout).toContain("5 of these are answered already: --reuse takes their answers.");
  const { code, stderr } = await runSheaf([...args, "--first", "7", "--reuse"], { env });
  expect(stderr).toContain("7 of 7 requests answered, 5 of them in earlier jobs");
  expect(code).toBe(0);
  const whole = await runSheaf([...args, "--reuse", "--json"], { env });
  expect(JSON.parse(whole.stdout)).toMatchObject({ total: 8, completed: 8, reused: 7 });
  expect(asked.slice(7)).toEqual(["question 5", "question 6", "question 7"]);
  expect(await readIds(inFolder("out.jsonl"))).toHaveLength(8);
  expect(await readFile(inFolder("out.jsonl"), "utf8")).toContain("question 1: yes");
  expect(await sheaf("run", file, "-o", inFolder("out.jsonl"), "--reuse")).toMatchObject({ code: 2 });
});

test("at its deadline a job is cancelled, keeps what was answered by then, and asks the rest directly", async () => {
  const file = await writeBatch(4);
  remote.holdCancelled(["q-1"]);
  const machine = createFakeMachine();
  const start = (deadline: string) =>
    runSheaf(
      withFolder([
        "run",
        file,
        "-o",
        inFolder("out.jsonl"),
        "--connection",
        "Hosted",
        "--deadline",
        deadline,
        "--json",
      ]),
      { env, machine },
    );
  let isOver = false;
  const finished = start("2h").finally(() => {
    isOver = true;
  });
  // The two hours have passed when the service has the batch.
  while (remote.batches.length === 0 && !isOver) await machine.advance(1);
  machine.setWall(machine.wall() + 2 * 3_600_000);
  while (!isOver) await machine.advance(500);
  const { code, stdout, stderr } = await finished;
  expect(stderr).toContain("The rest is sent directly");
  expect(JSON.parse(stdout)).toMatchObject({ total: 4, completed: 4, failed: 0, never_ran: 0, reused: 0 });
  expect(code).toBe(0);
  expect(await readIds(inFolder("out.jsonl"))).toHaveLength(4);
  expect(remote.received.filter(({ path }) => path.endsWith("/chat/completions"))).toHaveLength(3);
  expect((await sheaf("status")).stdout).toContain("cancelled\t4 of 4 requests answered");
  // Of four answers at 5 and 3 tokens one was the batch's, at half the price.
  const price = (5 * 0.15 + 3 * 0.6) / 1e6;
  expect(JSON.parse(stdout).cost).toBeCloseTo(price * 3.5, 9);
  expect(await start("yesterday")).toMatchObject({ code: 2, stderr: expect.stringContaining("a time to come") });
  const chatFirst = await sheaf("run", file, "-o", inFolder("out.jsonl"), "--connection", "Chat", "--deadline", "2h");
  expect(chatFirst).toMatchObject({ code: 2, stderr: expect.stringContaining("asked directly already") });
});

test("a job that waits goes on with a key that another command gives its connection", async () => {
  const file = await writeBatch(2);
  const args = withFolder(["submit", file, "--connection", "Hosted"]);
  const call = callSheaf(args, { env: { ...env, MY_KEY: "sk-wrong-0123456789", OTHER_KEY: key } });
  const jobs = async () => (await sheaf("status")).stdout;
  await expect.poll(jobs).toContain("in_progress");
  expect(await sheaf("connections", "key", "Hosted", "--key-env", "OTHER_KEY")).toMatchObject({ code: 0 });
  const { code, stderr } = await call.finished;
  expect(stderr).toContain("Hosted refused the key.");
  expect(stderr).toContain("It is the one in MY_KEY: stop with Ctrl+C");
  expect(stderr).not.toContain("sk-wrong");
  expect(code).toBe(0);
});

test("pictures that requests name by a path are sent from one folder, and from nowhere else", async () => {
  const folder = inFolder("photos");
  await mkdir(folder);
  await writeFile(inFolder("photos/a.png"), samplePictures.png);
  await writeFile(inFolder("private.png"), samplePictures.png);
  await symlink(inFolder("private.png"), inFolder("photos/link.png"));
  const ask = async (...urls: string[]) => {
    const lines = urls.map((url, at) => {
      const content = [{ type: "image_url", image_url: { url, detail: "low" } }];
      const body = { model: "gpt-4o-mini", seed: 1, messages: [{ role: "user", content }] };
      return JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body });
    });
    await writeFile(inFolder("batch.jsonl"), `\ufeff${lines.join("\r\n")}`);
    const command = ["run", inFolder("batch.jsonl"), "-o", inFolder("out.jsonl"), "--connection", "Chat"];
    sent.length = 0;
    return await sheaf(...command, "--send-pictures", folder);
  };
  const address = "https://example.com/a.png";
  const data = `data:image/png;base64,${samplePictures.png.toString("base64")}`;
  expect(await ask(inFolder("photos/a.png"), address)).toMatchObject({ code: 0 });
  expect(sent.map((body) => JSON.parse(body).messages[0].content[0].image_url.url).sort()).toEqual([data, address]);

  const { code, stderr } = await ask(address, inFolder("private.png"), inFolder("photos/link.png"));
  expect(code).toBe(2);
  expect(stderr).toContain(`batch.jsonl:2: picture_not_allowed: ${inFolder("private.png")} is not in`);
  expect(stderr).toContain("batch.jsonl:3: picture_unreadable:");
  expect(sent).toEqual([]);
});

test("a dry run says the plan and the cost, and asks nothing", async () => {
  const file = await writeBatch(10, { max_tokens: 1_000_000 });
  const plan = await sheaf("run", file, "--connection", "Hosted", "--dry-run");
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain("10 requests (");
  expect(plan.stdout).toContain("to Hosted in 1 part");
  expect(plan.stdout).toMatch(/Answers: at most 10,000,000 tokens/);
  expect(plan.stdout).toMatch(/Cost: about \$0\.0\d+ for the prompts, at most \$3\.00 in all \(prices of \d{4}-/);
  const json = JSON.parse((await sheaf("run", file, "--connection", "Chat", "--dry-run", "--json")).stdout);
  expect(json).toMatchObject({ total: 10, parts: null, prompt_cost: null, most_completion_tokens: 10_000_000 });
  expect(asked).toEqual([]);
  expect(remote.received).toEqual([]);
});

test("a batch is submitted, looked at, fetched and cancelled by its id", async () => {
  const file = await writeBatch(6);
  const sheaf = callAt(createFakeMachine());
  const submitted = await sheaf("submit", file, "--connection", "Hosted");
  expect(submitted).toMatchObject({ code: 0, stderr: expect.stringContaining("6 requests submitted to Hosted.") });
  const id = submitted.stdout.trim();
  // The same command resumes the same job.
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

test("a create whose answer was lost is not sent again: the command ends, and resolve settles it", async () => {
  const file = await writeBatch(3);
  const call = callAt(createFakeMachine());
  remote.inject("POST", /batches$/, (response) => response.socket?.destroy());
  const run = await call("run", file, "--connection", "Hosted", "-o", inFolder("out.jsonl"));
  const [, id = ""] = /sheaf resolve (\S+) --send-again \| --is BATCH \| --cancel/.exec(run.stderr) ?? [];
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining("Hosted may have lines 1-3 already") });
  expect(await call("status", id)).toMatchObject({ code: 0, stdout: expect.stringContaining("lines 1-3: in doubt") });
  const again = await call("run", file, "--connection", "Hosted", "-o", inFolder("out.jsonl"));
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`sheaf resolve ${id}`) });
  expect(remote.batches).toHaveLength(0);
  expect(await call("resolve", id)).toMatchObject({ code: 2 });
  const wrong = await call("resolve", id, "--is", "batch-9");
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("The service has no such batch.") });

  const sent = await call("resolve", id, "--send-again");
  expect(sent.stderr).toContain("Settled.");
  expect(remote.batches).toHaveLength(1);
  expect(await call("resolve", id, "--send-again")).toMatchObject({ code: 1 });
  remote.end();
  expect(await call("fetch", id, "--wait", "-o", inFolder("out.jsonl"))).toMatchObject({ code: 0 });
  expect(await readIds(inFolder("out.jsonl"))).toHaveLength(3);
});

test("an answer that is damaged on disk is left out with a note and exit code 1, and asked again by sheaf retry", async () => {
  const file = await writeBatch(4);
  const out = inFolder("out.jsonl");
  const run = await sheaf("run", file, "-o", out, "--connection", "Chat", "--json");
  const { id } = outcomeSchema.parse(JSON.parse(run.stdout));
  const names = await readdir(inFolder("data/cli"), { recursive: true });
  const answers = names.filter((name) => /files.file-\w+$/.test(name)).map((name) => inFolder(`data/cli/${name}`));
  for (const path of answers) {
    const content = await readFile(path, "utf8");
    await writeFile(path, content.replace("question 2: yes", "question 2: yet"));
  }
  const again = await sheaf("fetch", id, "-o", out);
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("1 answer is damaged on disk, and was left"),
  });
  expect((await readIds(out)).toSorted()).toEqual(["q-0", "q-1", "q-3"]);

  asked.length = 0;
  expect(await sheaf("retry", id, "-o", out)).toMatchObject({ code: 0 });
  expect(asked).toEqual(["question 2"]);
  expect((await readIds(out)).toSorted()).toEqual(["q-0", "q-1", "q-2", "q-3"]);
});

test("how answers ended is in the closing line and the JSON, and cut and empty ones are asked again on request", async () => {
  shortAnswers["question 0"] = { content: "que", reason: "length" };
  shortAnswers["question 1"] = { content: "", reason: "stop" };
  shortAnswers["question 2"] = { content: "No.", reason: "content_filter" };
  const file = await writeBatch(5, { max_tokens: 60 });
  const out = inFolder("out.jsonl");
  const ran = await sheaf("run", file, "--connection", "Chat", "-o", out);
  expect(ran.stderr).toContain(
    "5 of 5 requests answered (2 complete, 1 cut by the token limit, 1 empty, 1 refused or filtered)",
  );
  const id = /sheaf retry (batch_\w+) --cut --empty asks for those answers again/.exec(ran.stderr)?.[1] ?? "";
  expect(ran.code).toBe(0);
  expect((await sheaf("status", id)).stdout).toContain("1 cut by the token limit, 1 empty, 1 refused or filtered");

  asked.length = 0;
  const nothing = await sheaf("retry", id, "--json");
  expect(nothing.stderr).toContain("No line is left to be asked again.");
  const ends = { complete: 2, calls: 0, cut: 1, empty: 1, refused: 1, other: 0 };
  expect(JSON.parse(nothing.stdout)).toMatchObject({ completed: 5, ends });
  expect(asked).toEqual([]);

  expect((await sheaf("retry", id, "--max-tokens", "70")).stderr).toContain("--max-tokens needs --cut or --empty.");
  const small = await sheaf("retry", id, "--cut", "--max-tokens", "70", "--json");
  expect(JSON.parse(small.stdout)).toMatchObject({ ends: { cut: 1, empty: 1 } });
  expect(asked).toEqual(["question 0"]);
  const again = await sheaf("retry", id, "--cut", "--empty", "--json", "-o", out);
  expect(JSON.parse(again.stdout)).toMatchObject({ completed: 5, ends: { ...ends, complete: 4, cut: 0, empty: 0 } });
  expect(asked.toSorted()).toEqual(["question 0", "question 0", "question 1"]);
  expect(await readIds(out)).toHaveLength(5);
  expect(await readFile(out, "utf8")).toContain("question 1: yes");
});

test("a model that the connection does not list is a warning before anything is sent", async () => {
  listed = ["gpt-4o", "gpt-4.1-mini"];
  const file = await writeBatch(2);
  const warning = "warning: Chat does not list the model ‘gpt-4o-mini’. Nearest: gpt-4o, gpt-4.1-mini.";
  const ran = await sheaf("run", file, "--connection", "Chat", "-o", inFolder("out.jsonl"));
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(warning)]);
  // The job is there: nothing is new.
  expect((await sheaf("run", file, "--connection", "Chat", "-o", inFolder("out.jsonl"))).stderr).not.toContain(
    "warning",
  );
});
