import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { createORPCClient, isDefinedError, safe } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import { parse as parseCsv } from "csv-parse/sync";
import { afterEach, describe, expect, it } from "vitest";
import type { BatchView, RequestTemplate } from "#contract";
import {
  type AppFixture,
  connectPort,
  examplesFolder,
  openApp,
  type RpcClient,
  upload,
} from "./testing/app-fixture.ts";

const opened: AppFixture[] = [];
afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

async function open(...options: Parameters<typeof openApp>): Promise<AppFixture> {
  const fixture = await openApp(...options);
  opened.push(fixture);
  return fixture;
}

const template: RequestTemplate = {
  messages: [
    { role: "system", content: "Answer with a number." },
    { role: "user", content: "{{ question }}" },
  ],
  connectionId: null,
  model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
  temperature: 0,
  maxCompletionTokens: 200,
  customId: "{{ id }}",
};

async function submitExample(client: RpcClient, name = "Two hundred"): Promise<string> {
  const source = await client.sources.example({ name: "gsm8k-200" });
  for await (const event of await client.build.submit({ sourceId: source.id, template, name })) {
    if (event.phase === "submitted") return event.batchId;
  }
  throw new Error("It was not submitted.");
}

async function waitFor(changes: AsyncIterable<BatchView>, id: string, status: BatchView["status"]): Promise<BatchView> {
  for await (const batch of changes) if (batch.id === id && batch.status === status) return batch;
  throw new Error("The changes ended.");
}

describe("the whole job over a MessagePort", () => {
  it("goes from a dropped file to an exported answer for each of its rows", async () => {
    const saved: string[] = [];
    const saveFile = async (suggested: string) => {
      saved.push(suggested);
      return join(fixture.dataDir, "saved.jsonl");
    };
    const fixture = await open({ host: { kind: "electron", saveFile } });
    const { client } = connectPort(fixture.app);
    expect(await client.app.info()).toEqual({
      version: "0.0.0-test",
      host: "electron",
      engine: expect.stringContaining("mock"),
      isMock: true,
      hasBatches: false,
      versions: { node: process.versions.node, electron: null, chromium: null },
    });
    const content = Buffer.from(await readFile(join(examplesFolder, "gsm8k-1319.jsonl")));
    const source = await upload(client, content, "questions.jsonl");
    expect(source).toMatchObject({ rowCount: 1319, columns: ["id", "question", "answer"] });
    const draft = await client.drafts.create({ name: "Grade school" });
    await client.drafts.save({ ...draft, sourceId: source.id, template });
    const input = { sourceId: source.id, template };
    const preview = await client.build.preview({ ...input, row: 1319 });
    expect(JSON.parse(preview.request ?? "").body.messages).toHaveLength(2);
    const checks = await Array.fromAsync(await client.build.check(input));
    expect(checks.at(-1)).toMatchObject({ finished: true, done: 1319, errorCount: 0 });

    const changes = await client.batches.watch();
    const events = await Array.fromAsync(await client.build.submit({ ...input, name: "Grade school" }));
    const last = events.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    const done = await waitFor(changes, last.batchId, "completed");
    expect(done).toMatchObject({ name: "Grade school", counts: { total: 1319, completed: 1319, failed: 0 } });
    expect(done.models).toEqual([template.model]);

    const page = await client.results.page({ batchId: done.id, offset: 1310, limit: 50 });
    expect(page.total).toBe(1319);
    expect(page.rows.map(({ line }) => line)).toEqual([1311, 1312, 1313, 1314, 1315, 1316, 1317, 1318, 1319]);
    const detail = await client.results.line({ batchId: done.id, line: 1319 });
    expect(detail).toMatchObject({ customId: "gsm8k-1319", state: "answered", model: template.model });

    const results = await client.exports.begin({ what: "results", batchId: done.id });
    expect(results).toEqual({
      how: "saved",
      id: expect.any(String),
      path: join(fixture.dataDir, "saved.jsonl"),
      lines: 1319,
    });
    const lines = (await readFile(join(fixture.dataDir, "saved.jsonl"), "utf8")).trimEnd().split("\n");
    const ids = content
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(lines.map((line) => JSON.parse(line).custom_id)).toEqual(ids);
    const filter = { states: ["answered" as const] };
    const columns = ["custom_id", "source.question", "answer", "status"];
    const table = { what: "results" as const, batchId: done.id, format: "csv" as const, columns, filter };
    expect(await client.exports.begin(table)).toMatchObject({ how: "saved", lines: 1319 });
    const [header, ...rows] = parseCsv(await readFile(join(fixture.dataDir, "saved.jsonl"))) as string[][];
    expect(header).toEqual(["custom_id", "question", "answer", "status"]);
    const questions = content.toString("utf8").trimEnd().split("\n");
    expect(rows.map(([id, question, , status]) => [id, question, status])).toEqual(
      questions.map((line, at) => [ids[at], JSON.parse(line).question, "answered"]),
    );
    const followed = await Array.fromAsync(
      await client.exports.follow({ ...table, columns: ["line", "model", "cost"] }),
    );
    expect(followed.at(-1)).toMatchObject({ how: "saved", lines: 1319 });
    const [names, first] = parseCsv(await readFile(join(fixture.dataDir, "saved.jsonl"))) as string[][];
    expect([names, first]).toEqual([
      ["line", "model", "cost"],
      ["1", template.model, ""],
    ]);
    await client.exports.begin({ what: "input", build: input, name: "Grade school" });
    expect(saved).toEqual([
      "Grade school-results.jsonl",
      "Grade school-results.csv",
      "Grade school-results.csv",
      "Grade school.jsonl",
    ]);
    expect((await readdir(fixture.dataDir)).filter((name) => name.endsWith(".tmp"))).toEqual([]);

    expect(await client.batches.get({ id: done.id })).toMatchObject({
      id: done.id,
      problems: [],
      wire: { object: "batch", status: "completed", created_at: expect.stringMatching(/^\d+$/) },
    });
    expect((await client.batches.list({})).batches.map(({ id }) => id)).toEqual([done.id]);
    expect((await client.app.info()).hasBatches).toBe(true);
    expect(fixture.log).toEqual([]);
  });
});

describe("calls of a page", () => {
  it("are told what the user can mend in the contract's terms", async () => {
    const { app } = await open();
    const { client } = connectPort(app);
    const missing = await safe(client.sources.get({ id: "source_1" }));
    expect(isDefinedError(missing.error) && missing.error.code).toBe("NOT_FOUND");
    expect(isDefinedError(missing.error) && missing.error.data.message).toContain("Add it again");
    const batch = await safe(client.batches.get({ id: "batch_1" }));
    expect(isDefinedError(batch.error) && batch.error.data).toEqual({
      message: "This batch is no longer there.",
      code: "not_found",
    });
    const unknownResults = await safe(client.results.page({ batchId: "batch_1", offset: 0, limit: 1 }));
    expect(isDefinedError(unknownResults.error) && unknownResults.error.code).toBe("NOT_FOUND");

    const { id } = await client.sources.begin({ name: "a.csv" });
    const early = await safe(client.sources.append({ id, offset: 5, chunk: new Blob(["x"]) }));
    expect(isDefinedError(early.error) && early.error.code).toBe("CONFLICT");
    await client.sources.append({ id, offset: 0, chunk: new Blob(["PK\x03\x04"]) });
    const refused = await safe(Array.fromAsync(await client.sources.finish({ id })));
    expect(isDefinedError(refused.error)).toBe(true);
    expect(refused.error).toMatchObject({ code: "REFUSED" });
  });

  it("are told of a refusal that comes in the middle of a stream", async () => {
    const { app } = await open();
    const { client } = connectPort(app);
    const source = await upload(client, Buffer.from("id,question\na,Why?\na,How?\n"), "twice.csv");
    const events = await client.build.submit({ sourceId: source.id, template, name: "Twice" });
    const outcome = await safe(Array.fromAsync(events));
    expect(isDefinedError(outcome.error)).toBe(true);
    expect(outcome.error).toMatchObject({
      code: "REFUSED",
      data: { message: expect.stringContaining("1 problem keeps this batch from running") },
    });
  });

  it("are refused where the input is not what the contract says", async () => {
    const { app } = await open();
    const { client } = connectPort(app);
    await expect(client.batches.list({ limit: 0 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const large = new Blob([new Uint8Array(1024 * 1024 + 1)]);
    const { id } = await client.sources.begin({ name: "a.csv" });
    await expect(client.sources.append({ id, offset: 0, chunk: large })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("are told nothing of a fault but the id under which the log has it", async () => {
    const saveFile = () => Promise.reject(new Error("secret internals at /home/user"));
    const fixture = await open({ host: { kind: "electron", saveFile } });
    const { client } = connectPort(fixture.app);
    const source = await client.sources.example({ name: "gsm8k-200" });
    const outcome = await safe(
      client.exports.begin({ what: "input", build: { sourceId: source.id, template }, name: "x" }),
    );
    expect(outcome.error).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
    expect(JSON.stringify(outcome.error)).not.toContain("secret");
    const requestId = /req_\w+/.exec(outcome.error?.message ?? "")?.[0];
    expect(fixture.log).toMatchObject([{ fields: { requestId, procedure: "exports.begin" } }]);
  });

  it("write no export where it can't be written, and say so", async () => {
    const places = ["/nowhere/at/all.jsonl", `/tmp/${"long".repeat(100)}.jsonl`];
    const fixture = await open({ host: { kind: "electron", saveFile: async () => places[0] ?? "" } });
    const { client } = connectPort(fixture.app);
    const source = await client.sources.example({ name: "gsm8k-200" });
    const request = { what: "input", build: { sourceId: source.id, template }, name: "x" } as const;
    for (; places.length > 0; places.shift()) {
      await expect(client.exports.begin(request)).rejects.toMatchObject({
        code: "REFUSED",
        data: { message: expect.stringContaining("Choose another place") },
      });
    }
    expect(fixture.log).toEqual([]);
  });

  it("know that a save was given up", async () => {
    const fixture = await open({ host: { kind: "electron", saveFile: async () => null } });
    const { client } = connectPort(fixture.app);
    const source = await client.sources.example({ name: "gsm8k-200" });
    const request = { what: "input", build: { sourceId: source.id, template }, name: "x" } as const;
    expect(await client.exports.begin(request)).toEqual({ how: "cancelled" });
  });
});

describe("a page that sends nonsense", () => {
  it("gets no answer to it, and is answered otherwise", async () => {
    const fixture = await open();
    const { port1, port2 } = new MessageChannel();
    fixture.app.connectPort(port1);
    const nonsense = ["garbage", '{"i":"1","t":9}', '{"i":"2","p":{}}', '{"i":"3","p":{"u":5}}', { a: 1 }, 5, null];
    for (const message of [...nonsense, new Uint8Array([1, 2, 3]), new ArrayBuffer(4)]) port2.postMessage(message);
    const client: RpcClient = createORPCClient(new RPCLink({ port: port2 }));
    port2.start();
    expect((await client.app.info()).host).toBe("browser");
    expect(fixture.log.every(({ message }) => message === "rpc message not understood")).toBe(true);
    expect(fixture.log.length).toBeGreaterThanOrEqual(5);
  });

  it("reaches nothing that is not in the contract", async () => {
    const { app } = await open();
    const { client } = connectPort(app);
    const unknown: unknown = Reflect.get(Reflect.get(client, "app"), "quit");
    if (typeof unknown !== "function") throw new Error("A client has every name.");
    await expect(unknown()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("changes of batches", () => {
  it("reach every page, and a page that comes later misses nothing from then on", async () => {
    const { app } = await open();
    const [first, second] = [connectPort(app).client, connectPort(app).client];
    const [firstChanges, secondChanges] = [await first.batches.watch(), await second.batches.watch()];
    const id = await submitExample(first);
    const views = await Promise.all([waitFor(firstChanges, id, "completed"), waitFor(secondChanges, id, "completed")]);
    expect(views[0]).toEqual(views[1]);
  });

  it("are not listened for any more when the page goes, or stops listening", async () => {
    let listeners = 0;
    let changed = Promise.withResolvers<void>();
    const count = (by: number) => {
      listeners += by;
      changed.resolve();
      changed = Promise.withResolvers();
    };
    const { app, log } = await open({
      wrap: (service) => ({
        ...service,
        batches: {
          ...service.batches,
          subscribe: (listener) => {
            const stop = service.batches.subscribe(listener);
            count(1);
            return () => {
              stop();
              count(-1);
            };
          },
        },
      }),
    });
    const untilListeners = async (wanted: number) => {
      while (listeners !== wanted) await changed.promise;
    };
    const page = connectPort(app);
    const [, second] = [await page.client.batches.watch(), await page.client.batches.watch()];
    await untilListeners(2);
    await second.return(undefined);
    await untilListeners(1);
    page.leave();
    await untilListeners(0);
    await app.close();
    expect(listeners).toBe(0);
    expect(log).toEqual([]);
  });
});

describe("a batch that runs", () => {
  it("is cancelled, and keeps what was answered", async () => {
    const { app } = await open({ pace: 20 });
    const { client } = connectPort(app);
    const [start, end] = [await client.batches.watch(), await client.batches.watch()];
    const id = await submitExample(client);
    await waitFor(start, id, "in_progress");
    expect((await client.batches.cancel({ id })).status).toBe("cancelling");
    const cancelled = await waitFor(end, id, "cancelled");
    expect(cancelled.counts.completed).toBeLessThan(200);
    const again = await safe(client.batches.cancel({ id }));
    expect(again.error).toBeNull();
    const outcome = await client.exports.begin({ what: "results", batchId: id });
    if (outcome.how !== "link") throw new Error("There is no link.");
    const file = app.takeExport(outcome.href.replace("/exports/", ""));
    expect(file?.fileName).toBe("Two hundred-results.jsonl");
    expect(existsSync(file?.path ?? "")).toBe(true);
    expect(app.takeExport(outcome.href.replace("/exports/", ""))).toBeNull();
  });
});
