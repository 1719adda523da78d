import { setImmediate as nextTurn } from "node:timers/promises";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { faultSettingsSchema } from "#contract";
import { createAdjustableClock } from "#main/base";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { json, readError, startTestServer, type TestServer, twoPrompts, upload } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.service.faults.clear());
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const put = (settings: unknown) => server.request("/sheaf/faults", { ...json(settings), method: "PUT" });

async function readSettings(response: Response) {
  expect(response.status).toBe(200);
  return faultSettingsSchema.parse(await response.json());
}

describe("/sheaf/faults", () => {
  test("tells the faults, replaces them all, and switches them off", async () => {
    const off = await readSettings(await server.request("/sheaf/faults"));
    expect(off).toMatchObject({ failure_rate: 0, statuses: [500], latency_ms: 0, stuck_in: [], expire_after: null });
    const settings = { failure_rate: 0.05, statuses: [500, 503], latency_ms: 20, stuck_in: ["cancelling"] };
    expect(await readSettings(await put(settings))).toEqual({ ...off, ...settings });
    expect(await readSettings(await put({ drop_rate: 0.1 }))).toEqual({ ...off, drop_rate: 0.1 });
    expect(await readSettings(await server.request("/sheaf/faults"))).toEqual({ ...off, drop_rate: 0.1 });
    expect(await readSettings(await server.request("/sheaf/faults", { method: "DELETE" }))).toEqual(off);
    expect(await readSettings(await server.request("/sheaf/faults"))).toEqual(off);
  });

  test("needs the key", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      await readError(await fetch(`${server.url}/sheaf/faults`, { method }), 401);
    }
  });

  test.each([
    [{ failure_rate: 2 }, "failure_rate", "a value <= 1"],
    [{ failure_rate: "high" }, "failure_rate", "expected a number"],
    [{ statuses: [500, 200] }, "statuses[1]", "a value >= 400"],
    [{ stuck_in: ["completed"] }, "stuck_in[0]", "'validating', 'cancelling'"],
    [{ failure_rte: 0.1 }, "failure_rte", "Unknown parameter: 'failure_rte'."],
    [{ failure_rate: 0.7, drop_rate: 0.7 }, null, "add up to more than 1"],
    ["[]", null, "expected an object"],
  ])("says what is wrong with %j, and changes nothing", async (settings, param, words) => {
    await put({ latency_ms: 7 });
    const error = await readError(await put(settings), 400);
    expect(error.param).toBe(param);
    expect(error.message).toContain(words);
    expect(await readSettings(await server.request("/sheaf/faults"))).toMatchObject({ latency_ms: 7 });
  });
});

describe("requests over HTTP", () => {
  test("fail with one of the statuses in the shape of every error, until the faults are off", async () => {
    await put({ failure_rate: 1, statuses: [503], targets: ["batches"] });
    const error = await readError(await server.request("/v1/batches"), 503);
    expect(error).toMatchObject({ type: "server_error", code: "injected_fault" });
    expect((await server.request("/v1/models")).status).toBe(200);
    await server.request("/sheaf/faults", { method: "DELETE" });
    expect((await server.request("/v1/batches")).status).toBe(200);
  });

  test("are refused with 429 and retry-after", async () => {
    await put({ rate_limit_rate: 1, retry_after: 3, targets: ["models"] });
    const response = await server.request("/v1/models");
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await readError(response, 429)).toMatchObject({ type: "rate_limit_error", code: "rate_limit_exceeded" });
  });

  test("take as much longer as they are told", async () => {
    const machine = createFakeMachine();
    const slow = await startTestServer({ clock: createAdjustableClock({ machine }) });
    onTestFinished(() => slow.close());
    const faults = { latency_ms: 150, targets: ["models"] };
    await slow.request("/sheaf/faults", { ...json(faults), method: "PUT" });
    const others = machine.pending;
    const asked = slow.request("/v1/models");
    while (machine.pending === others) await nextTurn();
    await machine.advance(149);
    expect(machine.pending, "it still waits").toBe(others + 1);
    await machine.advance(1);
    expect((await asked).status).toBe(200);
  });

  test("lose their connection in the middle of the answer", async () => {
    const whole = await (await server.request("/v1/models")).text();
    await put({ drop_rate: 1, targets: ["models"] });
    const response = await server.request("/v1/models");
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(whole)));
    let received = "";
    const reading = (async () => {
      for await (const piece of response.body ?? []) received += Buffer.from(piece).toString();
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
  });

  test("lose it in a download, too", async () => {
    const id = await upload(server, twoPrompts);
    await put({ drop_rate: 1, targets: ["files"] });
    await expect(server.request(`/v1/files/${id}/content`).then((response) => response.text())).rejects.toThrow();
  });

  test("get half of a JSON in a whole answer", async () => {
    const whole = await (await server.request("/v1/models")).text();
    await put({ malformed_rate: 1, targets: ["models"] });
    const response = await server.request("/v1/models");
    expect(await response.text()).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  test("meet the same faults each time the same are set", async () => {
    const settings = { failure_rate: 0.5, statuses: [500, 502, 503], targets: ["models"] };
    const ask = async () => {
      await put(settings);
      const statuses = [];
      for (let call = 0; call < 20; call++) statuses.push((await server.request("/v1/models")).status);
      return statuses;
    };
    const first = await ask();
    expect(new Set(first).size).toBe(4);
    expect(await ask()).toEqual(first);
  });
});

describe("chat completions", () => {
  const body = {
    model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    messages: [{ role: "user" as const, content: "Hi" }],
  };

  async function readStream(): Promise<number> {
    let chunks = 0;
    for await (const _ of await server.client.chat.completions.create({ ...body, stream: true })) chunks += 1;
    return chunks;
  }

  test.each(["drop_rate", "malformed_rate"])(
    "break in the middle of a stream at %s 1, which the client notices",
    async (field) => {
      expect(await readStream()).toBeGreaterThan(10);
      await put({ [field]: 1 });
      await expect(readStream()).rejects.toThrow();
      await expect(server.client.chat.completions.create(body)).rejects.toThrow();
    },
  );

  test("get through by the official client's own retries", async () => {
    await put({
      failure_rate: 0.3,
      statuses: [500, 503],
      rate_limit_rate: 0.2,
      retry_after: 0,
      seed: 3,
    });
    const client = server.client.withOptions({ maxRetries: 10 });
    for (let call = 0; call < 3; call++) {
      expect((await client.chat.completions.create(body)).choices).toHaveLength(1);
    }
  });

  test("fail before they count against the tier's limits", async () => {
    const limited = await startTestServer({ rateLimit: true, tier: "free" });
    try {
      limited.service.faults.set(faultSettingsSchema.parse({ failure_rate: 1 }));
      for (let call = 0; call < 3; call++) {
        await readError(await limited.request("/v1/chat/completions", json(body)), 500);
      }
      limited.service.faults.clear();
      expect((await limited.request("/v1/chat/completions", json(body))).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

test("an upload is refused, keeps nothing, and the client's retry gets through", async () => {
  const client = server.client.withOptions({ maxRetries: 10 });
  const before = server.service.files.list().length;
  await put({ upload_failure_rate: 0.5, statuses: [503], seed: 4 });
  const refused = await server.request("/v1/files", { method: "POST", body: formOf(twoPrompts) });
  const statuses = [refused.status];
  while (!statuses.includes(503)) {
    statuses.push((await server.request("/v1/files", { method: "POST", body: formOf(twoPrompts) })).status);
  }
  const stored = before + statuses.filter((status) => status === 200).length;
  expect(server.service.files.list()).toHaveLength(stored);
  await client.files.create({ file: new File([twoPrompts], "a.jsonl"), purpose: "batch" });
  expect(server.service.files.list()).toHaveLength(stored + 1);
});

test("the official client is asked to wait by retry-after, and tries again", async () => {
  await put({ rate_limit_rate: 1, retry_after: 1, targets: ["models"] });
  const waits: (string | null)[] = [];
  const client = new OpenAI({
    apiKey: server.client.apiKey,
    baseURL: `${server.url}/v1`,
    maxRetries: 1,
    async fetch(...parameters: Parameters<typeof fetch>) {
      const response = await fetch(...parameters);
      waits.push(response.headers.get("retry-after"));
      if (response.ok) return response;
      server.service.faults.clear();
      // The client waits by its own clock; the test does not.
      return new Response(response.body, { status: response.status, headers: { "retry-after-ms": "1" } });
    },
  });
  const models = await client.models.list();
  expect(models.data.length).toBeGreaterThan(0);
  expect(waits).toEqual(["1", null]);
});

function formOf(content: string): FormData {
  const form = new FormData();
  form.append("file", new Blob([content]), "a.jsonl");
  form.append("purpose", "batch");
  return form;
}
