/**
 * Writes a small data folder with the code of an older version, for `src/main/cli/old-folders.test.ts`:
 *
 *     git worktree add --detach /tmp/old 2db1be4 && cd /tmp/old && npm ci
 *     node <this file> /tmp/old /tmp/old-folder
 *
 * It ends itself by SIGKILL in the middle of batches, as those folders have batches in every state.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";

const [checkout = "", dataDir = ""] = process.argv.slice(2);

/** @param {string} path */
const load = (path) => import(pathToFileURL(join(checkout, path)).href);
/** Versions before the rooms had all of it in the first one. */
const rooms = ["service", "base", "requests", "engines"].map((room) => join("src/main", room, "index.ts"));
const service = Object.assign(
  {},
  ...(await Promise.all(rooms.filter((path) => existsSync(join(checkout, path))).map(load))),
);
const { createApp } = await load("src/main/app/index.ts");
const { openSecretStore } = await load("src/main/secrets/index.ts");
const { createORPCClient } = await load("node_modules/@orpc/client/dist/index.mjs");
const { RPCLink } = await load("node_modules/@orpc/client/dist/adapters/message-port/index.mjs");
const remote = await load("src/main/connections/index.ts");
const hasConnections = "createConnectionStore" in remote;

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 1);
const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
const endpoint = "/v1/chat/completions";
const passphrase = "correct horse battery";
const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** @param {string} text */
const line = (text) =>
  JSON.stringify({
    custom_id: text.replaceAll(" ", "-"),
    method: "POST",
    url: endpoint,
    body: { model, max_tokens: 40, messages: [{ role: "user", content: text }] },
  });

const clock = service.createAdjustableClock({ start, speed: 0 });
const ids = service.createRandomIds();
const catalog = service.createModelCatalog?.("standard");
const mock = service.createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog });

/** The mock, which never answers a request that says `hold`, and refuses one that says `refuse`. */
const engine = {
  ...mock,
  /** @param {{ request: unknown, signal: AbortSignal }} call */
  complete(call) {
    const asked = JSON.stringify(call.request);
    if (asked.includes("refuse")) {
      const error = { message: "Refused.", type: "invalid_request_error", param: null, code: "refused" };
      return { statusCode: 400, body: { error } };
    }
    if (!asked.includes("hold")) return mock.complete(call);
    return new Promise((_, reject) => {
      call.signal.addEventListener("abort", () => reject(call.signal.reason), { once: true });
    });
  },
};

mkdirSync(dataDir, { recursive: true });
const secrets = await openSecretStore({
  choice: "file",
  dataDir,
  logger,
  passphrase: { canRepeat: false, ask: async () => passphrase },
});
await secrets.set("api_key", "sk-sheaf-of-before");
const connections = hasConnections ? remote.createConnectionStore(dataDir, secrets, {}) : undefined;
const opened = hasConnections
  ? remote.openConnections({
      store: connections,
      folder: join(dataDir, "parts"),
      ids,
      machine: service.createSystemMachine(),
    })
  : undefined;
const running = await service.createService({ dataDir, engine, secrets, clock, ids, logger, connections: opened });
const app = await createApp({
  service: running,
  secrets,
  connections,
  clock,
  mock: { pace: "instant", seed: 1 },
  dataDir,
  host: { kind: "browser" },
  version: "0.0.0",
  examplesFolder: join(checkout, "examples"),
});
const { port1, port2 } = new MessageChannel();
app.connectPort(port1);
const page = createORPCClient(new RPCLink({ port: port2 }));
port2.start();

/** @param {readonly string[]} lines */
async function submit(lines, filename = "input.jsonl", connection = undefined) {
  const pending = await running.files.receive(
    (async function* () {
      yield Buffer.from(`${lines.join("\n")}\n`);
    })(),
  );
  const about = { filename, purpose: "batch" };
  const file = await (pending.store?.(about) ?? pending.keep(about));
  return await running.batches.create({
    inputFileId: file.id,
    endpoint,
    completionWindow: "24h",
    metadata: { name: filename.replace(".jsonl", "") },
    ...(connection !== undefined && { connection }),
  });
}

/** @typedef {{ status: string, counts: { completed: number, failed: number }, metadata?: { name?: string } }} OldBatch */

/** @param {string} id @param {(batch: OldBatch) => boolean} is */
const until = (id, is) =>
  /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const stop = setInterval(() => {
        if (!is(running.batches.get(id))) return;
        clearInterval(stop);
        resolve();
      }, 5);
    })
  );
/** @param {number} count @returns {(batch: OldBatch) => boolean} */
const answered = (count) => (batch) => batch.counts.completed + batch.counts.failed >= count;

// What has ended: one of each way.
const failed = await submit([line("twice"), line("twice"), "{"], "failed.jsonl");
await running.batches.settled(failed.id);
const completed = await submit([line("What is 6 times 7?"), line("refuse this"), line("Why?")], "completed.jsonl");
await running.batches.settled(completed.id);
const expired = await submit([line("in time"), line("hold for a day")], "expired.jsonl");
await until(expired.id, answered(1));
await clock.advance(25 * hour);
await running.batches.settled(expired.id);
const cancelled = await submit([line("before the cancel"), line("hold until the cancel")], "cancelled.jsonl");
await until(cancelled.id, answered(1));
await running.batches.cancel(cancelled.id);
await clock.advance(hour);
await running.batches.settled(cancelled.id);

// What the app has: a table, a draft, a batch of it that is verified and graded, single verifications.
const table = "id,question,passage,expected\n1,Where is it?,In Paris.,Paris\n2,How high?,300 m.,300\n";
const { id: uploadId } = await page.sources.begin({ name: "towers.csv" });
await page.sources.append({ id: uploadId, offset: 0, chunk: new Blob([table]) });
/** @type {string} */
let sourceId = "";
for await (const event of await page.sources.finish({ id: uploadId }))
  if (event.phase === "read") sourceId = event.source.id;
const prompt = { messages: [{ role: "user", content: "{{ question }}" }], model, temperature: 0 };
const template = { ...prompt, maxCompletionTokens: 200, customId: "{{ id }}" };
const shape = hasConnections ? { template: { ...template, connectionId: null } } : { recipe: template };
const draft = await page.drafts.create({ name: "Towers" });
await page.drafts.save({ ...draft, ...shape, sourceId });
const build = {
  sourceId,
  ...shape,
  name: "Towers",
  ...(hasConnections && { rows: { take: "all", count: 100, skipFaulty: false, reuse: true, onceIdentical: false } }),
};
/** @type {string} */
let towers = "";
for await (const event of await page.build.submit(build)) {
  if (event.phase === "submitted") towers = event.batchId;
}
await running.batches.settled(towers);
const choice = { judge: "rules", model: null };
await page.verifications.start({ batchId: towers, choice, document: { from: "column", column: "passage" } });
while ((await page.verifications.get({ batchId: towers })).state === "running");
if (hasConnections) {
  await page.grades.start({ batchId: towers, batchIds: [towers], grader: { name: "contains" }, column: "expected" });
  while ((await page.grades.get({ batchId: towers })).state === "running");
}
const single = { prompt: "What is 6 times 7?", response: "6 × 7 = 43", document: "Six sevens.", ...choice };
await (hasConnections ? page.verifications.verifyResponse(single) : page.verify.check(single));
await page.server.enableMcp();

// A connection with a key, and a job of the command line on it.
if (hasConnections) {
  const server = createServer((request, response) => {
    let asked = "";
    request.on("data", (chunk) => (asked += chunk));
    request.on("end", () => {
      if (asked.includes("hold")) return;
      const message = { role: "assistant", content: "It stands in Paris." };
      const usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "small", choices, usage }));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}/v1`;
  const connection = { name: "Tower", adapter: "chat", preset: null, url, models: { "*": "small" } };
  await connections.save(connection, "sk-key-of-tower-0123456789");
  const input = join(dataDir, "..", "job.jsonl");
  writeFileSync(input, `${line("asked by a job")}\n${line("and another")}\n`);
  const flags = ["--connection", "Tower", "--data-dir", dataDir];
  const output = join(dataDir, "..", "job-answers.jsonl");
  const args = [join(checkout, "src/main/headless.ts"), "run", input, "-o", output, ...flags];
  const job = spawn(process.execPath, args, {
    env: { ...process.env, SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: passphrase },
    stdio: "inherit",
  });
  await once(job, "exit");

  // One that this connection answers, under way when the process is killed.
  const [{ id }] = await connections.list();
  const elsewhere = await submit([line("Where?"), line("hold it there")], "elsewhere.jsonl", id);
  await until(elsewhere.id, answered(1));
}

// What is under way when the process is killed.
const inProgress = await submit([line("answered before the kill"), line("hold at the kill")], "in_progress.jsonl");
await until(inProgress.id, answered(1));
const cancelling = await submit([line("answered while cancelling"), line("hold while cancelling")], "cancelling.jsonl");
await until(cancelling.id, answered(1));
await running.batches.cancel(cancelling.id);
const token = await secrets.get("mcp_token");
writeFileSync(
  join(dataDir, "..", "secrets-of-before.json"),
  JSON.stringify({ passphrase, apiKey: "sk-sheaf-of-before", mcpToken: token }),
);
running.batches.subscribe((/** @type {OldBatch} */ batch) => {
  if (batch.metadata?.name !== "finalizing" || batch.status !== "finalizing") return;
  void submit([line("never looked at")], "validating.jsonl").then(() => process.kill(process.pid, "SIGKILL"));
});
await submit([line("all that there is")], "finalizing.jsonl");
