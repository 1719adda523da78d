import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createAdjustableClock } from "#main/base";
import { upload } from "../service/testing/index.ts";
import { apiKey, json, readError, startTestServer, type TestServer, toBatchFile } from "./testing/test-server.ts";

let server: TestServer;
const clock = createAdjustableClock();
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const question = { model, messages: [{ role: "user", content: "Hello" }] };
const fiveLines = toBatchFile(["a", "b", "c", "d", "e"].map((id) => ({ id, content: `Question ${id}?` })));
const idSchema = z.object({ id: z.string() });

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const init = json(body);
  return server.request(path, { ...init, headers: { ...init.headers, ...headers } });
}

async function describeBatch() {
  const { id } = await upload(server.service.files, fiveLines);
  return { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
}

describe("x-sheaf-outcome", () => {
  test("fails a single request as its name says, whatever the faults are", async () => {
    const ask = (outcome: string, path = "/v1/chat/completions") =>
      post(path, question, { "x-sheaf-outcome": outcome });
    const failed = await readError(await ask("failure"), 500);
    expect(failed).toMatchObject({ code: "injected_fault", message: expect.stringContaining("x-sheaf-outcome") });
    const limited = await ask("rate_limit");
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "1"]);
    await limited.text();
    await expect(ask("malformed").then((response) => response.json())).rejects.toThrow(SyntaxError);
    await expect(ask("drop").then((response) => response.text())).rejects.toThrow();
    expect((await post("/v1/chat/completions", question)).status).toBe(200);
    const list = await server.request("/v1/batches", { headers: { "x-sheaf-outcome": "failure" } });
    expect(list.status).toBe(500);
  });

  test.each([
    ["failed", { output: 0, code: null }],
    ["expired", { output: 2, code: "batch_expired" }],
    ["cancelled", { output: 2, code: "batch_cancelled" }],
  ])("has a batch end as %s, after half of its lines in their order", async (outcome, expected) => {
    const created = await post("/v1/batches", await describeBatch(), { "x-sheaf-outcome": outcome });
    const { id } = idSchema.parse(await created.json());
    const batch = await server.service.batches.settled(id);
    expect(batch.status).toBe(outcome);
    if (expected.code === null) {
      expect(batch.problems).toMatchObject([{ code: "injected_fault", line: null }]);
      return;
    }
    expect(batch.counts).toMatchObject({ total: 5, completed: expected.output, failed: 0 });
    const readIds = async (file: string | null) =>
      (await (await server.request(`/v1/files/${file}/content`)).text())
        .trimEnd()
        .split("\n")
        .map((line) => z.object({ custom_id: z.string() }).parse(JSON.parse(line)).custom_id);
    expect((await readIds(batch.outputFileId)).toSorted()).toEqual(["a", "b"]);
    expect((await readIds(batch.errorFileId)).toSorted()).toEqual(["c", "d", "e"]);
    const errors = await (await server.request(`/v1/files/${batch.errorFileId}/content`)).text();
    expect(errors.match(new RegExp(expected.code, "g"))).toHaveLength(3);
  });

  test("that is not known, or of a batch elsewhere, is refused with those that are", async () => {
    for (const [path, body, outcome] of [
      ["/v1/batches", await describeBatch(), "completed"],
      ["/v1/chat/completions", question, "expired"],
    ] as const) {
      const error = await readError(await post(path, body, { "x-sheaf-outcome": outcome }), 400);
      expect(error).toMatchObject({ param: "x-sheaf-outcome", message: expect.stringContaining("'malformed'") });
    }
  });
});

describe("Idempotency-Key", () => {
  const withKey = (key: string) => ({ "idempotency-key": key });

  test("gives what the same request created before, also at the same time, for a day of the clock", async () => {
    const body = await describeBatch();
    const both = await Promise.all([
      post("/v1/batches", body, withKey("one")),
      post("/v1/batches", body, withKey("one")),
    ]);
    const [first, second] = await Promise.all(both.map((response) => response.text()));
    expect(second).toBe(first);
    const other = await post("/scope/other/v1/batches", body, withKey("one"));
    expect(other.status).toBe(404);
    await clock.advance(24 * 60 * 60_000);
    const later = idSchema.parse(await (await post("/v1/batches", body, withKey("one"))).json());
    expect(later.id).not.toBe(idSchema.parse(JSON.parse(first ?? "")).id);
  });

  test("keeps an upload once, and leaves nothing of its repetition", async () => {
    const send = async (content: string) => {
      const form = new FormData();
      form.set("purpose", "batch");
      form.set("file", new File([content], "in.jsonl"));
      return await server.request("/v1/files", { method: "POST", body: form, headers: withKey("upload") });
    };
    const countUploads = () => server.service.files.list().filter(({ purpose }) => purpose === "batch").length;
    const before = countUploads();
    const first = await (await send(fiveLines)).text();
    expect(await (await send(fiveLines)).text()).toBe(first);
    expect(countUploads()).toBe(before + 1);
    expect(await readError(await send("{}"), 409)).toMatchObject({ code: "idempotency_key_reused" });
    expect(countUploads()).toBe(before + 1);
  });

  test("with another body is 409, and what failed is tried again", async () => {
    const body = await describeBatch();
    const wrong = { ...body, input_file_id: "file-none" };
    expect((await post("/v1/batches", wrong, withKey("two"))).status).toBe(404);
    expect((await post("/v1/batches", body, withKey("two"))).status).toBe(200);
    const error = await readError(await post("/v1/batches", { ...body, metadata: { a: "b" } }, withKey("two")), 409);
    expect(error).toMatchObject({ code: "idempotency_key_reused", param: "idempotency-key" });
    expect((await post("/v1/batches", body, withKey("x".repeat(256)))).status).toBe(400);
  });

  test("gives the same answer of /v1 again where it is whole and no error", async () => {
    const ask = async (path: string, body: unknown, key: string) => {
      const response = await post(path, body, withKey(key));
      return z.looseObject({ id: z.string().optional() }).parse(await response.json());
    };
    const response = { model, input: "Hello" };
    const first = await ask("/v1/responses", response, "r");
    expect(await ask("/v1/responses", response, "r")).toEqual(first);
    expect((await ask("/v1/responses", response, "s")).id).not.toBe(first.id);
    // Lines of the batches before may still be answered: they are not asked this.
    const asked = { ...question, messages: [{ role: "user", content: "Asked here alone" }] };
    const match = { last_user_message: "Asked here alone", call: 1 };
    await post("/sheaf/rules", { match, reply: { error: { status: 503 } } });
    expect(await ask("/v1/chat/completions", asked, "c")).toMatchObject({ error: {} });
    expect(await ask("/v1/chat/completions", asked, "c")).toMatchObject({ object: "chat.completion" });
  });

  test("holds for message batches of Anthropic's dialect", async () => {
    const params = { model: "claude-sonnet-4-5", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
    const headers = { ...withKey("three"), "x-api-key": apiKey };
    const send = () => post("/v1/messages/batches", { requests: [{ custom_id: "a", params }] }, headers);
    const [one, two] = [await (await send()).json(), await (await send()).json()];
    expect(idSchema.parse(two).id).toBe(idSchema.parse(one).id);
  });
});
