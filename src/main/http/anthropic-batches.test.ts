import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createAdjustableClock } from "#main/base";
import { messageBatchResultSchema } from "../requests/vendors/anthropic-wire.ts";
import { apiKey, createBatch, startTestServer, type TestServer, twoPrompts } from "./testing/test-server.ts";

const model = "claude-opus-5-5";
const ask = (custom_id: string, content: string, more = {}) => ({
  custom_id,
  params: { model, max_tokens: 50, messages: [{ role: "user" as const, content }], ...more },
});
const two = [ask("first", "What is 2 + 2?"), ask("second", "What is 3 + 3?")];

describe("message batches, asked by Anthropic's client", () => {
  let server: TestServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await startTestServer({ clock: createAdjustableClock({ speed: 0 }) });
    client = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
  });
  afterAll(() => server.close());
  beforeEach(() => server.service.faults.clear());

  const end = async (id: string) => {
    await server.service.batches.settled(id.replace("msgbatch_", "batch_"));
    return client.messages.batches.retrieve(id);
  };
  const readResults = async (id: string, of = client) => {
    const results = await Array.fromAsync(await of.messages.batches.results(id));
    for (const result of results) expect(messageBatchResultSchema.parse(result)).toEqual(result);
    return new Map(results.map(({ custom_id, result }) => [custom_id, result]));
  };
  const setFaults = (faults: object) =>
    server.service.faults.set({ ...server.service.faults.settings, targets: ["lines"], ...faults });

  it("run to their results, which are those of direct calls", async () => {
    const { id, ...created } = await client.messages.batches.create({ requests: two });
    expect(id).toMatch(/^msgbatch_/);
    expect(created).toMatchObject({
      type: "message_batch",
      processing_status: "in_progress",
      request_counts: { processing: 2, succeeded: 0 },
      results_url: null,
    });
    const ended = await end(id);
    expect(ended).toMatchObject({
      processing_status: "ended",
      request_counts: { processing: 0, succeeded: 2, errored: 0, canceled: 0, expired: 0 },
      results_url: `${server.url}/v1/messages/batches/${id}/results`,
    });
    const results = await readResults(id);
    const direct = await client.messages.create(two[0]?.params ?? ask("", "").params);
    expect(results.get("first")).toMatchObject({
      type: "succeeded",
      message: { model, content: direct.content, usage: { service_tier: "batch" } },
    });
    expect(results.size).toBe(2);
  });

  it("say of each request that failed, was canceled or expired what came of it", async () => {
    setFaults({ failure_rate: 1, statuses: [529] });
    const failed = await client.messages.batches.create({ requests: two });
    expect((await end(failed.id)).request_counts).toMatchObject({ errored: 2 });
    expect((await readResults(failed.id)).get("first")).toMatchObject({
      type: "errored",
      error: { type: "error", error: { type: "overloaded_error" }, request_id: expect.stringMatching(/^req_/) },
    });

    setFaults({ stuck_in: ["validating"] });
    const canceled = await client.messages.batches.create({ requests: two });
    await expect(client.messages.batches.results(canceled.id)).rejects.toThrow("results_url");
    const results = await server.request(`/v1/messages/batches/${canceled.id}/results`);
    expect(results.status).toBe(404);
    await expect(client.messages.batches.delete(canceled.id)).rejects.toMatchObject({ status: 409 });
    expect(await client.messages.batches.cancel(canceled.id)).toMatchObject({ processing_status: "canceling" });
    expect(await end(canceled.id)).toMatchObject({
      request_counts: { canceled: 2 },
      cancel_initiated_at: expect.any(String),
    });
    expect((await readResults(canceled.id)).get("second")).toEqual({ type: "canceled" });

    setFaults({ stuck_in: ["validating"] });
    const expired = await client.messages.batches.create({ requests: two });
    await server.request("/sheaf/clock", {
      method: "POST",
      body: '{"advance":"25h"}',
      headers: { "content-type": "application/json" },
    });
    const { ended_at, expires_at, request_counts } = await end(expired.id);
    expect([ended_at, request_counts.expired]).toEqual([expires_at, 2]);
    expect((await readResults(expired.id)).get("first")).toEqual({ type: "expired" });
  });

  it("are listed page by page, and gone once deleted", async () => {
    const scoped = new Anthropic({ apiKey, baseURL: `${server.url}/scope/listing`, maxRetries: 0 });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await scoped.messages.batches.create({ requests: two })).id);
    const listed = await Array.fromAsync(scoped.messages.batches.list({ limit: 2 }), ({ id }) => id);
    expect(listed).toEqual(ids.toReversed());
    const [first = ""] = ids;
    await end(first).catch(() => {});
    // The address of the results has the scope that the client gave in its own.
    expect((await readResults(first, scoped)).size).toBe(2);
    expect(await scoped.messages.batches.delete(first)).toEqual({ id: first, type: "message_batch_deleted" });
    await expect(scoped.messages.batches.retrieve(first)).rejects.toMatchObject({
      status: 404,
      type: "not_found_error",
    });
    await expect(client.messages.batches.retrieve(ids[1] ?? "")).rejects.toMatchObject({ status: 404 });
  });

  it("are seen by the vendor's clients alone, and see no others", async () => {
    const { id } = await client.messages.batches.create({ requests: two });
    const other = await createBatch(server, twoPrompts);
    const list = z.object({ data: z.array(z.object({ id: z.string(), filename: z.string().default("") })) });
    const idsOf = async (path: string) => list.parse(await (await server.request(path)).json()).data;
    const batches = await idsOf("/v1/batches?limit=100");
    expect(batches.map((batch) => batch.id)).toEqual([other]);
    expect((await idsOf("/v1/files")).map(({ filename }) => filename)).not.toContain("requests.jsonl");
    const own = id.replace("msgbatch_", "batch_");
    expect((await server.request(`/v1/batches/${own}`)).status).toBe(404);
    const seen = await Array.fromAsync(client.messages.batches.list(), (batch) => batch.id);
    expect(seen).toContain(id);
    expect(seen).not.toContain(other.replace("batch_", "msgbatch_"));
    await end(id);
  });

  it("refuse what can't be run, and name the request", async () => {
    const cases: [object[], string][] = [
      [[ask("a", "Hi"), ask("a", "Ho")], "requests[1].custom_id"],
      [[ask("with space", "Hi")], "requests[0].custom_id"],
      [[ask("a", "Hi", { stream: true })], "requests[0].params.stream"],
      [[ask("a", "Hi"), ask("b", "Ho", { container: "c" })], "requests[1].params.container"],
      [[ask("a", "Hi", { tools: [], tool_choice: { type: "any" } })], "requests[0].params"],
      [[], "requests is an empty array"],
    ];
    for (const [requests, named] of cases) {
      const refused = client.messages.batches.create({ requests: requests as typeof two });
      await expect(refused).rejects.toMatchObject({ status: 400, apiMessage: expect.stringContaining(named) });
    }
  });
});
