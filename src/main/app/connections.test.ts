import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sheaf, startSheaf } from "sheaf/testing";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { allRows, type BatchView, type ConnectionView, monthOf } from "#contract";
import { createSystemMachine } from "#main/base";
import { startAnthropicService } from "../connections/testing/anthropic-service.ts";
import { type AppFixture, connectPort, openApp, type RpcClient } from "./testing/app-fixture.ts";

const model = "deepseek-ai/DeepSeek-R1";
let elsewhere: Sheaf;
let fixture: AppFixture;
let client: RpcClient;
let leave = () => {};
/** Batches that a page asked to be polled often. */
const watched: string[] = [];
beforeAll(async () => {
  elsewhere = await startSheaf();
  // Far less than the examples have: the limits of this computer apply to no connection.
  fixture = await openApp({
    fileLimits: { bytes: 1_000, requests: 10, lineBytes: 1_000 },
    wrap: (service) => ({ ...service, batches: { ...service.batches, watch: (id) => void watched.push(id) } }),
  });
  ({ client, leave } = connectPort(fixture.app));
});
afterAll(async () => {
  leave();
  await fixture.close();
  await elsewhere.stop();
});

/** A connection to the other server, as its form sends it. */
function connectionTo(name: string, adapter: ConnectionView["adapter"]) {
  return { name, adapter, preset: null, url: elsewhere.baseURL };
}

async function submitExample(connectionId: string): Promise<BatchView> {
  const source = await client.sources.example({ name: "gsm8k-200" });
  const draft = await client.drafts.create({ connectionId });
  expect(draft.template).toMatchObject({ connectionId, model: "" });
  const template = { ...draft.template, messages: [{ role: "user" as const, content: "{{ question }}" }], model };
  const changes = await client.batches.watch();
  const input = { sourceId: source.id, template, name: "Elsewhere" };
  const [planned] = await client.build.countReusable([input]);
  const last = (await Array.fromAsync(await client.build.submit(input))).at(-1);
  if (last?.phase !== "submitted") throw new Error("It was not submitted.");
  for await (const batch of changes) {
    if (batch.id !== last.batchId || batch.status !== "completed") continue;
    // It is sent in as many parts as Build showed before.
    expect(planned?.parts).toBe(batch.remote?.parts ?? null);
    return batch;
  }
  throw new Error("The changes ended.");
}

/** The first state of a run that is no longer running. */
async function endOf<R extends { readonly state: string }>(changes: AsyncIterable<R>): Promise<R> {
  for await (const run of changes) if (run.state !== "running") return run;
  throw new Error("The changes ended.");
}

it("takes a key in and never gives it back", async () => {
  const key = elsewhere.apiKey;
  const saved = await client.connections.save({ connection: connectionTo("Other", "openai-batch"), key });
  expect(saved).toMatchObject({ name: "Other", hasKey: true, unfinishedBatches: 0 });
  const reports = await Array.fromAsync(await client.connections.test({ id: saved.id }));
  expect(reports.at(-1)).toMatchObject({ works: true });
  expect(reports.length).toBeGreaterThan(3);
  expect(await client.connections.models({ id: saved.id })).toContain(model);
  const told = JSON.stringify([saved, reports, await client.connections.list()]);
  expect(told).not.toContain(key);

  await expect(client.connections.save({ connection: connectionTo("Other", "chat") })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "There is a connection called Other already.",
  });
  const moved = await client.connections.save({ connection: { ...saved, url: `${elsewhere.url}/v2` } });
  expect(moved.hasKey).toBe(false);
  await expect(client.connections.models({ id: saved.id })).rejects.toMatchObject({ code: "REFUSED" });
  await client.connections.remove({ id: saved.id });
  await expect(client.connections.models({ id: saved.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await client.connections.presets()).map(({ id }) => id)).toContain("ollama");
});

it("has the MCP endpoint of another Sheaf verify, once it is turned on there, and keeps its token to itself", async () => {
  const { id } = await client.connections.save({
    connection: { ...connectionTo("Verifies", "openai-batch"), preset: "sheaf" },
    key: elsewhere.apiKey,
  });
  const wrong = { prompt: "What is 2 + 2?", response: "2 + 2 = 5.", document: null };
  const url = `${elsewhere.url}/v1/mcp`;
  const refused = await client.connections.save({
    connection: { ...connectionTo("Refuses", "openai-batch"), preset: "sheaf" },
    key: "another key",
  });
  const unknown = { state: "unknown", message: "It can't be asked while the key is refused." };
  expect(await client.connections.mcpStatus({ id: refused.id })).toMatchObject(unknown);
  const report = (await Array.fromAsync(await client.connections.test({ id: refused.id }))).at(-1);
  expect(report?.checks.at(-1)?.message).toBe("Refuses refused the key. Enter the key again.");
  await client.connections.remove({ id: refused.id });
  expect(await client.connections.mcpStatus({ id })).toMatchObject({ state: "off", canSwitch: true, url });
  const ask = (input: object = {}) =>
    client.verifications.verifyWithConnection({ ...wrong, connectionId: id, ...input });
  await expect(ask()).rejects.toMatchObject({
    code: "REFUSED",
    message: expect.stringContaining("Turn the endpoint on"),
  });

  expect(await client.connections.mcpSetEnabled({ id, enabled: true })).toMatchObject({ state: "on", canSwitch: true });
  expect(await ask()).toMatchObject({ isHallucination: true, claims: [{ verdict: "contradicted" }] });
  const letter = { prompt: "Who?", response: "The letter has 43 pages.", document: "Ada Lovelace wrote the letter." };
  expect(await ask({ ...letter, strict: true })).toMatchObject({
    isHallucination: true,
    claims: [{ verdict: "not_found" }],
  });
  const [stored] = (await client.connections.list()).filter((one) => one.id === id);
  expect(stored).toMatchObject({ hasMcp: true, hasMcpToken: true });
  const token = await fixture.secrets.get(`connection-mcp:${id}`);
  expect(JSON.stringify([stored, fixture.log])).not.toContain(token);

  // With its MCP address and token alone it is called like any other service.
  if (stored === undefined) throw new Error("It is gone.");
  const bare = await client.connections.save({
    connection: { ...connectionTo("Bare", "chat"), url: `${elsewhere.url}/elsewhere`, mcpUrl: url },
    mcpToken: token,
  });
  expect(await client.connections.mcpStatus({ id: bare.id })).toMatchObject({ state: "on", canSwitch: false });
  expect(await ask({ connectionId: bare.id })).toMatchObject({ isHallucination: true });
  const moved = await client.connections.save({ connection: { ...bare, mcpUrl: `${elsewhere.url}/no-mcp` } });
  expect(moved.hasMcpToken).toBe(false);
  expect(await client.connections.mcpStatus({ id: bare.id })).toMatchObject({ state: "missing" });
  await expect(ask({ connectionId: bare.id })).rejects.toMatchObject({ code: "REFUSED" });

  expect(await client.connections.mcpSetEnabled({ id, enabled: false })).toMatchObject({ state: "off" });
  await expect(ask()).rejects.toMatchObject({ code: "REFUSED", message: expect.stringContaining("MCP endpoint") });
  await client.connections.remove({ id });
  await client.connections.remove({ id: bare.id });
  expect(await fixture.secrets.get(`connection-mcp:${id}`)).toBeNull();
});

it("answers batches there, and says so in them", async () => {
  const key = elsewhere.apiKey;
  const chat = await client.connections.save({
    connection: { ...connectionTo("Called", "chat"), prices: { input: 1, output: 2 } },
    key,
  });
  const limits = { lines: 80, bytes: null, tokens: null };
  const remote = await client.connections.save({
    connection: { ...connectionTo("Batched", "openai-batch"), limits },
    key,
  });
  const [called, batched] = await Promise.all([submitExample(chat.id), submitExample(remote.id)]);
  const counts = { total: 200, completed: 200, failed: 0 };
  const connection = { id: chat.id, name: "Called" };
  expect(called).toMatchObject({ counts, connection, waiting: null, remote: null, isMock: false });
  expect(batched).toMatchObject({
    counts,
    remote: { parts: 3, rawStatus: "completed", uploaded: null },
    cost: null,
    isMock: false,
  });
  const { rows } = await client.results.page({ batchId: called.id, offset: 0, limit: 200 });
  const tokens = rows.map((row) => (row.promptTokens ?? 0) + 2 * (row.completionTokens ?? 0));
  const usd = tokens.reduce((sum, own) => sum + own / 1e6, 0);
  expect(called.cost).toMatchObject({ usd: expect.closeTo(usd, 9), lines: 200, unknown: 0, isToday: false });
  // Its prices are kept: those of its connection may change.
  await client.connections.save({ connection: { ...chat, prices: { input: 2, output: 4 } } });
  expect((await client.batches.get({ id: called.id })).cost).toEqual(called.cost);

  // Its models judge and grade, too: this computer's mock has nothing but rules.
  const batchId = called.id;
  const asked = { model, connectionId: chat.id };
  const judge = { judge: "model" as const, preset: "general" as const };
  const strict = { document: { from: "none" as const }, strict: false };
  const here = client.verifications.start({ batchId, ...strict, choice: { ...judge, model } });
  await expect(here).rejects.toMatchObject({ message: expect.stringContaining("makes its answers up") });
  const runs = await client.verifications.watch();
  await client.verifications.start({ batchId, ...strict, choice: { ...judge, ...asked } });
  expect(await endOf(runs)).toMatchObject({ state: "done", done: 200, choice: asked, problem: null });
  const judged = await client.verifications.line({ batchId, line: 1 });
  expect(judged?.result.usage.total_tokens).toBeGreaterThan(0);
  const grades = await client.grades.watch();
  const grader = { name: "model" as const, ...asked, rubric: "It names a number." };
  await client.grades.start({ batchIds: [batchId], column: null, grader });
  expect(await endOf(grades)).toMatchObject({ state: "done", done: 200, grader, problem: null });
  // What they cost is in the month, at the prices of their time, whatever becomes of the verdicts.
  const month = monthOf(createSystemMachine().wall());
  const readJudged = async () => (await client.batches.costs({ month })).rows.filter(({ kind }) => kind === "judge");
  const [spent, ...others] = await readJudged();
  expect(others).toEqual([]);
  expect(spent).toMatchObject({ connection: "Called", model, answers: 400, without_price: 0 });
  expect(spent?.cost).toBeCloseTo(((spent?.prompt_tokens ?? 0) * 2 + (spent?.completion_tokens ?? 0) * 4) / 1e6, 9);
  await client.connections.save({ connection: { ...chat, prices: { input: 5, output: 5 } } });
  const gone = { ...asked, connectionId: "conn_gone" };
  const more = await client.verifications.watch();
  await client.verifications.start({ batchId, ...strict, choice: { ...judge, ...gone } });
  expect(await endOf(more)).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("Choose another one"),
  });
  expect(await readJudged()).toEqual([spent]);
  expect(await client.batches.judgeCosts({ month })).toEqual([
    { connection, answers: 400, cost: expect.objectContaining({ usd: spent?.cost, lines: 400, unknown: 0 }) },
  ]);

  await client.connections.remove({ id: remote.id });
  expect((await client.batches.get({ id: batched.id })).connection).toEqual({
    id: remote.id,
    name: batched.connection?.name,
  });
});

it("asks for a batch at its service more often when a page shows it, and by no other call", async () => {
  const { batches } = await client.batches.list({});
  const id = batches.find(({ connection }) => connection !== null)?.id ?? "";
  await client.batches.get({ id });
  expect(watched).toEqual([]);
  await client.batches.refresh({ id });
  expect(watched).toEqual([id]);
});

it("tries rows at a service whose single calls have a form of their own, as its batch would take them", async () => {
  const service = await startAnthropicService("sk-ant-0123456789");
  onTestFinished(() => service.close());
  const connection = { name: "Claude", adapter: "anthropic-batch", preset: "anthropic", url: service.url } as const;
  const { id: connectionId } = await client.connections.save({
    connection: { ...connection, prices: { input: 1, output: 2 } },
    key: "sk-ant-0123456789",
  });
  const { id: sourceId } = await client.sources.example({ name: "gsm8k-200" });
  const { id: draftId, template } = await client.drafts.create({ connectionId });
  const messages = [{ role: "user" as const, content: "{{ question }}" }];
  const rows = { take: "first" as const, count: 3 };
  const tryIt = async (maxCompletionTokens: number | null) => {
    const input = { sourceId, template: { ...template, messages, model: "large", maxCompletionTokens }, draftId, rows };
    return (await Array.fromAsync(await client.build.trial(input))).at(-1)?.rows ?? [];
  };
  const refusal = expect.stringContaining("Claude needs to be told the most tokens of an answer.");
  await expect(tryIt(null)).rejects.toMatchObject({ message: refusal });
  expect(service.received).toHaveLength(0);
  const answered = { state: "answered", answer: expect.stringContaining("answer to "), cost: (10 + 2 * 3) / 1e6 };
  expect(await tryIt(9)).toMatchObject([answered, answered, answered]);
  expect(service.received.map(({ path }) => path)).toEqual(Array(3).fill("/v1/messages"));
});

it("takes the answers of a trial along, which cost nothing again", async () => {
  const prices = { input: 1, output: 2 };
  const { id: connectionId } = await client.connections.save({
    connection: { ...connectionTo("Tried", "chat"), prices },
    key: elsewhere.apiKey,
  });
  const { id: sourceId } = await client.sources.example({ name: "gsm8k-200" });
  const { id: draftId, template } = await client.drafts.create({ connectionId });
  const messages = [{ role: "user" as const, content: "{{ question }} Be brief." }];
  const input = {
    sourceId,
    template: { ...template, messages, model },
    rows: { ...allRows, take: "first" as const, count: 30 },
  };
  expect(await client.build.countReusable([input])).toEqual([{ reusable: 0, identical: 0, parts: null }]);
  await Array.fromAsync(await client.build.trial({ ...input, draftId, rows: { take: "first", count: 10 } }));
  const other = { ...input, template: { ...input.template, temperature: 1 } };
  const counts = await client.build.countReusable([input, other]);
  expect(counts).toEqual([
    { reusable: 10, identical: 0, parts: null },
    { reusable: 0, identical: 0, parts: null },
  ]);

  const changes = await client.batches.watch();
  const last = (await Array.fromAsync(await client.build.submit({ ...input, name: "All" }))).at(-1);
  if (last?.phase !== "submitted") throw new Error("It was not submitted.");
  for await (const batch of changes) if (batch.id === last.batchId && batch.status === "completed") break;
  const batch = await client.batches.get({ id: last.batchId });
  expect(batch).toMatchObject({ counts: { completed: 30 }, reused: 10, cost: { lines: 30 } });
  const { rows } = await client.results.page({ batchId: batch.id, offset: 0, limit: 30 });
  expect(rows.map(({ reused }) => reused)).toEqual(rows.map((_, at) => at < 10));
  const priced = rows.map(({ reused, promptTokens, completionTokens }) =>
    reused ? 0 : ((promptTokens ?? 0) + 2 * (completionTokens ?? 0)) / 1e6,
  );
  for (const [at, { cost }] of rows.entries()) expect(cost).toBeCloseTo(priced[at] ?? 0, 9);
  expect(batch.cost?.usd).toBeCloseTo(
    priced.reduce((sum, usd) => sum + usd, 0),
    9,
  );
  const free = { batchId: batch.id, filter: { columns: [{ path: "cost", op: "equals" as const, value: "0" }] } };
  expect((await client.results.numbers(free)).length).toBe(10);
});

it("goes on when it is told to, after its key was changed by a command", async () => {
  const { id } = await client.connections.save({ connection: connectionTo("Refused", "chat"), key: "sk-wrong-one" });
  const source = await client.sources.example({ name: "gsm8k-200" });
  const { template } = await client.drafts.create({ connectionId: id });
  const messages = [{ role: "user" as const, content: "{{ question }}" }];
  const changes = await client.batches.watch();
  const input = { sourceId: source.id, template: { ...template, messages, model }, name: "Waits" };
  await Array.fromAsync(await client.build.submit(input));
  let isToldToGoOn = false;
  for await (const { connection, waiting, status, counts } of changes) {
    if (connection?.id !== id) continue;
    if (status === "completed") {
      expect(counts).toMatchObject({ completed: 200, failed: 0 });
      break;
    }
    if (waiting === null || isToldToGoOn) continue;
    isToldToGoOn = true;
    expect(waiting).toContain("Refused refused the key");
    await fixture.secrets.set(`connection:${id}`, elsewhere.apiKey);
    await client.connections.retry({ id });
  }
  expect(isToldToGoOn).toBe(true);
});

it("says before a submit what the service can't do of the prompt, or of single requests", async () => {
  const settings = { ...connectionTo("Careful", "anthropic-batch"), limits: { lines: null, bytes: 400, tokens: null } };
  const { id: connectionId } = await client.connections.save({ connection: settings, key: "sk-1" });
  const check = async (sourceId: string, changes: object) => {
    const { template } = await client.drafts.create({ connectionId });
    const messages = [{ role: "user" as const, content: "{{ question }}" }];
    const input = { sourceId, template: { ...template, messages, model: "claude", ...changes } };
    const skipping = { ...input, rows: { ...allRows, skipFaulty: true } };
    const found = (await Array.fromAsync(await client.build.check(skipping))).at(-1);
    return { found, input, first: found?.groups.flatMap(({ first }) => first) };
  };
  const { id: sourceId } = await client.sources.example({ name: "gsm8k-200" });
  const prompt = await check(sourceId, { temperature: 1.5, further: '{ "seed": 7 }' });
  expect(prompt.found).toMatchObject({ blocked: true, requests: 0 });
  expect(prompt.first).toMatchObject([
    { param: "body.max_completion_tokens", message: "Careful needs to be told the most tokens of an answer." },
    { param: "body.temperature", message: "Careful takes temperatures from 0 to 1." },
    { param: "body.seed", message: "Careful has no parameter seed." },
  ]);
  await expect(Array.fromAsync(await client.build.submit({ ...prompt.input, name: "Refused" }))).rejects.toMatchObject({
    message: expect.stringContaining("Careful needs to be told"),
  });

  const rows = await check(sourceId, { maxCompletionTokens: 100 });
  expect(rows.found).toMatchObject({ blocked: false, faultyRows: 200 - (rows.found?.requests ?? 0) });
  expect(rows.found?.faultyRows).toBeGreaterThan(0);
  expect(rows.first?.[0]).toMatchObject({ message: "The request is larger than a whole batch may be at Careful." });
  const preview = await client.build.preview({ ...rows.input, row: rows.first?.[0]?.line ?? 0 });
  expect(preview.problems).toEqual([rows.first?.[0]]);

  const body = { model: "claude", messages: [{ role: "user", content: "Why?" }], max_tokens: 9 };
  const line = (custom_id: string, changes: object) =>
    JSON.stringify({ custom_id, method: "POST", url: "/v1/chat/completions", body: { ...body, ...changes } });
  const { id } = await client.sources.begin({ name: "requests.jsonl" });
  const chunk = new Blob([`${line("a", {})}\n${line("b", { n: 2 })}\n`]);
  await client.sources.append({ id, offset: 0, chunk });
  await Array.fromAsync(await client.sources.finish({ id }));
  const requests = await check(id, {});
  expect(requests.found).toMatchObject({ requests: 1, faultyRows: 1, models: ["claude"] });
  expect(requests.first).toMatchObject([
    { line: 2, param: "body.n", message: "Careful gives one answer to a request." },
  ]);
});

it("lets any model be named there, and shows batches when the connections can't be read", async () => {
  const source = await client.sources.example({ name: "gsm8k-200" });
  const check = async (connectionId: string | null) => {
    const { template } = await client.drafts.create({ connectionId });
    const messages = [{ role: "user" as const, content: "{{ question }}" }];
    const input = { sourceId: source.id, template: { ...template, messages, model: "llama3.2:1b" } };
    return (await Array.fromAsync(await client.build.check(input))).at(-1)?.errorCount;
  };
  expect(await check(null)).toBeGreaterThan(0);
  expect(await check("conn_1")).toBe(0);

  await writeFile(join(fixture.dataDir, "connections.json"), "{");
  await expect(client.connections.list()).rejects.toMatchObject({ code: "REFUSED" });
  expect((await client.batches.list({})).batches).toHaveLength(4);
});
