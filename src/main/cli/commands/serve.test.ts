import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { createInterface } from "node:readline";
import OpenAI from "openai";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { resultLineSchema } from "#contract";
import { createFakeMachine } from "../../service/testing/index.ts";
import { readBatchLines } from "../testing/batch-lines.ts";
import { callSheaf, exitOf, type RunningServer, runSheaf, startServer, startSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const servers: RunningServer[] = [];

async function start(
  ...parameters: Parameters<typeof startServer>
): Promise<RunningServer & { readonly client: OpenAI }> {
  const server = await startServer(...parameters);
  servers.push(server);
  return { ...server, client: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.apiKey, maxRetries: 0 }) };
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

test("a client does the whole job on all 1,319 questions with the address and key of the first line", async () => {
  const { client, pid } = await start();
  expect(pid).toBe(process.pid);
  const input = readBatchLines();
  const file = await client.files.create({ file: new File([input.join("\n")], "gsm8k.jsonl"), purpose: "batch" });
  let batch = await client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  while (batch.status !== "completed") batch = await client.batches.retrieve(batch.id);
  expect(batch.request_counts).toEqual({ total: 1_319, completed: 1_319, failed: 0 });
  const output = await (await client.files.content(batch.output_file_id ?? "")).text();
  const answers = output
    .trimEnd()
    .split("\n")
    .map((line) => resultLineSchema.parse(JSON.parse(line)));
  expect(answers.map(({ custom_id }) => custom_id).sort()).toEqual(
    input.map((_, index) => `gsm8k-${String(index + 1).padStart(4, "0")}`),
  );
});

test("the key is the flag's, else SHEAF_API_KEY, else a new one each time", async () => {
  const env = { SHEAF_API_KEY: "sk-from-environment" };
  const keys = await Promise.all([
    start(["--ephemeral", "--api-key", "sk-from-flag"], { env }),
    start(["--ephemeral"], { env }),
    start(),
    start(),
  ]);
  expect(keys.slice(0, 2).map(({ apiKey }) => apiKey)).toEqual(["sk-from-flag", "sk-from-environment"]);
  expect(keys[2]?.apiKey).toMatch(/^sk-sheaf-[\w-]{32}$/);
  expect(keys[3]?.apiKey).not.toBe(keys[2]?.apiKey);
  await expect(keys[1]?.client.batches.list()).resolves.toBeDefined();
  const stranger = new OpenAI({ baseURL: `${keys[1]?.url}/v1`, apiKey: "sk-wrong-key", maxRetries: 0 });
  await expect(stranger.batches.list()).rejects.toMatchObject({ status: 401 });
});

test("a webhook's secret is made, or read from a variable, and printed once; other addresses are refused", async () => {
  const serve = ["serve", "--port", "0", "--ephemeral", "--webhook", "http://127.0.0.1:1/hook"];
  const env = { HOOK_SECRET: "whsec_c2VjcmV0c2VjcmV0" };
  const run = async (args: readonly string[]) => {
    const call = callSheaf([...serve, ...args], { env });
    await call.firstLine();
    call.signal("SIGTERM");
    const { stdout, stderr } = await call.finished;
    return { stdout, stderr };
  };
  const [made, given, printed] = [
    await run([]),
    await run(["--webhook-secret-env", "HOOK_SECRET"]),
    await run(["--json"]),
  ];
  expect(made.stdout).toMatch(
    /Webhooks {2}http:\/\/127\.0\.0\.1:1\/hook, signed with the secret whsec_[\w+/]{43}= \(new, shown only now\)\n/,
  );
  expect(given.stdout).toContain("signed with the secret in HOOK_SECRET\n");
  expect(given.stdout + given.stderr).not.toContain(env.HOOK_SECRET);
  expect(JSON.parse(printed.stdout)).toMatchObject({ webhookSecret: expect.stringMatching(/^whsec_/) });
  for (const [args, message] of [
    [["--webhook", "http://example.com/"], "--webhook expects an http address of this machine"],
    [["--webhook", "http://localhost:1", "--webhook-secret-env", "NONE"], "the variable NONE is not set"],
    [["--webhook-secret-env", "HOOK_SECRET"], "--webhook-secret-env is for --webhook"],
  ] as const) {
    const { code, stderr } = await runSheaf(["serve", "--ephemeral", ...args], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  }
});

test("people get the address and a new key to copy; a key they gave is not repeated", async () => {
  const serve = ["serve", "--port", "0", "--ephemeral"];
  const banners = await Promise.all(
    [[...serve, "--api-key", "sk-known-already"], serve].map(async (args) => {
      const call = callSheaf(args);
      await call.firstLine();
      call.signal("SIGTERM");
      return (await call.finished).stdout;
    }),
  );
  for (const banner of banners) expect(banner).toMatch(/Base URL {2}http:\/\/127\.0\.0\.1:\d+\/v1\n/);
  expect(banners[0]).not.toContain("sk-known-already");
  expect(banners[1]).toMatch(/API key {3}sk-sheaf-\S+ \(new, shown only now\)\n/);
});

test("--dialect openai answers with integers for times", async () => {
  const { client } = await start(["--ephemeral", "--dialect", "openai"]);
  const file = await client.files.create({ file: new File([""], "empty.jsonl"), purpose: "batch" });
  expect(file.created_at).toBeTypeOf("number");
});

test("--clock-speed 0 has a clock that stands still until it is turned forward", async () => {
  const { url, apiKey } = await start(["--ephemeral", "--clock-speed", "0"]);
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const turn = async (advance: string) =>
    await (await fetch(`${url}/sheaf/clock`, { method: "POST", headers, body: JSON.stringify({ advance }) })).json();
  const first = z.object({ unix_ms: z.int(), speed: z.literal(0) }).parse(await turn("0s"));
  expect(await turn("24h")).toMatchObject({ unix_ms: first.unix_ms + 86_400_000 });
});

test("a port in use is one clear line and exit code 1", async () => {
  const { url } = await start();
  const { port } = new URL(url);
  expect(await runSheaf(["serve", "--ephemeral", "--port", port])).toEqual({
    code: 1,
    stdout: "",
    stderr: `error: Port ${port} is in use on 127.0.0.1. Choose another one with --port, or any free one with --port 0.\n`,
  });
});

test("--tier has its limits hold for direct calls, --no-rate-limit lifts them", async () => {
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  const ask = ({ client }: { client: OpenAI }) =>
    client.chat.completions.create({ model, messages: [{ role: "user", content: "Why?" }] });
  const free = await start(["--ephemeral", "--tier", "free"]);
  await ask(free);
  await expect(ask(free)).rejects.toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  const open = await start(["--ephemeral", "--tier", "free", "--no-rate-limit"]);
  for (let count = 0; count < 3; count++) await ask(open);
  await expect(
    open.client.chat.completions.create({ model, messages: [{ role: "user", content: "Why?" }], max_tokens: 4_001 }),
  ).rejects.toMatchObject({ status: 400, code: "max_output_exceeded" });
});

test("data in use by another server is one clear line and exit code 1", async () => {
  await start(["--data-dir", inFolder("data")]);
  const { code, stdout, stderr } = await runSheaf(["serve", "--port", "0", "--data-dir", inFolder("data")]);
  expect(stderr).toMatch(/^error: .*in use by process \d+\..*\n$/);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
});

test("files and batches are there again after a restart; by default they are kept in the user's data folder", async () => {
  const options = { env: { XDG_DATA_HOME: inFolder(), HOME: inFolder() } };
  const first = await start([], options);
  const file = await first.client.files.create({ file: new File(readBatchLines(3), "a.jsonl"), purpose: "batch" });
  expect(await first.stop()).toBe(0);
  const second = await start([], options);
  await expect(
    second.client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    }),
  ).resolves.toMatchObject({ status: "validating" });
});

test("--ephemeral leaves nothing behind", async () => {
  vi.stubEnv("TMPDIR", inFolder());
  const server = await start(["--ephemeral"]);
  await server.client.files.create({ file: new File(readBatchLines(3), "a.jsonl"), purpose: "batch" });
  expect(await readdir(inFolder())).not.toEqual([]);
  expect(await server.stop()).toBe(0);
  expect(await readdir(inFolder())).toEqual([]);
});

test("a signal while it starts leaves nothing behind either, and the exit code is 0", async () => {
  const child = startSheaf(["serve", "--port", "0", "--ephemeral"], { env: { TMPDIR: inFolder() } });
  while ((await readdir(inFolder())).length === 0);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  expect(await readdir(inFolder())).toEqual([]);
});

/** A server in a process of its own, and a request to it whose body has not been sent yet. */
async function startWithRequest() {
  const child = startSheaf(["serve", "--json", "--port", "0", "--ephemeral"]);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const server = z.object({ url: z.url(), apiKey: z.string() }).parse(JSON.parse(String(line)));
  return { child, ...(await beginRequest(server)) };
}

async function beginRequest({ url, apiKey }: Pick<RunningServer, "url" | "apiKey">) {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "content-length": 2 };
  const pending = request(`${url}/v1/batches`, { method: "POST", headers });
  pending.flushHeaders();
  await once(pending, "socket");
  await fetch(`${url}/health`);
  const isRefused = () =>
    fetch(`${url}/health`).then(
      () => false,
      () => true,
    );
  return { pending, isRefused };
}

test("at SIGTERM a request in flight is answered, no new one is taken, and the exit code is 0", async () => {
  const { child, pending, isRefused } = await startWithRequest();
  child.kill("SIGTERM");
  while (!(await isRefused()));
  const answered = once(pending, "response");
  pending.end("{}");
  const [response] = await answered;
  expect(response.statusCode).toBe(400);
  response.resume();
  expect(await exitOf(child)).toBe(0);
});

test("a request that does not end is cut off after 3 seconds", async () => {
  const machine = createFakeMachine();
  const server = await startServer(["--ephemeral"], { machine });
  const { pending, isRefused } = await beginRequest(server);
  let isCut = false;
  pending.on("error", () => {
    isCut = true;
  });
  const stopped = server.stop();
  while (!(await isRefused()));
  await machine.advance(2_999);
  expect(isCut).toBe(false);
  await machine.advance(1);
  expect(await stopped).toBe(0);
});

test("a second signal ends it at once", async () => {
  const { child, pending, isRefused } = await startWithRequest();
  pending.on("error", () => {});
  child.kill("SIGINT");
  while (!(await isRefused()));
  const nudge = setInterval(() => child.kill("SIGINT"), 50);
  expect(await exitOf(child)).toBe(130);
  clearInterval(nudge);
});

test("--any-model takes whatever model a client names", async () => {
  const messages = [{ role: "user" as const, content: "Why?" }];
  const open = await start(["--ephemeral", "--any-model"]);
  expect((await open.client.chat.completions.create({ model: "gpt-4o", messages })).model).toBe("gpt-4o");
  const strict = await start(["--ephemeral"]);
  await expect(strict.client.chat.completions.create({ model: "gpt-4o", messages })).rejects.toMatchObject({
    status: 404,
  });
});

test("--no-auth asks for no key, of any length on this machine, and --cors lets pages call it", async () => {
  const cors = ["--cors", "https://app.example", "--cors", "http://localhost:3000"];
  const open = await start(["--ephemeral", "--no-auth", ...cors, "--allow-host", "host.docker.internal"]);
  const ask = (path: string, headers: Record<string, string>) => fetch(open.url + path, { headers });
  for (const origin of ["https://app.example", "http://localhost:3000"]) {
    const response = await ask("/v1/models", { origin });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  }
  expect((await ask("/v1/models", { origin: "https://evil.example" })).status).toBe(403);
  await expect(open.client.models.list()).resolves.toBeDefined();
  for (const [name, status] of [
    ["host.docker.internal:4747", 200],
    ["evil.example", 403],
  ] as const) {
    expect(await getStatus(`${open.url}/v1/models`, { host: name })).toBe(status);
  }
  const short = await start(["--ephemeral", "--api-key", "k", "--host", "[::1]"]);
  expect(short.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  await expect(short.client.models.list()).resolves.toBeDefined();
  expect(await getStatus(`${short.url}/v1/models`, { authorization: "Bearer l" })).toBe(401);
});

/** By node's own client, which sends any host. */
async function getStatus(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request(url, { headers });
  asked.end();
  const [response] = await once(asked, "response");
  response.resume();
  return response.statusCode;
}

test("a server that others can reach warns, and wants a key that can't be guessed", async () => {
  const call = callSheaf(["serve", "--port", "0", "--ephemeral", "--host", "0.0.0.0", "--json"]);
  await call.firstLine();
  call.signal("SIGTERM");
  const { code, stderr } = await call.finished;
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("warning: other computers can reach"),
  });

  const refused = async (...flags: string[]) => {
    const { code, stderr } = await runSheaf(["serve", "--ephemeral", "--port", "0", ...flags]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused("--host", "0.0.0.0", "--api-key", "fifteen-letters")).toContain("16 characters");
  expect(await refused("--host", "0.0.0.0", "--no-auth")).toContain("this machine alone");
  expect(await refused("--no-auth", "--api-key", "k")).toContain("leave out --api-key");
  const upstream = ["--upstream-url", "http://127.0.0.1:9/v1"];
  expect(await refused("--no-auth", "--cors", "*", ...upstream)).toContain("at your cost");
  expect(await refused("--cors", "app.example")).toContain("an origin such as https://app.example");
  expect(await refused("--allow-host", "http://x")).toContain("a host name, without a port");
});

test("--max-file-bytes, --max-lines and --max-line-bytes limit uploads and batches", async () => {
  const limits = ["--max-file-bytes", "1000", "--max-lines", "1", "--max-line-bytes", "50"];
  const { client } = await start(["--ephemeral", ...limits]);
  const upload = (content: string) => client.files.create({ file: new File([content], "in.jsonl"), purpose: "batch" });
  await expect(upload("x".repeat(1_001))).rejects.toMatchObject({ status: 413, code: "file_too_large" });
  const [line = ""] = readBatchLines();
  const { id } = await upload(`${line}\n${line.replace("0001", "0002")}\n`);
  const endpoint = "/v1/chat/completions";
  const batch = await client.batches.create({ input_file_id: id, endpoint, completion_window: "24h" });
  await expect
    .poll(async () => (await client.batches.retrieve(batch.id)).errors?.data?.map((error) => [error.line, error.code]))
    .toEqual([
      [null, "too_many_requests_in_file"],
      [1, "line_too_large"],
    ]);
});
