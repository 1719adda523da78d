import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openHttpApp } from "#main/http";
import type { Service } from "#main/service";
import { type AnthropicService, startAnthropicService } from "./testing/anthropic-service.ts";
import { type ChatService, startChatService } from "./testing/chat-service.ts";
import { createTestFolder, submitQuestions as submit, type TestFolder, until } from "./testing/open-service.ts";
import { startOpenaiService } from "./testing/openai-service.ts";
import type { Reply } from "./testing/stand-in.ts";

const key = "sk-0123456789abcdef";
let folder: TestFolder;
let anthropic: AnthropicService;
let chat: ChatService;

beforeAll(async () => {
  folder = await createTestFolder();
  anthropic = await startAnthropicService(key);
  chat = await startChatService(key);
});
afterAll(async () => {
  await Promise.all([anthropic.close(), chat.close()]);
  await folder.remove();
});

async function open(): Promise<Service & { stop(): Promise<void> }> {
  const service = await folder.open();
  onTestFinished(service.stop);
  return service;
}

describe("a batch on a connection", () => {
  it("to a chat server is answered line by line, waits while its key is refused, and goes on when it is changed", async () => {
    // A line that fails has its time.
    const ahead = await createTestFolder(120_000, 1_000);
    onTestFinished(ahead.remove);
    const about = { name: "Chat", adapter: "chat", preset: null, url: `${chat.url}/v1`, concurrency: 4 } as const;
    const connection = await ahead.store.save(about, "sk-wrong");
    const service = await ahead.open();
    const { id } = await submit(service, connection.id, ["a", "b", "poison", "insult", "c"]);
    await until(() => service.batches.get(id)?.waiting != null);
    expect(service.batches.get(id)?.waiting).toBe(
      "Chat refused the key. Enter the key again in Settings → Connections.",
    );
    expect(service.batches.get(id)?.counts).toEqual({ total: 5, completed: 0, failed: 0 });
    await ahead.store.save(connection, key);
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ status: "completed", waiting: null, counts: { total: 5, completed: 3, failed: 2 } });
    expect((await service.results.line(id, 1)).answer).toBe("You said a");
    // A key is not refused by a 403 to one request among answers to others.
    expect((await service.results.line(id, 4)).rawResponse).toContain("Your input was flagged.");
    await service.stop();
  });

  it("goes on after the app was closed in the middle, and asks again at most what was in flight", async () => {
    chat.asked.length = 0;
    const connection = await folder.store.save(
      { name: "Chat", adapter: "chat", preset: null, url: `${chat.url}/v1`, concurrency: 4 },
      key,
    );
    const questions = Array.from({ length: 60 }, (_, at) => `question ${at}`);
    const first = await open();
    const { id } = await submit(first, connection.id, questions);
    await until(() => (first.batches.get(id)?.counts.completed ?? 0) >= 10);
    await first.stop();
    const second = await open();
    const done = await second.batches.settled(id);
    expect(done.counts).toEqual({ total: 60, completed: 60, failed: 0 });
    expect(chat.asked.length).toBeLessThanOrEqual(60 + 4);
    await second.stop();
  });

  it("to a batch service is created there once, also when the app is closed, and ends in the same files", async () => {
    const connection = await folder.store.save(
      { name: "Claude", adapter: "anthropic-batch", preset: "anthropic", url: anthropic.url },
      key,
    );
    const first = await open();
    const { id } = await submit(first, connection.id, ["a", "b", "c"]);
    await until(() => anthropic.batches.length === 1);
    await first.stop();
    anthropic.end((customId) => (customId === "q-2" ? { type: "expired" } : undefined));
    const second = await open();
    const done = await second.batches.settled(id);
    expect(anthropic.batches).toHaveLength(1);
    // Lines that expired at the service are not done here.
    expect(done).toMatchObject({ status: "expired", counts: { total: 3, completed: 2, failed: 0 } });
    expect(done.remote?.[0]).toMatchObject({ rawStatus: "ended", isFetched: true });
    const { rows } = await second.results.page(id, 0, 10);
    expect(rows.map(({ state }) => state)).toEqual(["answered", "skipped", "answered"]);
    await second.stop();
  });

  it("fails before anything is sent when the service can't do what a request asks, with its line", async () => {
    const connection = await folder.store.find("Claude");
    const service = await open();
    const before = anthropic.batches.length;
    const body = { model: "m", max_tokens: 9, seed: 7, messages: [{ role: "user", content: "x" }] };
    const line = JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/chat/completions", body });
    const pending = await service.files.receive(
      (async function* () {
        yield Buffer.from(line);
      })(),
    );
    const { id: inputFileId } = await pending.store({ filename: "input.jsonl", purpose: "batch" });
    const { id } = await service.batches.create({
      inputFileId,
      endpoint: "/v1/chat/completions",
      completionWindow: "24h",
      connection: connection?.id ?? "",
    });
    const failed = await service.batches.settled(id);
    expect(failed.status).toBe("failed");
    expect(failed.problems).toMatchObject([
      { param: "body.seed", line: 1, message: "This service has no parameter seed." },
    ]);
    expect(anthropic.batches).toHaveLength(before);
    await service.stop();
  });

  it("that is cancelled is cancelled there, keeps what was answered, and is neither shown nor touched by /v1", async () => {
    const connection = await folder.store.find("Claude");
    const service = await open();
    const app = await openHttpApp({ service, apiKey: "sk-local-sheaf" });
    const headers = { authorization: "Bearer sk-local-sheaf" };
    const upload = await service.files.receive(Readable.from([Buffer.from("{}")]), {
      connection: connection?.id ?? "",
    });
    const { id: unused } = await upload.store({ filename: "input.jsonl", purpose: "batch" });
    for (const url of [`/v1/files/${unused}`, `/v1/files/${unused}/content`]) {
      expect((await app.inject({ url, headers })).statusCode).toBe(404);
    }
    const payload = { input_file_id: unused, endpoint: "/v1/chat/completions", completion_window: "24h" };
    expect((await app.inject({ method: "POST", url: "/v1/batches", headers, payload })).statusCode).toBe(404);
    expect((await app.inject({ url: "/v1/files", headers })).json().data).toEqual([]);
    const { id, inputFileId } = await submit(service, connection?.id ?? "", ["a", "b"]);
    await until(() => service.batches.get(id)?.remote?.[0]?.batchId != null);
    const ask = async (method: "GET" | "POST" | "DELETE", url: string) =>
      (await app.inject({ method, url, headers })).statusCode;
    expect(await ask("GET", `/v1/batches/${id}`)).toBe(404);
    expect(await ask("POST", `/v1/batches/${id}/cancel`)).toBe(404);
    expect(await ask("GET", `/v1/files/${inputFileId}`)).toBe(404);
    expect(await ask("DELETE", `/v1/files/${inputFileId}`)).toBe(404);
    expect((await app.inject({ url: "/v1/batches", headers })).json().data).toEqual([]);
    await app.close();

    await service.batches.cancel(id);
    await until(() => anthropic.received.some(({ path }) => path.endsWith("/cancel")));
    anthropic.end((customId) => (customId === "q-2" ? { type: "canceled" } : undefined));
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ status: "cancelled", counts: { total: 2, completed: 1, failed: 0 } });
    await service.stop();
  });
});

describe("a batch at a service that takes direct calls, too", () => {
  it("is cancelled at its deadline, keeps what was answered, also when the app is closed meanwhile, and asks the rest directly", async () => {
    const remote = await startOpenaiService("openai", key);
    onTestFinished(() => remote.close());
    const { id: connection } = await folder.store.save(
      { name: "OpenAI", adapter: "openai-batch", preset: "openai", url: remote.url },
      key,
    );
    const first = await open();
    const { id } = await submit(first, connection, ["a", "b", "c"]);
    await until(() => first.batches.get(id)?.remote?.[0]?.batchId != null);
    remote.holdCancelled(["q-1"]);
    // The service can't be reached for the cancel before the app is closed.
    const repairs = remote.breakDown({ status: 503, body: {} });
    first.batches.setDeadline(id, folder.machine.wall() + 20);
    await until(() => first.batches.get(id)?.status === "cancelling");
    await first.stop();
    repairs();
    const second = await open();
    const done = await second.batches.settled(id);
    expect(done).toMatchObject({ status: "cancelled", counts: { total: 3, completed: 1, failed: 0 } });
    await until(() => second.batches.get(id)?.notice != null);
    expect(second.batches.get(id)?.notice).toContain("The rest is sent directly");
    const rest = second.batches.list({ limit: 1 }).batches[0];
    expect(rest).toMatchObject({ link: { kind: "retry", root: id }, direct: true });
    const asked = await second.batches.settled(rest?.id ?? "");
    expect(asked).toMatchObject({ status: "completed", counts: { total: 2, completed: 2, failed: 0 }, remote: null });
    expect(remote.batches).toHaveLength(1);
    const { learned } = (await folder.store.find(connection)) ?? {};
    expect(learned).toMatchObject({ cancelKeepsResults: true, keepsMetadata: true, hasCounts: null });
    await second.stop();
  });

  it("whose results repeat lines, lack one and have one of a stranger: each line counts once, and the first answer stays", async () => {
    const remote = await startOpenaiService("openai", key);
    onTestFinished(() => remote.close());
    const about = { name: "Repeats", adapter: "openai-batch", preset: "openai", url: remote.url } as const;
    const { id: connection } = await folder.store.save(about, key);
    const service = await open();
    const ids = Array.from({ length: 200 }, (_, at) => `q-${at + 1}`);
    const { id } = await submit(service, connection, ids);
    await until(() => remote.batches.length === 1);
    const answer = (custom_id: string, content: string) => {
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      const body = { id: "c", object: "chat.completion", created: 1, model: "some-model", choices };
      return `${JSON.stringify({ id: "r", custom_id, response: { status_code: 200, body }, error: null })}\n`;
    };
    const answered = ids.slice(1).toReversed();
    const again = [...answered.slice(0, 40), ...answered.slice(0, 3)].map((one) => answer(one, "second"));
    const lines = [...answered.map((one) => answer(one, "first\u2028\u2029")), answer("stranger", "?"), ...again];
    remote.inject("GET", /content$/, { body: Buffer.from(lines.join("")) });
    remote.end();
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ status: "completed", counts: { total: 200, completed: 199, failed: 1 } });
    expect(done.notice).toBe(
      "The service gave different answers to 40 lines (q-200, q-199, q-198, q-197, q-196, …): the first answer of each counts. It answered 1 line (stranger) that this batch did not ask.",
    );
    const { rows } = await service.results.page(id, 0, 200);
    expect([rows[0]?.errorCode, rows[199]?.answer]).toEqual(["result_unreadable", "first\u2028\u2029"]);
  });

  it("whose results come late is done without them, asks none of them again by itself, and has them after a fetch", async () => {
    const remote = await startOpenaiService("openai", key);
    onTestFinished(() => remote.close());
    const about = { name: "Late", adapter: "openai-batch", preset: "openai", url: remote.url } as const;
    const { id: connection } = await folder.store.save(about, key);
    const service = await open();
    const { id } = await submit(service, connection, ["a", "b", "c"]);
    await until(() => remote.batches.length === 1);
    const page = { body: Buffer.from("") };
    remote.inject("GET", /content$/, ...Array(60).fill(page));
    remote.end();
    await until(() => service.batches.get(id)?.remote?.[0]?.awaited != null);
    expect(service.batches.get(id)?.status).toBe("in_progress");
    service.batches.stopWaiting(id);
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ status: "completed", counts: { total: 3, completed: 0, failed: 3, awaited: 3 } });
    expect(await service.results.left(id)).toMatchObject({ failed: 0, awaited: 3, mayBePaid: 3 });
    const before = await service.results.page(id, 0, 3);
    expect(before.rows.map(({ state, errorCode }) => [state, errorCode])).toEqual(
      Array(3).fill(["awaited", "result_awaited"]),
    );
    await expect(service.batches.retry({ id, which: ["failed"] })).rejects.toThrow(
      "No line of this batch is left that failed and may succeed now.",
    );
    await expect(service.batches.retry({ id, which: ["may_be_paid"] })).rejects.toThrow("3 lines may be paid already");
    await expect(service.batches.retry({ id, which: ["lines"], lines: [2] })).rejects.toThrow("may be paid already");
    await service.stop();

    // The answers are there after a restart, and what is read of the error file has none of the lines that they follow.
    const next = await open();
    for (let read = 0; read < 100 && next.batches.get(id)?.counts.completed !== 3; read++)
      await next.batches.fetchAgain(id);
    const batch = next.batches.get(id);
    expect(batch?.counts).toEqual({ total: 3, completed: 3, failed: 0 });
    expect(batch?.remote?.[0]?.awaited).toBeNull();
    const after = await next.results.page(id, 0, 3);
    expect(after.rows.map(({ state }) => state)).toEqual(Array(3).fill("answered"));
    const chunks = await Array.fromAsync(await next.files.read(batch?.errorFileId ?? ""));
    expect(Buffer.concat(chunks).toString()).toBe("");
    const errors = next.files.get(batch?.errorFileId ?? "");
    expect(errors && (await next.files.sizeOf(errors))).toBe(0);
    await expect(next.batches.fetchAgain(id)).rejects.toThrow("No result of this batch is awaited.");
    await next.stop();
    const last = await open();
    expect((await last.results.page(id, 0, 3)).rows.map(({ state }) => state)).toEqual(Array(3).fill("answered"));
    await last.stop();
    expect(remote.batches).toHaveLength(1);
  });

  it("whose results come late gives them to identical requests, and has them judged by the rules that judged the others", async () => {
    const remote = await startOpenaiService("openai", key);
    onTestFinished(() => remote.close());
    const about = { name: "Late, once", adapter: "openai-batch", preset: "openai", url: remote.url } as const;
    const { id: connection } = await folder.store.save(about, key);
    const service = await open();
    service.setTables({
      columns: async () => ["n"],
      columnReader: async () =>
        async function* (_column, from) {
          yield ["1", "2", "1"].slice(from - 1);
        },
    });
    const { id } = await submit(service, connection, ["one", "two", "one"], { onceIdentical: true });
    await until(() => remote.batches.length === 1);
    const answer = (custom_id: string, content: string) => {
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      const body = { id: "c", object: "chat.completion", created: 1, model: "some-model", choices };
      return `${JSON.stringify({ id: "r", custom_id, response: { status_code: 200, body }, error: null })}\n`;
    };
    const [one, two] = [answer("q-1", "It is 1."), answer("q-2", "It is 2.")];
    let content = two;
    remote.inject("GET", /content$/, ...Array<Reply>(1_000).fill((response) => void response.end(content)));
    remote.end();
    await until(() => service.batches.get(id)?.remote?.[0]?.awaited != null);
    service.batches.stopWaiting(id);
    const done = await service.batches.settled(id);
    expect(done.counts).toMatchObject({ total: 3, completed: 1, failed: 2, awaited: 2 });
    const readColumn = async function* (_column: string, from: number) {
      yield ["1", "2", "1"].slice(from - 1);
    };
    await service.grades.start([{ batchId: id, grader: { name: "number", tolerance: 0 }, column: "n", readColumn }]);
    expect(await service.grades.settled(id)).toMatchObject({ state: "done", total: 1, done: 1 });
    const byRules = { judge: "rules", model: null, preset: "general" } as const;
    await service.verifications.start({ batchId: id, choice: byRules, document: { from: "none" }, strict: false });
    expect(await service.verifications.settled(id)).toMatchObject({ state: "done", total: 1, done: 1 });
    await service.batches.fetchAgain(id);
    expect(service.batches.get(id)?.counts).toMatchObject({ completed: 1, awaited: 2 });
    content = one + two;
    await service.batches.fetchAgain(id);
    expect(service.batches.get(id)?.counts).toEqual({ total: 3, completed: 3, failed: 0, reused: 1 });
    expect((await service.results.line(id, 3)).answer).toBe("It is 1.");
    expect(await service.grades.settled(id)).toMatchObject({
      state: "done",
      total: 3,
      done: 3,
      summary: { passed: 3 },
    });
    expect(await service.verifications.settled(id)).toMatchObject({ state: "done", total: 3, done: 3 });
    await service.stop();
  });

  it("whose deadline passes while it is checked asks all of it directly, too", async () => {
    const remote = await startOpenaiService("openai", key);
    onTestFinished(() => remote.close());
    const { id: connection } = await folder.store.save(
      { name: "OpenAI, late", adapter: "openai-batch", preset: "openai", url: remote.url },
      key,
    );
    const service = await open();
    const { id } = await submit(service, connection, ["a", "b"]);
    expect(service.batches.get(id)?.status).toBe("validating");
    service.batches.setDeadline(id, folder.machine.wall());
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ status: "cancelled", endedBy: "deadline", counts: { total: 2, completed: 0 } });
    expect(service.batches.get(id)?.notice).toContain("The rest is sent directly");
    const rest = service.batches.list({ limit: 1 }).batches[0];
    expect(rest).toMatchObject({ link: { kind: "retry", root: id }, direct: true });
    expect((await service.batches.settled(rest?.id ?? "")).counts).toEqual({ total: 2, completed: 2, failed: 0 });
    expect(remote.batches).toHaveLength(0);

    // It is not asked again, whether the retry that asked it can be restored or is gone.
    const listed = ({ batches }: Service) => batches.list({ limit: 2 }).batches.filter(({ link }) => link?.root === id);
    await service.batches.moveToDeleted(rest?.id ?? "");
    await service.stop();
    const second = await open();
    await second.batches.settled(id);
    expect(listed(second)).toEqual([]);
    const next = await second.batches.retry({ id, which: ["never_ran"], direct: true });
    expect(next.metadata.name).toMatch(/, retry 2$/);
    await second.batches.settled(next.id);
    await second.batches.purge(rest?.id ?? "");
    await second.batches.remove(next.id);
    await second.stop();
    const third = await open();
    await third.batches.settled(id);
    expect(listed(third)).toEqual([]);
    await third.stop();
  });
});
