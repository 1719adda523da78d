import { afterEach, describe, expect, test } from "vitest";
import { type ResultLine, resultLineSchema } from "#contract";
import { createManualClock } from "#main/base";
import { createManualEngine, createTestEngine, fileOf } from "../../service/testing/index.ts";
import { createBatch, json, startTestServer, type TestServer, type TestServerOptions } from "../testing/test-server.ts";

const servers: TestServer[] = [];
async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer({ dialect: "openai", ...options });
  servers.push(server);
  return server;
}
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function readLines({ client }: TestServer, fileId: string | null | undefined): Promise<ResultLine[]> {
  const text = await (await client.files.content(fileId ?? "")).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => resultLineSchema.parse(JSON.parse(line)));
}

/** A batch of five requests, of which two are answered and two are under way. */
async function startHalfway() {
  const engine = createManualEngine(2);
  const clock = createManualClock();
  const server = await start({ engine, clock });
  const id = await createBatch(server, fileOf(5));
  await engine.arrived(2);
  engine.release(2);
  await engine.arrived(2);
  await expect.poll(() => server.service.batches.get(id)?.counts.completed, { interval: 5 }).toBe(2);
  return { engine, server, id };
}

describe("a cancelled batch", () => {
  test("lets what is under way finish, keeps its answers, and names what never ran as batch_cancelled", async () => {
    const { engine, server, id } = await startHalfway();
    expect(await server.client.batches.cancel(id)).toMatchObject({ status: "cancelling" });
    engine.release();
    await server.service.batches.settled(id);
    const batch = await server.client.batches.retrieve(id);
    expect(batch).toMatchObject({ status: "cancelled", request_counts: { total: 5, completed: 4, failed: 0 } });
    expect(batch.cancelled_at).not.toBeNull();
    expect((await readLines(server, batch.output_file_id)).map((line) => line.custom_id)).toHaveLength(4);
    expect(await readLines(server, batch.error_file_id)).toMatchObject([
      { custom_id: "q-5", response: null, error: { code: "batch_cancelled" } },
    ]);
  });

  test("waits ten minutes at most, and a second cancel changes nothing", async () => {
    const { server, id } = await startHalfway();
    const first = await server.client.batches.cancel(id);
    await server.request("/sheaf/clock", json({ advance: "5m" }));
    expect(await server.client.batches.cancel(id)).toEqual(first);
    await server.request("/sheaf/clock", json({ advance: "5m" }));
    const batch = await server.client.batches.cancel(id);
    expect(batch).toMatchObject({ status: "cancelled", request_counts: { total: 5, completed: 2, failed: 0 } });
  });
});

test("an expired batch keeps its answers and names what never ran as batch_expired; it can't be cancelled", async () => {
  const { server, id } = await startHalfway();
  await server.request("/sheaf/clock", json({ advance: "24h" }));
  const batch = await server.client.batches.retrieve(id);
  expect(batch).toMatchObject({ status: "expired", request_counts: { total: 5, completed: 2, failed: 0 } });
  expect(await readLines(server, batch.output_file_id)).toHaveLength(2);
  const skipped = await readLines(server, batch.error_file_id);
  expect(skipped.map(({ error }) => error?.code)).toEqual(["batch_expired", "batch_expired", "batch_expired"]);
  await expect(server.client.batches.cancel(id)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining("Cannot cancel a batch with status 'expired'."),
  });
});

test("a batch of which every line failed is completed, without an output file and with each error in the other", async () => {
  const body = { error: { message: "Overloaded.", type: "server_error", param: null, code: "overloaded" } };
  const server = await start({ engine: createTestEngine(() => ({ statusCode: 503, body })) });
  const id = await createBatch(server, fileOf(2));
  await server.service.batches.settled(id);
  const batch = await server.client.batches.retrieve(id);
  expect(batch).toMatchObject({
    status: "completed",
    output_file_id: null,
    request_counts: { total: 2, completed: 0, failed: 2 },
  });
  const lines = await readLines(server, batch.error_file_id);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ response: { status_code: 503, body }, error: null });
});

test("a file with problems fails as a whole, and no line runs", async () => {
  let calls = 0;
  const engine = createTestEngine(() => {
    calls += 1;
    throw new Error("No line is to run.");
  });
  const server = await start({ engine });
  const id = await createBatch(server, `${fileOf(3)}{"custom_id":1}\n`);
  await server.service.batches.settled(id);
  const batch = await server.client.batches.retrieve(id);
  expect(batch).toMatchObject({ status: "failed", output_file_id: null, error_file_id: null });
  expect(batch.errors?.data?.map(({ line }) => line)).toEqual([4, 4, 4, 4]);
  expect(calls).toBe(0);
  await expect(server.client.batches.cancel(id)).rejects.toMatchObject({ status: 409 });
});
