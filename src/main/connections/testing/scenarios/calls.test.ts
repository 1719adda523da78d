import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeMachine, type FakeMachine, makeTempDir } from "../../../service/testing/index.ts";
import type { Kind } from "./kinds.ts";
import { lineBehavioursOf } from "./line-behaviours.ts";
import { type Scenario, startScenario } from "./start-scenario.ts";
import { openVendorClient } from "./vendor-client.ts";

/* Calls one by one, by the vendor's own clients: each finish word, error body and wait that chat servers have been seen with. */

const key = "sk-0123456789abcdef";
const kinds = ["chat", "anthropic", "gemini"] as const satisfies readonly Kind[];

let machine: FakeMachine;
let open: Scenario[] = [];
beforeEach(() => {
  machine = createFakeMachine();
  open = [];
});
afterEach(() => Promise.all(open.map((scenario) => scenario.close())));

async function start(kind: Kind, timeout = 30_000) {
  const scenario = await startScenario(kind, { key, machine });
  open.push(scenario);
  const client = openVendorClient(kind, { url: scenario.url, key, timeout, folder: await makeTempDir() });
  return { scenario, client };
}

interface ApiError {
  readonly status?: number;
  readonly message: string;
  readonly headers?: Headers;
}
/** The error of a call; fails when there is none. */
async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as ApiError;
}

describe.each(kinds)("%s's own client", (kind) => {
  it("is answered whole and as a stream, and each call is paid once", async () => {
    const { scenario, client } = await start(kind);
    const natural = { chat: "stop", anthropic: "end_turn", gemini: "STOP" }[kind];
    expect(await client.ask("What is a sheaf?")).toEqual({ text: "answer 1 to What is a sheaf?", finish: natural });
    expect(await client.ask("And two?", true)).toEqual({ text: "answer 2 to And two?", finish: natural });
    expect(scenario.bill).toMatchObject({ calls: 2, early: 0 });
    expect(scenario.bill.audit(["answer 1 to What is a sheaf?"])).toMatchObject({ paidTwice: [], lost: ["And two?"] });
    await client.ask("And two?");
    expect(scenario.bill.audit([]).paidTwice).toEqual(["And two?"]);
  });

  it("is told each finish word, whole and as a stream", async () => {
    const { scenario, client } = await start(kind);
    const words = lineBehavioursOf(kind, "calls").filter((name) => name.startsWith("finish: "));
    expect(words.length).toBeGreaterThan(8);
    for (const name of words) {
      scenario.playLine("*", name);
      const word = name.slice("finish: ".length);
      const none: Readonly<Record<string, string | null>> = { null: null, missing: null, "empty text": "" };
      for (const isStream of [false, true]) {
        const { finish } = await client.ask(`about ${word}`, isStream);
        expect(finish ?? null, name).toBe(word in none ? none[word] : word);
      }
    }
  });

  it("is refused in each way, with the status that the body belongs to", async () => {
    const { scenario, client } = await start(kind, 200);
    for (const name of lineBehavioursOf(kind, "calls")) {
      scenario.playLine("*", name);
      const status = /^[45]\d\d/.exec(name)?.[0];
      if (status === undefined) await client.ask(name).catch(() => {});
      else expect(String((await refusal(client.ask(name))).status), name).toBe(status);
    }
  });

  it.each([
    ["wait: retry-after", 6],
    ["wait: retry-after, a date", 6],
    ["wait: retry-after, an hour", 3_600],
    ["wait: 503 and retry-after", 20],
    ["wait: nothing said", 30],
  ])("is refused until the time has come, and asking before is counted: %s", async (name, seconds) => {
    const { scenario, client } = await start(kind);
    scenario.playLine("*", name);
    await refusal(client.ask("q-1"));
    await machine.advance((seconds - 1) * 1_000);
    await refusal(client.ask("q-2"));
    expect(scenario.bill).toMatchObject({ calls: 2, early: 1 });
    await machine.advance(1_000);
    expect((await client.ask("q-1")).text).toBe("answer 1 to q-1");
    expect(scenario.bill.early).toBe(1);
    expect(scenario.bill.line("q-1")).toMatchObject({ asked: 2, paid: 1, early: 0 });
  });

  it("answers lines in their own ways, so many times", async () => {
    const { scenario, client } = await start(kind, 300);
    scenario.playLine("q-1", "500 always");
    scenario.playLine("q-2", "500 2 times");
    scenario.playLine("q-3", "hang always");
    scenario.playLine("q-4", "cut in the answer, once");
    for (let time = 0; time < 3; time++) await refusal(client.ask("q-1"));
    await refusal(client.ask("q-2"));
    await refusal(client.ask("q-2"));
    expect((await client.ask("q-2")).text).toMatch(/q-2/);
    await refusal(client.ask("q-3"));
    await refusal(client.ask("q-4"));
    const { text } = await client.ask("q-4");
    expect((await client.ask("q-5")).text).toMatch(/q-5/);
    expect(scenario.bill.line("q-1")).toMatchObject({ asked: 3, paid: 0 });
    expect(scenario.bill.line("q-3")).toMatchObject({ asked: 1, paid: 0 });
    // What was cut was paid, too.
    expect(scenario.bill.line("q-4")).toMatchObject({ asked: 2, paid: 2 });
    expect(scenario.bill.audit([text]).lost).toEqual(["q-2", "q-5"]);
  });
});

describe("the openai client", () => {
  it.each([
    ["wait: retry-after-ms", "retry-after-ms", "1500"],
    ["wait: x-ratelimit-reset-requests", "x-ratelimit-reset-requests", "6s"],
    ["wait: x-ratelimit-reset-tokens", "x-ratelimit-reset-tokens", "1m2.5s"],
  ])("reads the wait of a header: %s", async (name, header, value) => {
    const { scenario, client } = await start("chat");
    scenario.playLine("*", name);
    expect((await refusal(client.ask("q-1"))).headers?.get(header)).toBe(value);
  });

  it.each([
    ["wait: try again in 6s", "Please try again in 6s."],
    ["wait: try again in 644ms", "Please try again in 644ms."],
    ["wait: try again in 1m2.5s", "Please try again in 1m2.5s."],
    ["429: Requested above Limit", "Limit 30000, Requested 45411."],
    ["413: Requested above Limit", "Limit 6000, Requested 10338"],
    ["429: Requested below Limit, three times", "Limit 30000, Used 29937, Requested 385."],
    ["Azure: innererror", "content management policy"],
    ["type: null", "Unsupported value"],
    ["error as text", "Only one system message"],
    ["model not found: Ollama", 'model "some-model" not found, try pulling it first'],
    ["loading for 20 seconds", "Loading model"],
  ])("reads the message: %s", async (name, message) => {
    const { scenario, client } = await start("chat");
    scenario.playLine("*", name);
    expect((await refusal(client.ask("q-1"))).message).toContain(message);
  });

  it("reads what lies in other places by hand", async () => {
    const { scenario } = await start("chat");
    const ask = async (name: string): Promise<unknown> => {
      scenario.playLine("*", name);
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(108_120) }] });
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${scenario.url}/chat/completions`, { method: "POST", headers, body });
      return await response.json();
    };
    expect(await ask("error in a list")).toMatchObject([{ error: { status: "INVALID_ARGUMENT" } }]);
    expect(await ask("wait: RetryInfo in a list")).toMatchObject([
      { error: { details: [{}, { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "45.838s" }] } },
    ]);
    expect(await ask("FastAPI: detail as a list")).toMatchObject({ detail: [{ msg: "Field required" }] });
    expect(await ask("plain")).toMatchObject({ usage: { prompt_tokens: 27_030 } });
    expect(await ask("prompt cut to 2048")).toMatchObject({ usage: { prompt_tokens: 2_048 } });
  });

  it("lists models, fewer than there are, and none", async () => {
    const { scenario, client } = await start("chat");
    expect(await client.models()).toEqual(["some-model"]);
    scenario.play("models: without ours");
    expect(await client.models()).toEqual(["another-model", "some-model-mini"]);
    scenario.play("models: with a tag");
    expect(await client.models()).toContain("some-model:latest");
    scenario.play("models: none");
    expect(await client.models()).toEqual([]);
    scenario.play("models: 404");
    expect((await refusal(client.models())).status).toBe(404);
  });

  it("gets LM Studio's 200 for a path that isn't there", async () => {
    const { scenario } = await start("chat");
    scenario.play("lm studio");
    const { origin } = new URL(scenario.url);
    const wrong = openVendorClient("chat", { url: origin, key, folder: "" });
    expect(await wrong.models()).toEqual([]);
    const response = await fetch(`${origin}/models`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ error: "Unexpected endpoint or method. (GET /models)" });
    expect(await openVendorClient("chat", { url: scenario.url, key, folder: "" }).models()).toEqual(["some-model"]);
  });
});
