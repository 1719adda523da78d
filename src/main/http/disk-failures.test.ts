import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { finalStatuses } from "#contract";
import { createSilentLogger } from "../base/logger.ts";
import type { EngineReply } from "../base/ports.ts";
import {
  createFakeMachine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  replyTo,
} from "../service/testing/index.ts";
import { type DiskCall, injectDiskFaults } from "../storage/io/testing/inject-disk-faults.ts";
import { createHttpApp } from "./app.ts";

const key = "sk-sheaf-test-0123456789abcdef";
const chat = { endpoint: "/v1/chat/completions", completion_window: "24h" };

/** A service over HTTP in a folder of its own, whose disk fails as the test has it, and whose lines the test answers. */
async function setUp() {
  const dataDir = await makeTempDir();
  const machine = createFakeMachine();
  const asked: string[] = [];
  const held: (() => void)[] = [];
  let isHeld = true;
  const engine = createTestEngine((call) => {
    asked.push(call.line?.customId ?? "");
    const reply = Promise.withResolvers<EngineReply>();
    const answer = () => reply.resolve(replyTo(call));
    if (isHeld) held.push(answer);
    else answer();
    return reply.promise;
  }, 2);
  let decide: (call: DiskCall) => string | null = () => null;
  const putBack = await injectDiskFaults((call) => (call.path.startsWith(dataDir) ? decide(call) : null));
  const log: string[] = [];
  const note = (message: string) => void log.push(message);
  const logger = { ...createSilentLogger(), warn: note, error: note };
  const service = await openTestService({ dataDir, machine, engine, logger });
  const app = createHttpApp({ service, apiKey: key });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(async () => {
    putBack();
    await app.close();
  });

  async function send(path: string, body?: object | FormData, method = body === undefined ? "GET" : "POST") {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { "content-type": "application/json" }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, retryAfter: response.headers.get("retry-after"), json: await response.json() };
  }
  return {
    dataDir,
    machine,
    service,
    log,
    asked,
    send,
    upload() {
      const form = new FormData();
      form.append("purpose", "batch");
      form.append("file", new Blob([fileOf(3)]), "in.jsonl");
      return send("/v1/files", form);
    },
    fail(how: typeof decide) {
      decide = how;
    },
    /** Answers what is asked, now and from now on. */
    answerAll() {
      isHeld = false;
      for (const answer of held.splice(0)) answer();
    },
    /** Lets time pass until something is so. */
    async pass(isThere: () => boolean) {
      await vi.waitFor(async () => {
        if (!isThere()) await machine.advance(1_000);
        expect(isThere()).toBe(true);
      }, 20_000);
    },
  };
}

const writes = ["write", "fsync", "fdatasync"];

test.each([
  ["ENOSPC", writes, "disk_full", 507, "Disk full"],
  ["ENOSPC", ["fdatasync"], "disk_full", 507, "Disk full"],
  ["EDQUOT", writes, "disk_full", 507, "Disk full"],
  ["EIO", writes, "disk_failed", 503, "The disk fails"],
  ["EROFS", ["open", ...writes], "disk_failed", 503, "can’t be written"],
  ["EACCES", ["open", "rename", ...writes], "disk_failed", 503, "can’t be written"],
  ["EMFILE", ["open"], "too_many_open_files", 503, "Too many open files"],
])(
  "%s is waited for and shown, costs no answer and no file, and passes by itself",
  async (code, calls, word, status, sentence) => {
    const { machine, service, log, asked, send, upload, fail, answerAll, pass } = await setUp();
    const { id } = await service.submit(fileOf(6));
    await pass(() => asked.length === 2);
    fail(({ name }) => (calls.includes(name) ? code : null));
    // What is open already can be written without another handle: the first to meet it is an upload.
    expect(await upload()).toMatchObject({ status, json: { error: { code: word } } });
    answerAll();
    await pass(() => service.batches.get(id)?.waiting?.includes(sentence) === true);
    expect(await send("/health")).toMatchObject({ status: 200, json: { status: "degraded", codes: [word] } });

    const before = asked.length;
    const refused = await upload();
    expect(refused).toMatchObject({
      status,
      json: { error: { code: word, message: expect.stringContaining(sentence) } },
    });
    expect(refused.retryAfter).toBe("1");
    if (code === "ENOSPC" || code === "EIO") {
      const { inputFileId } = service.batches.get(id) ?? {};
      const created = await send("/v1/batches", { input_file_id: inputFileId, ...chat });
      expect(created).toMatchObject({ status: 503, json: { error: { code: word } } });
    }
    await machine.advance(10_000);
    expect(asked).toHaveLength(before);
    expect(service.batches.list({ limit: 10 }).batches).toHaveLength(1);
    expect(service.batches.get(id)).toMatchObject({ status: "in_progress", problems: [] });

    fail(() => null);
    await pass(() => finalStatuses.has(service.batches.get(id)?.status ?? "validating"));
    const { status: final, waiting, counts, outputFileId } = service.batches.get(id) ?? {};
    expect({ final, waiting, counts }).toEqual({
      final: "completed",
      waiting: null,
      counts: { total: 6, completed: 6, failed: 0 },
    });
    expect(asked.toSorted()).toEqual(["q-1", "q-2", "q-3", "q-4", "q-5", "q-6"]);
    expect(await service.lines(outputFileId ?? null)).toHaveLength(6);
    await pass(() => service.readHealth().length === 0);
    expect(await upload()).toMatchObject({ status: 200 });
    expect(log).toEqual(["The disk refuses"]);
    await machine.advance(60_000);
    expect(log).toEqual(["The disk refuses", "The disk works again"]);
  },
);

test("a file that can't be opened now fails no batch: it is checked once it can", async () => {
  const { service, send, upload, fail, answerAll, pass } = await setUp();
  answerAll();
  const { json } = await upload();
  const input = (json as { id: string }).id;
  fail(({ name, path }) => (name === "open" && path.endsWith(input) ? "EMFILE" : null));
  const { json: batch } = await send("/v1/batches", { input_file_id: input, ...chat });
  const { id } = batch as { id: string };
  await pass(() => service.batches.get(id)?.waiting?.includes("Too many open files") === true);
  fail(() => null);
  await pass(() => service.batches.get(id)?.status === "completed");
  expect(service.batches.get(id)?.counts).toEqual({ total: 3, completed: 3, failed: 0 });
});

test("a cancel on a full disk stops the batch at once, and is written into the room that is kept for it", async () => {
  const { dataDir, machine, service, asked, send, fail, answerAll, pass } = await setUp();
  const { id } = await service.submit(fileOf(6));
  await pass(() => asked.length === 2);
  const reserve = join(dataDir, "reserve");
  const isFull = ({ name, path }: DiskCall) => name === "write" && (existsSync(reserve) || path.includes("reserve"));
  fail((call) => (isFull(call) ? "ENOSPC" : null));
  expect(await send(`/v1/batches/${id}/cancel`, {})).toMatchObject({ status: 200, json: { status: "cancelling" } });
  answerAll();
  fail(() => null);
  await pass(() => service.batches.get(id)?.status === "cancelled");
  expect([asked.length, service.batches.get(id)?.counts.completed]).toEqual([2, 2]);
  await pass(() => service.readHealth().length === 0);
  await machine.advance(2_000);
  expect((await readdir(dataDir)).filter((name) => name.startsWith("reserve"))).toEqual(["reserve"]);
});

test("a cancel that can't be written for five seconds is answered so; nothing more is sent, and it is written later", async () => {
  const { machine, service, asked, send, fail, answerAll, pass } = await setUp();
  const { id } = await service.submit(fileOf(6));
  await pass(() => asked.length === 2);
  fail(({ name }) => (name === "write" ? "ENOSPC" : null));
  let isAnswered = false;
  const answer = send(`/v1/batches/${id}/cancel`, {}).finally(() => {
    isAnswered = true;
  });
  await pass(() => isAnswered);
  expect(await answer).toMatchObject({ status: 503, json: { error: { code: "disk_full" } } });
  answerAll();
  await machine.advance(10_000);
  expect([asked.length, service.batches.get(id)?.status]).toEqual([2, "in_progress"]);
  fail(() => null);
  await pass(() => service.batches.get(id)?.status === "cancelled");
  expect([asked.length, service.batches.get(id)?.counts.completed]).toEqual([2, 2]);
  expect(await send(`/v1/batches/${id}/cancel`, {})).toMatchObject({ status: 200, json: { status: "cancelled" } });
});

test("a cancel is answered after five seconds, too, where the window has ended and the disk takes no end", async () => {
  const { service, asked, send, fail, pass } = await setUp();
  const { id } = await service.submit(fileOf(6));
  await pass(() => asked.length === 2);
  fail(({ name }) => (name === "write" ? "ENOSPC" : null));
  const passing = service.clock.advance(24 * 60 * 60_000);
  await pass(() => service.batches.get(id)?.endedBy === "expiry");
  let isAnswered = false;
  const answer = send(`/v1/batches/${id}/cancel`, {}).finally(() => {
    isAnswered = true;
  });
  await pass(() => isAnswered);
  expect(await answer).toMatchObject({ status: 503, json: { error: { code: "disk_full" } } });
  fail(() => null);
  await pass(() => service.batches.get(id)?.status === "expired");
  await passing;
});
