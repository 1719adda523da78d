import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { batchListSchema, batchSchema, resultLineSchema } from "#contract";
import {
  createBatch,
  json,
  readError,
  startTestServer,
  type TestServer,
  twoPrompts,
  upload,
} from "../testing/test-server.ts";

let server: TestServer;
/** Its answers take so long that they come only when the test is over. */
let slow: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  slow = await startTestServer({ pace: 60_000 });
});
afterAll(async () => {
  await server.close();
  await slow.close();
});

const wanted = { endpoint: "/v1/chat/completions", completion_window: "24h" };
const seconds = /^\d{10}$/;

describe("creating a batch", () => {
  test("answers with integer timestamps, 24 hours to go, and null for all that is not yet", async () => {
    const input = await upload(slow, twoPrompts);
    const response = await slow.request("/v1/batches", json({ ...wanted, input_file_id: input }));
    const body = z.strictObject(batchSchema.shape).parse(await response.json());
    expect(body).toEqual({
      id: expect.stringMatching(/^batch_/),
      object: "batch",
      endpoint: "/v1/chat/completions",
      errors: null,
      input_file_id: input,
      completion_window: "24h",
      status: "validating",
      output_file_id: null,
      error_file_id: null,
      created_at: expect.any(Number),
      in_progress_at: null,
      expires_at: Number(body.created_at) + 86_400,
      finalizing_at: null,
      completed_at: null,
      failed_at: null,
      expired_at: null,
      cancelling_at: null,
      cancelled_at: null,
      request_counts: { total: 0, completed: 0, failed: 0 },
      metadata: {},
    });
    expect(String(body.created_at)).toMatch(seconds);
  });

  test("keeps the metadata it is given", async () => {
    const input_file_id = await upload(server, twoPrompts);
    const metadata = { name: "Reviews, week 3", "": "x" };
    const response = await server.request("/v1/batches", json({ ...wanted, input_file_id, metadata }));
    expect(await response.json()).toMatchObject({ metadata });
  });

  const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, "v"]));
  test.each<[name: string, body: unknown, status: number, code: string, param: string | null]>([
    ["no JSON", "{", 400, "invalid_json", null],
    ["nothing", "", 400, "invalid_json", null],
    ["an array", [], 400, "invalid_type", null],
    ["null", null, 400, "invalid_type", null],
    ["no file", wanted, 400, "missing_required_parameter", "input_file_id"],
    ["no endpoint", { input_file_id: "x", completion_window: "24h" }, 400, "missing_required_parameter", "endpoint"],
    ["no window", { input_file_id: "x", endpoint: "x" }, 400, "missing_required_parameter", "completion_window"],
    ["a number as file", { ...wanted, input_file_id: 7 }, 400, "invalid_type", "input_file_id"],
    ["null as file", { ...wanted, input_file_id: null }, 400, "invalid_type", "input_file_id"],
    ["an unknown file", { ...wanted, input_file_id: "file-none" }, 404, "not_found", "input_file_id"],
    ["a text as metadata", { ...wanted, input_file_id: "x", metadata: "x" }, 400, "invalid_type", "metadata"],
    ["a number in metadata", { ...wanted, input_file_id: "x", metadata: { a: 1 } }, 400, "invalid_type", "metadata.a"],
    ["too much metadata", { ...wanted, input_file_id: "x", metadata: tooMany }, 400, "invalid_value", "metadata"],
    [
      "a long key",
      { ...wanted, input_file_id: "x", metadata: { ["k".repeat(65)]: "" } },
      400,
      "invalid_value",
      "metadata",
    ],
    [
      "a long value",
      { ...wanted, input_file_id: "x", metadata: { a: "v".repeat(513) } },
      400,
      "invalid_value",
      "metadata.a",
    ],
    ["a body of keys that any object has", '{"__proto__":{"a":1}}', 400, "missing_required_parameter", "input_file_id"],
    ["a body over 1 MB", { ...wanted, input_file_id: "x".repeat(2_000_000) }, 413, "body_too_large", null],
  ])("fails for %s", async (_name, body, status, code, param) => {
    const error = await readError(await server.request("/v1/batches", json(body)), status);
    expect(error).toMatchObject({ type: "invalid_request_error", code, param });
  });

  test.each([
    ["endpoint", "/v1/audio/speech", "/v1/chat/completions"],
    ["completion_window", "48h", "24h"],
  ])("names the values that it takes for a wrong %s", async (param, value, supported) => {
    const input_file_id = await upload(server, twoPrompts);
    const response = await server.request("/v1/batches", json({ ...wanted, input_file_id, [param]: value }));
    const error = await readError(response, 400);
    expect(error).toMatchObject({ code: "invalid_value", param });
    expect(error.message).toContain(supported);
  });

  test.each(["input_file_id", "endpoint", "completion_window"])(
    "repeats the start of a long %s only",
    async (param) => {
      const input_file_id = await upload(server, twoPrompts);
      const long = "x".repeat(100_000);
      const response = await server.request("/v1/batches", json({ ...wanted, input_file_id, [param]: long }));
      const { message } = await readError(response, param === "input_file_id" ? 404 : 400);
      expect(message).toContain("xxx");
      expect(message.length).toBeLessThan(250);
    },
  );

  test("takes JSON only", async () => {
    const form = await server.request("/v1/batches", { method: "POST", body: new URLSearchParams({ a: "b" }) });
    expect((await readError(form, 415)).message).toContain("application/json");
    for (const body of [new Uint8Array([123, 125]), "{}"]) {
      await readError(await server.request("/v1/batches", { method: "POST", body }), 415);
    }
  });
});

describe("reading a batch", () => {
  test("answers with timestamps as decimal strings, and counts", async () => {
    const id = await createBatch(server, twoPrompts);
    await server.service.batches.settled(id);
    const response = await server.request(`/v1/batches/${id}`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const body = z.strictObject(batchSchema.shape).parse(await response.json());
    expect(body).toMatchObject({
      status: "completed",
      created_at: expect.stringMatching(seconds),
      in_progress_at: expect.stringMatching(seconds),
      finalizing_at: expect.stringMatching(seconds),
      completed_at: expect.stringMatching(seconds),
      expires_at: expect.stringMatching(seconds),
      failed_at: null,
      request_counts: { total: 2, completed: 2, failed: 0 },
      output_file_id: expect.stringMatching(/^file-/),
      error_file_id: null,
    });
  });

  test("shows every change", async () => {
    const id = await createBatch(slow, twoPrompts);
    const status = async () => batchSchema.parse(await (await slow.request(`/v1/batches/${id}`)).json()).status;
    await expect.poll(status, { interval: 5 }).toBe("in_progress");
    await slow.request(`/v1/batches/${id}/cancel`, { method: "POST" });
    expect(await status()).toBe("cancelling");
  });

  test("fails for an unknown one", async () => {
    const error = await readError(await server.request("/v1/batches/batch_none"), 404);
    expect(error).toMatchObject({ param: "batch_id", type: "invalid_request_error" });
    expect(error.message).toContain("batch_none");
  });

  test("lists all that is wrong with its file: twelve kinds of mistakes, each with its line", async () => {
    const [content, expected] = await Promise.all(
      ["broken-batch.jsonl", "broken-batch.problems.json"].map((name) =>
        readFile(new URL(`../../../../examples/${name}`, import.meta.url), "utf8"),
      ),
    );
    const id = await createBatch(server, content ?? "");
    await server.service.batches.settled(id);
    const body = batchSchema.parse(await (await server.request(`/v1/batches/${id}`)).json());
    expect(body).toMatchObject({ status: "failed", output_file_id: null, error_file_id: null });
    expect(body.failed_at).toMatch(seconds);
    expect(body.request_counts).toMatchObject({ completed: 0, failed: 0 });
    const found = body.errors?.data.map(({ line, code, param }) => ({ line, code, param }));
    expect(found).toEqual(JSON.parse(expected ?? ""));
    expect(found).toHaveLength(12);
  });
});

describe("listing batches", () => {
  const list = async (query: string) => (await server.request(`/v1/batches${query}`)).text();

  test("shows the largest 64-bit integer digit for digit", async () => {
    const text = await list("?limit=1");
    expect(text).toContain('"items_per_page":9223372036854775807');
    expect(text).toMatch(/"count":1,"page":1,"page_count":-1/);
  });

  test("has the first 100 problems of a failed batch, and says where the others are", async () => {
    const own = await startTestServer();
    const input_file_id = await upload(own, "{}\n".repeat(300));
    const created = await own.request("/v1/batches", json({ ...wanted, input_file_id }));
    const { id } = batchSchema.parse(await created.json());
    await own.service.batches.settled(id);
    const whole = batchSchema.parse(await (await own.request(`/v1/batches/${id}`)).json());
    const [listed] = batchListSchema.parse(await (await own.request("/v1/batches")).json()).data;
    await own.close();

    const problems = whole.errors?.data ?? [];
    expect(problems).toHaveLength(1_200);
    const rest = { code: "too_many_problems", message: `1,100 more problems are listed at GET /v1/batches/${id}.` };
    expect(listed).toEqual({
      ...whole,
      errors: { object: "list", data: [...problems.slice(0, 100), { ...rest, param: null, line: null }] },
    });
  });

  test("goes from the newest to the oldest, page by page", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.unshift(await createBatch(server, twoPrompts));
    const first = batchListSchema.parse(JSON.parse(await list("?limit=2")));
    expect(first.data.map((batch) => batch.id)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ first_id: ids[0], last_id: ids[1], has_more: true, count: 2 });
    expect(first.data[0]?.created_at).toMatch(seconds);
    const second = batchListSchema.parse(JSON.parse(await list(`?limit=1&after=${first.last_id}`)));
    expect(second.data.map((batch) => batch.id)).toEqual(ids.slice(2));
  });

  test("has no more than 20 unless more are asked for", async () => {
    for (let index = 0; index < 21; index++) await createBatch(server, twoPrompts);
    expect(JSON.parse(await list(""))).toMatchObject({ count: 20, has_more: true });
    expect(JSON.parse(await list("?limit=21"))).toMatchObject({ count: 21 });
  });

  test("is an empty page with limit 0", async () => {
    expect(JSON.parse(await list("?limit=0"))).toMatchObject({
      object: "list",
      data: [],
      first_id: null,
      last_id: null,
      count: 0,
    });
  });

  test.each([
    ["?limit=101", "integer_above_max_value", "limit"],
    ["?limit=-1", "integer_below_min_value", "limit"],
    ["?limit=ten", "invalid_type", "limit"],
    ["?limit=", "invalid_type", "limit"],
    ["?limit=1.5", "invalid_type", "limit"],
    ["?limit=1&limit=2", "invalid_type", "limit"],
    ["?limit=99999999999999999999999", "integer_above_max_value", "limit"],
    ["?after=a&after=b", "invalid_type", "after"],
  ])("fails for %s", async (query, code, param) => {
    const error = await readError(await server.request(`/v1/batches${query}`), 400);
    expect(error).toMatchObject({ code, param, type: "invalid_request_error" });
  });

  test("fails after an unknown one", async () => {
    expect((await readError(await server.request("/v1/batches?after=batch_none"), 404)).param).toBe("after");
  });
});

describe("cancelling a batch", () => {
  const cancel = (id: string, init: RequestInit = {}) =>
    slow.request(`/v1/batches/${id}/cancel`, { method: "POST", ...init });

  test("answers that it is being cancelled, with the time, and again when asked again", async () => {
    const id = await createBatch(slow, twoPrompts);
    const body = batchSchema.parse(await (await cancel(id)).json());
    expect(body).toMatchObject({
      id,
      status: "cancelling",
      cancelling_at: expect.stringMatching(seconds),
      cancelled_at: null,
    });
    const again = await cancel(id);
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ cancelling_at: body.cancelling_at });
  });

  test.each<[name: string, init: RequestInit]>([
    ["a content type without a body", { headers: { "content-type": "application/json" } }],
    ["an empty object", json({})],
    ["a body that is no JSON", { body: "{", headers: { "content-type": "application/json" } }],
    ["a form", { body: new URLSearchParams({ a: "b" }) }],
  ])("takes no notice of %s", async (_name, init) => {
    expect((await cancel(await createBatch(slow, twoPrompts), init)).status).toBe(200);
  });

  test("fails for one that has ended, and says not to try again", async () => {
    const id = await createBatch(server, twoPrompts);
    await server.service.batches.settled(id);
    const response = await server.request(`/v1/batches/${id}/cancel`, { method: "POST" });
    const error = await readError(response, 409);
    expect(error.message).toBe("Cannot cancel a batch with status 'completed'.");
    expect(response.headers.get("x-should-retry")).toBe("false");
  });

  test("fails for an unknown one", async () => {
    expect((await readError(await cancel("batch_none"), 404)).param).toBe("batch_id");
  });
});

test("the output file has each answer once, and is listed as batch output", async () => {
  const id = await createBatch(server, twoPrompts);
  const { outputFileId } = await server.service.batches.settled(id);
  const response = await server.request(`/v1/files/${outputFileId}/content`);
  const lines = (await response.text()).trimEnd().split("\n");
  expect(lines.map((line) => resultLineSchema.parse(JSON.parse(line)).custom_id).sort()).toEqual(["a", "b"]);
  const files = await (await server.request("/v1/files?purpose=batch_output&limit=1")).json();
  expect(files).toMatchObject({ data: [{ id: outputFileId, purpose: "batch_output" }] });
});

test("the openai dialect has integers everywhere and no extras in lists", async () => {
  const strict = await startTestServer({ dialect: "openai" });
  const id = await createBatch(strict, twoPrompts);
  await strict.service.batches.settled(id);
  const body = batchSchema.parse(await (await strict.request(`/v1/batches/${id}`)).json());
  expect(body).toMatchObject({ created_at: expect.any(Number), completed_at: expect.any(Number), expired_at: null });
  const list = await (await strict.request("/v1/batches")).json();
  expect(Object.keys(Object(list))).toEqual(["object", "data", "first_id", "last_id", "has_more"]);
  expect(list).toMatchObject({ data: [{ created_at: body.created_at }] });
  await strict.close();
});

describe("DELETE /sheaf/batches/{id}", () => {
  const remove = (at: TestServer, path: string) => at.request(path, { method: "DELETE" });

  test("removes a batch that has ended with its files, but an input that another batch was made from", async () => {
    const input = await upload(server, twoPrompts);
    const first = await runBatch(input);
    const second = await runBatch(input);
    const response = await remove(server, `/sheaf/batches/${first.id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: first.id, object: "batch", deleted: true });
    const statusOf = async (path: string) => (await server.request(path)).status;
    expect(await statusOf(`/v1/batches/${first.id}`)).toBe(404);
    expect(await statusOf(`/v1/files/${first.output_file_id}`)).toBe(404);
    expect(await statusOf(`/v1/files/${input}`)).toBe(200);
    const again = await remove(server, `/sheaf/batches/${first.id}`);
    expect(await readError(again, 404)).toMatchObject({ param: "batch_id" });

    await remove(server, `/sheaf/batches/${second.id}`);
    for (const id of [input, second.output_file_id]) expect(await statusOf(`/v1/files/${id}`)).toBe(404);
  });

  test("refuses one that runs, and does not see those of another scope", async () => {
    const id = await createBatch(slow, twoPrompts);
    expect((await remove(slow, `/scope/other/sheaf/batches/${id}`)).status).toBe(404);
    expect(await readError(await remove(slow, `/sheaf/batches/${id}`), 409)).toMatchObject({
      code: "batch_running",
      message: "This batch has not ended. Cancel it first.",
    });
  });

  async function runBatch(input: string) {
    const response = await server.request("/v1/batches", json({ ...wanted, input_file_id: input }));
    const { id } = batchSchema.parse(await response.json());
    await server.service.batches.settled(id);
    return batchSchema.parse(await (await server.request(`/v1/batches/${id}`)).json());
  }
});
