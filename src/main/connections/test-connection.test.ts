import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type Connection, connectionSchema } from "#contract";
import { createSystemMachine } from "#main/base";
import { createFakeMachine } from "../service/testing/index.ts";
import { testConnection } from "./test-connection.ts";
import { startAnthropicService } from "./testing/anthropic-service.ts";
import { startOpenaiService } from "./testing/openai-service.ts";
import { type Reply, type StandIn, startStandIn } from "./testing/stand-in.ts";

const key = "sk-0123456789abcdef";
const { signal } = new AbortController();
let openai: StandIn;
let anthropic: StandIn;
let chatOnly: StandIn;
let page: StandIn;
let redirecting: StandIn;
beforeAll(async () => {
  openai = await startOpenaiService("openai", key);
  anthropic = await startAnthropicService(key);
  chatOnly = await startStandIn(({ path }) =>
    path === "/v1/models" ? { body: { data: [] } } : { status: 404, body: { error: "not found" } },
  );
  redirecting = await startStandIn(() => ({
    status: 302,
    headers: { location: "http://127.0.0.1:9/login?token=x" },
    body: "",
  }));
  page = await startStandIn(() => ({ body: "<!doctype html><title>Welcome</title>" }));
});
afterAll(async () => {
  await Promise.all([openai, anthropic, chatOnly, page, redirecting].map((standIn) => standIn.close()));
});

function connect(adapter: Connection["adapter"], url: string): Connection {
  return connectionSchema.parse({ id: "conn_1", name: "Mine", adapter, preset: null, url });
}

async function report(connection: Connection, ownKey: string | null) {
  const reports = await Array.fromAsync(
    testConnection(connection, { key: ownKey, machine: createFakeMachine() }, signal),
  );
  // Each check is reported as soon as it is made.
  expect(reports.map(({ works, checks }) => [works === null, checks.length])).toEqual(
    reports.map((_, at) => [at < reports.length - 1, Math.min(at + 1, reports.length - 1)]),
  );
  const last = reports.at(-1);
  if (last === undefined) throw new Error("There was no report.");
  return last;
}

async function test(adapter: Connection["adapter"], url: string, ownKey: string | null = key) {
  const { works, checks } = await report(connect(adapter, url), ownKey);
  return [works, checks.map(({ what, state }) => `${what} ${state}`).join(", ")];
}

it("says one by one what works, and that all which is needed does", async () => {
  expect(await test("openai-batch", openai.url)).toEqual([
    true,
    "address works, key works, models works, batches works, files missing, mcp missing",
  ]);
  expect(await test("anthropic-batch", anthropic.url)).toEqual([
    true,
    "address works, key works, models works, batches works",
  ]);
  expect(await test("chat", `${chatOnly.url}/v1`, null)).toEqual([
    true,
    "address works, key works, models works, batches missing, mcp missing",
  ]);
});

it("names a proxy variable that is ignored for its scheme", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"]) vi.stubEnv(name, undefined);
  vi.stubEnv("ALL_PROXY", "socks4://proxy.test");
  const { checks } = await report(connect("chat", "http://service.invalid/v1"), key);
  expect(checks[0]).toMatchObject({ state: "fails", message: expect.stringContaining("ALL_PROXY is ignored") });
  const own = { ...connect("chat", "http://service.invalid/v1"), proxy: "http://proxy.invalid" };
  expect((await report(own, key)).checks[0]?.message).not.toContain("ignored");
});

it("says what does not, and what to do", async () => {
  expect(await test("openai-batch", `${chatOnly.url}/v1`, null)).toEqual([
    false,
    "address works, key works, models works, batches missing, files missing, mcp missing",
  ]);
  expect(await test("openai-batch", openai.url, "sk-wrong")).toEqual([false, "address works, key fails"]);
  expect(await test("chat", page.url)).toEqual([false, "address fails"]);
  expect(await test("chat", "http://127.0.0.1:9/v1")).toEqual([false, "address fails"]);
  const { checks } = await report(connect("chat", page.url), key);
  expect(await test("chat", `${chatOnly.url}/v1/v1`, null)).toEqual([false, "address fails"]);
  expect(checks[0]?.message).toBe(
    "Mine answered with something that is not this API. Check the address: it usually ends in /v1.",
  );
});

it.each([
  ["the key is refused", { batches: 401, files: 401 }, false, "address works, key fails"],
  [
    "files are refused",
    { batches: 200, files: 401 },
    false,
    "address works, key works, models missing, batches works, files fails, mcp missing",
  ],
  [
    "files can't be listed",
    { batches: 200, files: 404 },
    true,
    "address works, key works, models missing, batches works, files missing, mcp missing",
  ],
  [
    "models fail",
    { models: 500, batches: 200, files: 200 },
    true,
    "address works, key works, models fails, batches works, files works, mcp missing",
  ],
  ["errors come with status 200", { models: "401 in it", batches: 200, files: 200 }, false, "address works, key fails"],
])("where %s, the key and what is needed are judged by what answers", async (_, statuses, works, checks) => {
  const replies = new Map<string, number | string>(Object.entries(statuses));
  const standIn = await startStandIn(({ path }) => {
    const status = replies.get(path.replace("/v1/", "")) ?? 404;
    if (typeof status === "string") return { body: { error: { message: "No auth credentials found", code: 401 } } };
    return { status, body: status === 200 ? { object: "list", data: [] } : { error: { message: "No." } } };
  });
  onTestFinished(() => standIn.close());
  expect(await test("openai-batch", `${standIn.url}/v1`)).toEqual([works, checks]);
});

it("finds the API at /v1 below the address, and says where a redirect leads", async () => {
  const { checks } = await report(connect("chat", chatOnly.url), null);
  expect(checks).toEqual([
    {
      what: "address",
      state: "fails",
      message: `Mine has no API at this address: / is not found there. It is at ${chatOnly.url}/v1.`,
      suggestedUrl: `${chatOnly.url}/v1`,
    },
  ]);
  const moved = await report(connect("chat", redirecting.url), null);
  expect(moved.checks).toMatchObject([
    { what: "address", state: "fails", message: expect.stringContaining("it redirects to http://127.0.0.1:9/login.") },
  ]);
});

it("only reads", () => {
  for (const standIn of [openai, anthropic, chatOnly, page]) {
    expect(standIn.received.every(({ method }) => method === "GET")).toBe(true);
  }
});

it("says of a proxy variable that can't be used which it is, and never reads one for this machine", async () => {
  vi.stubEnv("HTTP_PROXY", "socks4://someone:secret@proxy.test");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { checks } = await report(connect("chat", "http://service.test/v1"), null);
  expect(checks).toEqual([
    {
      what: "address",
      state: "fails",
      message:
        "Mine can't be reached through the proxy: HTTP_PROXY is not of the form http://HOST:PORT or socks5://HOST:PORT. Correct the variable and start Sheaf again, or name a proxy in the connection.",
    },
  ]);
  expect(await test("openai-batch", openai.url)).toMatchObject([true, expect.stringContaining("batches works")]);
});

/** A chat server that lists a model, and answers each chat with what is given. */
async function startChat(...replies: readonly Reply[]) {
  const standIn = await startStandIn(({ method, path }) => {
    if (method === "POST") return replies[count() - 1] ?? { status: 500, body: {} };
    return path === "/v1/models" ? { body: { data: [{ id: "m-1" }] } } : { status: 404, body: {} };
  });
  const posted = () => standIn.received.filter(({ method }) => method === "POST");
  const count = () => posted().length;
  onTestFinished(() => standIn.close());
  return { url: `${standIn.url}/v1`, asked: () => posted().map(({ body }) => JSON.parse(body.toString())) };
}

async function ask(url: string, model: string | null = null) {
  const parts = { key: null, machine: createSystemMachine(), ask: { model } };
  const { works, checks = [] } =
    (await Array.fromAsync(testConnection(connect("chat", url), parts, signal))).at(-1) ?? {};
  return { works, answer: checks.find(({ what }) => what === "answer") };
}

it("sends one chat of at most one token where the user allows it, and shows what came back", async () => {
  const usage = { prompt_tokens: 8, completion_tokens: 1 };
  const body = { choices: [{ message: { content: "Hello", tool_calls: null }, finish_reason: "length" }], usage };
  const { url, asked } = await startChat({ body });
  await test("chat", url, null);
  expect(asked()).toEqual([]);
  expect(await ask(url)).toEqual({
    works: true,
    answer: {
      what: "answer",
      state: "works",
      message: "m-1 answered “Hello”. It counted 8 tokens in and 1 out.",
      details: JSON.stringify(body),
    },
  });
  expect(asked()).toEqual([{ model: "m-1", messages: [{ role: "user", content: "Hi" }], max_tokens: 1 }]);
});

it("uses the newer name of the limit where a model refuses the older one", async () => {
  const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
  const good = { body: { choices: [{ message: { content: "" } }] } };
  const { url, asked } = await startChat({ status: 400, body: { error: { message } } }, good);
  expect(await ask(url, "m-2")).toMatchObject({
    works: true,
    answer: { message: expect.stringContaining("no token counts") },
  });
  expect(asked()).toMatchObject([{ max_tokens: 1 }, { model: "m-2", max_completion_tokens: 1 }]);
});

it.each([
  ["a page", { body: "<html>Welcome</html>" }, /no chat completion/, "<html>Welcome</html>"],
  ["an error in a success", { body: { error: { message: "No slots." } } }, /^No slots\./, /No slots/],
  [
    "an error",
    { status: 404, body: { error: { message: "No such model." } } },
    /refused the request: No such model/,
    /No such/,
  ],
] as [string, Reply, RegExp, string | RegExp][])(
  "shows %s that came back, and asks no second time",
  async (_, reply, message, details) => {
    const { url, asked } = await startChat(reply);
    const { works, answer } = await ask(url);
    expect(works).toBe(false);
    expect(answer?.message).toMatch(message);
    expect(answer?.details).toMatch(details);
    expect(asked()).toHaveLength(1);
  },
);
