import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { RequestTemplate } from "#contract";
import { ensureBuild } from "../../../scripts/setup/build.mjs";
import { startSheaf as startUpstream } from "../../testing/index.ts";
import { until } from "../connections/testing/open-service.ts";
import { services } from "../connections/testing/services.ts";
import { findSecrets, findSecretsInFolder } from "./testing/find-secrets.ts";
import { openRecordedPage } from "./testing/recorded-page.ts";
import { callSheaf, exitOf, startSheaf } from "./testing/sheaf-process.ts";
import { setUpFolder } from "./testing/temporary-folder.ts";
import { useServer } from "./testing/use-server.ts";

/*
 * Whole runs with known secrets, then a search in all that they wrote and sent: output, log, data folder, HTTP answers, RPC
 * messages. A secret may be where its user asked to see it, and nowhere else.
 */

const inFolder = setUpFolder();
/** Starts the command as a process that does not outlive its test. */
function start(...parameters: Parameters<typeof startSheaf>) {
  const child = startSheaf(...parameters);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const makeSecret = (prefix: string) => `${prefix}${randomBytes(24).toString("base64url")}`;

/** Each test is a run of many steps. */
const timeout = 120_000;

beforeAll(() => ensureBuild(process.execPath), 120_000);

test(
  "sheaf serve: a whole job, MCP, wrong keys and a restart leave no secret behind",
  async () => {
    const upstreamKey = makeSecret("up-");
    const passphrase = makeSecret("phrase ");
    const upstream = await startUpstream({ apiKey: upstreamKey });
    onTestFinished(() => upstream.stop());
    const env = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: passphrase, UPSTREAM_KEY: upstreamKey, SHEAF_DEBUG: "1" };
    const serve = ["serve", "--port", "0", "--data-dir", inFolder("data")];
    const record = ["--record", inFolder("recorded.jsonl")];
    const withUpstream = ["--upstream-url", upstream.baseURL, "--upstream-key-env", "UPSTREAM_KEY", ...record];

    const first = start([...serve, "--json", ...withUpstream], { env });
    const log = text(first.stderr);
    const lines = createInterface({ input: first.stdout })[Symbol.asyncIterator]();
    // The first line is for the program that started it, and has the key on purpose.
    const { url, apiKey } = z
      .object({ url: z.string(), apiKey: z.string() })
      .parse(JSON.parse((await lines.next()).value ?? ""));
    const { mcpTokens, said } = await useServer(url, apiKey);
    first.kill("SIGTERM");
    const output = await Array.fromAsync({ [Symbol.asyncIterator]: () => lines });
    expect(await exitOf(first)).toBe(0);

    const second = callSheaf(serve, {
      env: { ...env, SHEAF_SECRETS: "auto", DBUS_SESSION_BUS_ADDRESS: "", XDG_RUNTIME_DIR: "" },
    });
    await second.firstLine();
    second.signal("SIGTERM");
    const { stdout: banner, stderr: secondLog } = await second.finished;
    expect(banner).toContain(`…${apiKey.slice(-4)}, as at the last start`);

    const [token = "", again = ""] = mcpTokens;
    expect(again).toBe(token);
    const secrets = { "API key": apiKey, "MCP token": token, "upstream's key": upstreamKey, passphrase };
    expect(findSecrets([...output, await log, banner, secondLog].join("\n"), secrets)).toEqual([]);
    expect(findSecrets(said, secrets)).toEqual([]);
    expect(readdirSync(inFolder("data"))).toContain("secrets.json");
    expect(findSecretsInFolder(inFolder(), secrets)).toEqual([]);
  },
  timeout,
);

const template: RequestTemplate = {
  messages: [{ role: "user", content: "{{ question }}" }],
  connectionId: null,
  model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
  temperature: 0,
  maxCompletionTokens: 200,
  customId: "{{ id }}",
};

test(
  "sheaf web: only the answer to somebody who asks to see a secret has it in it",
  async () => {
    const passphrase = makeSecret("phrase ");
    const env = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: passphrase, SHEAF_DEBUG: "1" };
    const flags = ["--pace", "instant", "--port", "0", "--data-dir", inFolder("data"), "--json"];
    const child = start(["web", ...flags], { env });
    const log = text(child.stderr);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { url: address } = z.object({ url: z.string() }).parse(JSON.parse((await lines.next()).value ?? ""));
    const page = await openRecordedPage(address);
    const { server, sources, build, batches, results, exports } = page.client;

    const watched = await server.watch();
    await server.start({ port: 0 });
    await server.enableMcp();
    const reveal = async () => [
      (await server.reveal({ name: "api_key" })).value,
      (await server.reveal({ name: "mcp_token" })).value,
    ];
    const [oldKey = "", oldToken = ""] = await reveal();
    await server.rotate({ name: "api_key" });
    const view = await server.rotate({ name: "mcp_token" });
    const [key = "", token = ""] = await reveal();
    const { said } = await useServer(view.server.url, key);

    const changes = await batches.watch();
    const source = await sources.example({ name: "gsm8k-200" });
    for await (const event of await build.submit({ sourceId: source.id, template, name: "Job" })) {
      if (event.phase !== "submitted") continue;
      for await (const batch of changes) if (batch.id === event.batchId && batch.status === "completed") break;
      await results.page({ batchId: event.batchId, offset: 0, limit: 50 });
      await exports.begin({ what: "results", batchId: event.batchId });
    }
    await server.disableMcp();
    await server.stop();
    await watched.return(undefined);
    const frames = await page.readFrames();
    page.close();
    child.kill("SIGTERM");
    const output = await Array.fromAsync({ [Symbol.asyncIterator]: () => lines });
    expect(await exitOf(child)).toBe(0);

    const inTraffic = { "first API key": oldKey, "first MCP token": oldToken, "API key": key, "MCP token": token };
    const telling = frames.filter((frame) => findSecrets(frame, inTraffic).length > 0);
    expect(telling, "one message for each time that a value was asked for").toHaveLength(4);
    const found = telling.map((frame) => findSecrets(frame, inTraffic)[0]).sort();
    expect(found).toEqual([
      "API key, as it is",
      "MCP token, as it is",
      "first API key, as it is",
      "first MCP token, as it is",
    ]);
    const secrets = { ...inTraffic, passphrase };
    for (const frame of frames) expect(findSecrets(frame, { passphrase })).toEqual([]);
    const entry = { "one-time code": new URL(address).hash.replace("#code=", ""), "page's token": page.token };
    expect(Object.values(entry)).not.toContain("");
    expect(findSecrets([...output, await log].join("\n"), { ...secrets, ...entry })).toEqual([]);
    expect(findSecrets(said, secrets)).toEqual([]);
    expect(readdirSync(inFolder("data"))).toContain("secrets.json");
    expect(findSecretsInFolder(inFolder(), { ...secrets, ...entry })).toEqual([]);
  },
  timeout,
);

test(
  "sheaf run --connection: a refused key, failing lines and a finished job leave a connection's key nowhere",
  async () => {
    const job = inFolder("batch.jsonl");
    const lines = ["a", "b", "c"].map((id) => {
      const body = { model: "some-model", max_tokens: 9, messages: [{ role: "user", content: `question ${id}` }] };
      return JSON.stringify({ custom_id: id, method: "POST", url: "/v1/chat/completions", body });
    });
    writeFileSync(job, lines.join("\n"));
    const keys: Record<string, string> = {};
    const kinds = Object.keys(services) as (keyof typeof services)[];
    const outputs = await Promise.all(
      kinds.map(async (kind) => {
        const key = makeSecret("sk-");
        keys[kind] = key;
        const standIn = await services[kind](key);
        onTestFinished(() => standIn.close());
        const options = { env: { CONNECTION_KEY: key, SHEAF_SECRETS: "memory", SHEAF_DEBUG: "1" } };
        const data = ["--data-dir", inFolder(`data-${kind}`)];
        const from = standIn.preset === null ? ["--adapter", standIn.adapter] : ["--preset", standIn.preset];
        const address = [...from, "--url", standIn.url, "--key-env", "CONNECTION_KEY"];
        const added = await callSheaf(["connections", "add", kind, ...address, ...data], options).finished;
        // Servers repeat keys that they refuse.
        const repair = standIn.breakDown({ status: 401, body: { error: { message: `Incorrect API key: ${key}` } } });
        const files = ["-o", inFolder(`${kind}.jsonl`), "--errors", inFolder(`${kind}-errors.jsonl`)];
        const run = ["run", job, ...files, "--connection", kind, ...data];
        const refused = callSheaf(run, options);
        await until(() => refused.logged().includes("refused the key"), kind);
        refused.signal("SIGINT");
        const stopped = await refused.finished;
        repair();
        standIn.inject("GET", /content|results|download/, { body: `${JSON.stringify({ custom_id: key })}\n` });
        const second = callSheaf(run, options);
        const ending = setInterval(() => standIn.end(), 100);
        const done = await second.finished.finally(() => clearInterval(ending));
        const tested = await callSheaf(["connections", "test", kind, ...data], options).finished;
        return [added, stopped, done, tested].map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n");
      }),
    );
    expect(outputs.join("\n")).toContain("refused the key");
    expect(findSecrets(outputs.join("\n"), keys)).toEqual([]);
    expect(readdirSync(inFolder())).toEqual(expect.arrayContaining(kinds.map((kind) => `${kind}.jsonl`)));
    expect(findSecretsInFolder(inFolder(), keys)).toEqual([]);
  },
  timeout,
);
