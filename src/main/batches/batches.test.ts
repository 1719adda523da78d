import { describe, expect, test } from "vitest";
import type { ResultLine } from "#contract";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  openTestService,
  readContent,
  replyTo,
  requestLine,
  toJsonl,
  upload,
} from "../service/testing/index.ts";

const hours = 60 * 60_000;
const windowed = { endpoint: "/v1/chat/completions", completionWindow: "24h" };

function sortedIds(lines: readonly unknown[]): string[] {
  return lines.map((line) => String((line as ResultLine).custom_id)).sort();
}

describe("creating a batch", () => {
  test("answers with a batch that is being validated", async () => {
    const service = await openTestService();
    const { id } = await upload(service.files, fileOf(1));
    const batch = await service.batches.create({ inputFileId: id, ...windowed, metadata: { name: "First" } });
    const now = service.clock.now();
    expect(batch).toMatchObject({
      status: "validating",
      inputFileId: id,
      outputFileId: null,
      errorFileId: null,
      counts: { total: 0, completed: 0, failed: 0 },
      metadata: { name: "First" },
      problems: [],
    });
    expect(batch.times).toMatchObject({ created: now, expires: now + 24 * hours, inProgress: null });
  });

  test("refuses another endpoint, another window and an unknown file, and names the field", async () => {
    const service = await openTestService();
    const { id } = await upload(service.files, fileOf(1));
    const create = service.batches.create;
    await expect(create({ inputFileId: id, ...windowed, endpoint: "/v1/audio/speech" })).rejects.toMatchObject({
      code: "invalid_value",
      param: "endpoint",
      message: expect.stringMatching(
        /^Unsupported endpoint '\/v1\/audio\/speech'\. Supported: '\/v1\/chat\/completions', /,
      ),
    });
    await expect(create({ inputFileId: id, ...windowed, completionWindow: "1h" })).rejects.toMatchObject({
      code: "invalid_value",
      param: "completion_window",
      message: "Unsupported completion window '1h'. Supported: '24h'.",
    });
    await expect(create({ inputFileId: "file-9", ...windowed })).rejects.toMatchObject({
      code: "not_found",
      status: 404,
      param: "input_file_id",
    });
    expect(service.batches.list({ limit: 10 }).batches).toEqual([]);
  });

  test("refuses the output of another batch as input", async () => {
    const service = await openTestService();
    const { outputFileId } = await service.run(fileOf(1));
    await expect(service.batches.create({ inputFileId: outputFileId ?? "", ...windowed })).rejects.toMatchObject({
      code: "invalid_value",
      param: "input_file_id",
    });
  });
});

describe("a batch that runs", () => {
  test("passes through its states by itself, each told at once", async () => {
    const service = await openTestService();
    const seen: string[] = [];
    service.batches.subscribe(({ status }) => seen.push(status));
    const batch = await service.run(fileOf(3));
    expect([...new Set(seen)]).toEqual(["validating", "in_progress", "finalizing", "completed"]);
    expect(batch.counts).toEqual({ total: 3, completed: 3, failed: 0 });
    expect(batch.models).toEqual(["klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"]);
  });

  test("writes its answers as the wire has them", async () => {
    const service = await openTestService();
    const batch = await service.run(toJsonl([requestLine("a", "Why?")]));
    expect(await service.lines(batch.outputFileId)).toEqual([
      {
        id: expect.stringMatching(/^batch_req_/),
        custom_id: "a",
        response: {
          status_code: 200,
          request_id: expect.stringMatching(/^req_/),
          body: expect.objectContaining({ object: "chat.completion" }),
        },
        error: null,
      },
    ]);
    expect(service.files.get(batch.outputFileId ?? "")).toMatchObject({
      purpose: "batch_output",
      filename: `${batch.id}_output.jsonl`,
    });
  });

  test("sends the engine the request of the line, with the model's own id", async () => {
    const held = createManualEngine();
    const service = await openTestService({ engine: held });
    const body = { model: "vendor_b/Family2-R1", temperature: 0.5, logit_bias: { 5: 1 } };
    const batch = await service.submit(toJsonl([requestLine("a", "Why?", { body })]));
    await held.arrived(1);
    expect(held.waiting[0]).toMatchObject({
      request: { ...body, model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: "Why?" }] },
      requestId: expect.stringMatching(/^req_/),
      line: { batchId: batch.id, customId: "a", number: 1 },
    });
  });

  test("says how long the service asks to wait, until every line that waits is answered", async () => {
    const held = createManualEngine(3);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(3));
    await held.arrived(3);
    const waiting = () => service.batches.get(id)?.waiting;
    held.waiting[0]?.onWait?.(1_000);
    expect(waiting()).toBeNull();
    held.waiting[1]?.onWait?.(40_000);
    expect(waiting()).toBe("The service asks to wait 40 s.");
    held.release(1);
    await countsReach(service, id, 1);
    expect(waiting()).toBe("The service asks to wait 40 s.");
    held.release(1);
    await countsReach(service, id, 2);
    expect(waiting()).toBeNull();
  });

  test("has answers to read before it has ended", async () => {
    const held = createManualEngine(2);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(4));
    await held.arrived(2);
    expect(service.batches.get(id)?.outputFileId).toBeNull();
    held.release(2);
    const running = await countsReach(service, id, 2);
    expect(running.status).toBe("in_progress");
    const file = service.files.get(running.outputFileId ?? "");
    const content = await readContent(service.files.read(file?.id ?? ""));
    expect(content.split("\n")).toHaveLength(3);
    expect(file).toMatchObject({ bytes: Buffer.byteLength(content), sha256: null });
    held.release();
  });

  test("keeps to the engine's concurrency, over all batches, and serves them in turn", async () => {
    const held = createManualEngine(4);
    const service = await openTestService({ engine: held });
    const [a, b] = [await service.submit(fileOf(20)), await service.submit(fileOf(20))];
    const order: (string | undefined)[] = [];
    await expect.poll(() => service.batches.get(b.id)?.status).toBe("in_progress");
    await held.arrived(4);
    for (let line = 0; line < 40; line++) {
      expect(held.waiting.length).toBeLessThanOrEqual(4);
      order.push(held.waiting[0]?.line?.batchId);
      held.release(1);
      await held.arrived(Math.min(4, 39 - line));
    }
    await Promise.all([service.batches.settled(a.id), service.batches.settled(b.id)]);
    const middle = order.slice(10, 30).filter((id) => id === a.id).length;
    expect(middle).toBeGreaterThanOrEqual(8);
    expect(middle).toBeLessThanOrEqual(12);
  });

  test("goes on beside another whose engine call takes long", async () => {
    const slow = Promise.withResolvers<void>();
    const engine = createTestEngine(async (call) => {
      if (call.line?.customId === "slow") await slow.promise;
      return replyTo(call);
    }, 2);
    const service = await openTestService({ engine });
    const waiting = await service.submit(toJsonl([requestLine("slow", "?")]));
    expect((await service.run(fileOf(30))).status).toBe("completed");
    expect(service.batches.get(waiting.id)?.status).toBe("in_progress");
    slow.resolve();
    expect((await service.batches.settled(waiting.id)).status).toBe("completed");
  });
});

describe("an input file that does not validate", () => {
  test("fails the batch with all its problems, and no line runs", async () => {
    let calls = 0;
    const engine = createTestEngine((call) => {
      calls += 1;
      return replyTo(call);
    });
    const service = await openTestService({ engine });
    const batch = await service.run(toJsonl([requestLine("a", "?"), "{", requestLine("a", "?", { method: "GET" })]));
    expect(batch.status).toBe("failed");
    expect(batch.times.failed).toBe(service.clock.now());
    expect(batch.counts).toEqual({ total: 0, completed: 0, failed: 0 });
    expect(batch.problems.map(({ line, code }) => [line, code])).toEqual([
      [2, "invalid_json_line"],
      [3, "duplicate_custom_id"],
      [3, "invalid_method"],
    ]);
    expect([batch.outputFileId, batch.errorFileId, calls]).toEqual([null, null, 0]);
  });
});

describe("failures of the engine", () => {
  test("an HTTP error goes to the error file with its status and body", async () => {
    const body = { error: { message: "Slow down.", type: "rate_limit", param: null, code: "rate_limit_exceeded" } };
    const engine = createTestEngine((call) => {
      return call.line?.number === 2 ? { statusCode: 429, body } : replyTo(call);
    });
    const service = await openTestService({ engine });
    const batch = await service.run(fileOf(3));
    expect(batch.counts).toEqual({ total: 3, completed: 2, failed: 1 });
    expect(await service.lines(batch.errorFileId)).toEqual([
      expect.objectContaining({
        custom_id: "q-2",
        response: { status_code: 429, request_id: expect.stringMatching(/^req_/), body },
        error: null,
      }),
    ]);
    expect(sortedIds(await service.lines(batch.outputFileId))).toEqual(["q-1", "q-3"]);
  });

  test("one that breaks its promise gives an error of status 500, without internals", async () => {
    const engine = createTestEngine((call) => {
      if (call.line?.number === 1) throw new Error("secret internals");
      return replyTo(call);
    });
    const service = await openTestService({ engine });
    const batch = await service.run(fileOf(2));
    expect(batch.status).toBe("completed");
    const [line] = await service.lines(batch.errorFileId);
    expect(line).toMatchObject({ response: { status_code: 500, body: { error: { code: "internal_error" } } } });
    expect(JSON.stringify(line)).not.toContain("secret");
  });

  test("when every line fails the batch is completed, with an error file and no output file", async () => {
    const body = { error: { message: "No.", type: "server_error", param: null, code: null } };
    const service = await openTestService({ engine: createTestEngine(() => ({ statusCode: 503, body })) });
    const batch = await service.run(fileOf(5));
    expect(batch).toMatchObject({ status: "completed", outputFileId: null, counts: { completed: 0, failed: 5 } });
    expect(await service.lines(batch.errorFileId)).toHaveLength(5);
  });
});

describe("lists", () => {
  test("come with the newest first, page by page", async () => {
    const service = await openTestService();
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await service.submit(fileOf(1))).id);
    const first = service.batches.list({ limit: 2 });
    const second = service.batches.list({ limit: 3, after: first.batches[1]?.id ?? "" });
    expect([...first.batches, ...second.batches].map(({ id }) => id)).toEqual(made);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect(service.batches.list({ limit: 0 })).toEqual({ batches: [], hasMore: true });
    expect(() => service.batches.list({ limit: 1, after: "batch_none" })).toThrow("No such batch");
  });
});

test("progress tells the rate, the time left and the throughput", async () => {
  const held = createManualEngine(10);
  const service = await openTestService({ engine: held });
  const { id } = await service.submit(fileOf(100));
  await held.arrived(10);
  expect(service.batches.progress(id)).toEqual({ rate: null, timeLeft: null, throughput: [0] });
  for (let second = 1; second <= 4; second++) {
    await service.clock.advance(1_000);
    held.release(10);
    await countsReach(service, id, second * 10);
    // The next lines are handed out a moment after the answers are counted.
    await held.arrived(10);
  }
  await service.clock.advance(500);
  const { rate, timeLeft, throughput } = service.batches.progress(id);
  // Ten calls are in flight, half a second of their second has passed.
  expect(rate).toBeCloseTo(10, 5);
  expect(timeLeft).toBeCloseTo(5_500, 5);
  expect(throughput).toEqual([0, 10, 10, 10]);

  await service.batches.cancel(id);
  held.release();
  await service.batches.settled(id);
  expect(service.batches.progress(id)).toMatchObject({ rate: expect.closeTo(50 / 4.5), timeLeft: null });
});

/** Resolves with the batch when that many of its lines have been answered. */
async function countsReach({ batches }: Service, id: string, completed: number): Promise<BatchRecord> {
  for (;;) {
    const batch = batches.get(id);
    if (batch !== undefined && batch.counts.completed >= completed) return batch;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
