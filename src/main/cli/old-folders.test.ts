import { createHash } from "node:crypto";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createManualClock } from "#main/base";
import { openSecretStore } from "#main/secrets";
import { connectPort, openApp } from "../app/testing/app-fixture.ts";
import { startStandIn } from "../connections/testing/stand-in.ts";
import { createKeyringStub } from "../secrets/testing/keyring-stub.ts";
import { runSheaf } from "./testing/sheaf-process.ts";
import { setUpFolder } from "./testing/temporary-folder.ts";

const inFolder = setUpFolder();
const oldFolders = join(import.meta.dirname, "testing/old-folders");
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const secretsSchema = z.object({ passphrase: z.string(), apiKey: z.string(), mcpToken: z.string() });
const towerKey = "sk-key-of-tower-0123456789";
const connectionsSchema = z.object({ connections: z.array(z.object({ id: z.string() })) });
const lineSchema = z.object({ custom_id: z.string() });

/** An hour after the last batch was made in them. */
const later = Date.UTC(2026, 10, 1) + 27 * 3_600_000;

/** A copy of a folder that the code of a commit wrote and was killed in (`scripts/soak/write-old-folder.mjs`), open in today's app. */
async function openOldFolder(commit: string, keysIn: "passphrase" | "keychain" = "passphrase") {
  const dataDir = inFolder(commit);
  await cp(join(oldFolders, commit, "data"), dataDir, { recursive: true });
  const known = secretsSchema.parse(JSON.parse(await readFile(join(oldFolders, commit, "secrets.json"), "utf8")));
  const passphrase = { canRepeat: false, ask: async () => known.passphrase };
  const secrets = await (keysIn === "passphrase"
    ? openSecretStore({ choice: "file", dataDir, logger, passphrase })
    : openSecretStore({ choice: "keychain", dataDir, logger, ...(await fillKeyring(dataDir, known)) }));
  const fixture = await openApp({ dataDir, secrets, clock: createManualClock(later) });
  onTestFinished(fixture.close);
  return { ...fixture, known, client: connectPort(fixture.app).client };
}

/** A keychain that has what those versions stored in one: under the same names since the first of them. */
async function fillKeyring(dataDir: string, { apiKey, mcpToken }: z.infer<typeof secretsSchema>) {
  const scope = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const stored = connectionsSchema.parse(JSON.parse(await readFile(join(dataDir, "connections.json"), "utf8")));
  const values = {
    api_key: apiKey,
    mcp_token: mcpToken,
    ...Object.fromEntries(stored.connections.map(({ id }) => [`connection:${id}`, towerKey])),
  };
  return createKeyringStub(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`Sheaf ${name} ${scope}`, value])),
  );
}

test.each([
  ["2db1be4", 1],
  ["7ab37f8", 1],
  ["311b910", 2],
  ["1b76c40", 2],
] as const)(
  "a folder of the version %s opens and is whole; one whose journal has format 1 is copied first",
  async (commit, format) => {
    const { client, connections, service, secrets, known, dataDir, log } = await openOldFolder(commit);
    const all = await client.batches.list({});
    // What is on a connection waits for it.
    const batches = all.batches.filter(({ name }) => name !== "elsewhere");
    for (const { id } of batches) await service.batches.settled(id);
    const content = async (id: string | null) => {
      if (id === null) return [];
      const text = Buffer.concat(await (await service.files.read(id)).toArray()).toString();
      return text.trimEnd().split("\n");
    };
    const found = await Promise.all(
      batches.map(async ({ id }) => {
        const { name, status, counts, inputFileId, outputFileId, errorFileId } = await client.batches.get({ id });
        const lines = [...(await content(outputFileId)), ...(await content(errorFileId))];
        const answered = lines.map((line) => lineSchema.parse(JSON.parse(line)).custom_id).sort();
        const { rows } = await client.results.page({ batchId: id, offset: 0, limit: 10 });
        return { name, status, counts, asked: (await content(inputFileId)).length, answered, rows: rows.length };
      }),
    );
    const allOf = (name: string, customIds: readonly string[]) => ({
      name,
      status: "completed",
      counts: { total: customIds.length, completed: customIds.length, failed: 0, damaged: 0, neverRan: 0, awaited: 0 },
      asked: customIds.length,
      answered: customIds,
      rows: customIds.length,
    });
    const endedEarly = (name: string, customIds: readonly string[]) => ({
      ...allOf(name, customIds),
      status: name,
      counts: { total: 2, completed: 1, failed: 0, damaged: 0, neverRan: 1, awaited: 0 },
    });
    expect(found).toEqual([
      allOf("validating", ["never-looked-at"]),
      allOf("finalizing", ["all-that-there-is"]),
      {
        ...endedEarly("cancelling", ["answered-while-cancelling", "hold-while-cancelling"]),
        status: "cancelled",
      },
      allOf("in_progress", ["answered-before-the-kill", "hold-at-the-kill"]),
      allOf("Towers", ["1", "2"]),
      endedEarly("cancelled", ["before-the-cancel", "hold-until-the-cancel"]),
      endedEarly("expired", ["hold-for-a-day", "in-time"]),
      {
        ...allOf("completed", ["What-is-6-times-7?", "Why?", "refuse-this"]),
        counts: { total: 3, completed: 2, failed: 1, damaged: 0, neverRan: 0, awaited: 0 },
      },
      {
        name: "failed",
        status: "failed",
        counts: { total: 0, completed: 0, failed: 0, damaged: 0, neverRan: 0, awaited: 0 },
        asked: 3,
        answered: [],
        rows: 0,
      },
    ]);

    const towers = batches.find(({ name }) => name === "Towers")?.id ?? "";
    expect(await client.verifications.get({ batchId: towers })).toMatchObject({ state: "done", total: 2, done: 2 });
    expect(await client.verifications.history()).toMatchObject([
      { prompt: "What is 6 times 7?", response: "6 × 7 = 43" },
    ]);
    const [draft] = await client.drafts.list();
    expect(draft).toMatchObject({ name: "Towers", template: { messages: [{ content: "{{ question }}" }] } });
    expect(await client.sources.rows({ id: draft?.sourceId ?? "", offset: 0, limit: 9 })).toMatchObject({
      total: 2,
      rows: [{ cells: { expected: "Paris" } }, { cells: { expected: "300" } }],
    });
    expect([await secrets.get("api_key"), await secrets.get("mcp_token")]).toEqual([known.apiKey, known.mcpToken]);
    for (const { id } of await connections.list()) expect(await secrets.get(`connection:${id}`)).toBe(towerKey);
    expect(await client.server.get()).toMatchObject({ mcp: { enabled: true } });

    expect(log).toEqual([]);
    // A ledger keeps the format that it began with, so that an older version can read it.
    for (const name of await readdir(join(oldFolders, commit, "data", "answers")).catch(() => [])) {
      const ledger = await readFile(join(dataDir, "answers", name), "latin1");
      expect(ledger.slice(0, ledger.indexOf("\n")), name).toContain('"format":1');
    }
    if (format === 2) return;
    const copy = join(dataDir, "before-2");
    const copied = await readdir(copy, { recursive: true });
    expect(copied).toEqual(expect.arrayContaining(["journal.jsonl", "secrets.json", `drafts/${draft?.id}.json`]));
    for (const path of copied.filter((name) => /\.jsonl?$/.test(name))) {
      expect(await readFile(join(copy, path)), path).toEqual(await readFile(join(oldFolders, commit, "data", path)));
    }
  },
);

test.each(["7ab37f8", "311b910", "1b76c40"])(
  "a folder of the version %s has its grades, its connections with their keys, and its jobs",
  async (commit) => {
    const { client, connections, dataDir, known, secrets } = await openOldFolder(commit, "keychain");
    expect([await secrets.get("api_key"), await secrets.get("mcp_token")]).toEqual([known.apiKey, known.mcpToken]);
    expect(await client.server.get()).toMatchObject({ mcp: { enabled: true }, secrets: { kind: "keychain" } });
    const { batches } = await client.batches.list({});
    const towers = batches.find(({ name }) => name === "Towers")?.id ?? "";
    expect(await client.grades.get({ batchId: towers })).toMatchObject({
      state: "done",
      total: 2,
      summary: { graded: 2 },
    });
    const [connection] = await connections.list();
    expect(connection).toMatchObject({ name: "Tower", adapter: "chat", models: { "*": "small" } });
    expect(connection && (await connections.keyOf(connection))).toBe(towerKey);

    // An ended job needs no key.
    const env = { SHEAF_SECRETS: "memory" };
    const data = ["--data-dir", dataDir];
    const { stdout } = await runSheaf(["status", "--json", ...data], { env });
    const [job] = z.array(z.object({ id: z.string(), status: z.string() })).parse(JSON.parse(stdout));
    expect(job).toMatchObject({ status: "completed" });
    const output = inFolder("answers.jsonl");
    expect(await runSheaf(["fetch", job?.id ?? "", "-o", output, ...data], { env })).toMatchObject({ code: 0 });
    expect(await readFile(output, "utf8")).toBe(await readFile(join(oldFolders, commit, "job-answers.jsonl"), "utf8"));
  },
);

test("a batch on a connection that the version 1b76c40 began goes on and ends in the format that it began with", async () => {
  const asked: string[] = [];
  const usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11, cost: 0.25 };
  const standIn = await startStandIn(({ body }) => {
    asked.push(JSON.parse(body.toString()).messages[0].content);
    const choices = [{ index: 0, message: { role: "assistant", content: "There." }, finish_reason: "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model: "small", choices, usage } };
  });
  onTestFinished(standIn.close);
  const before = await openOldFolder("1b76c40", "keychain");
  const { batches } = await before.client.batches.list({});
  const { id } = batches.find(({ name }) => name === "elsewhere") ?? { id: "" };
  const [connection] = await before.connections.list();
  if (connection === undefined) throw new Error("The folder has no connection.");
  const prices = { input: 2, output: 8, cached: null, cacheWrite: null, cacheWrite1h: null };
  await before.connections.save({ ...connection, url: `${standIn.url}/v1`, prices }, towerKey);
  await before.service.batches.settled(id);
  // Only the request that had no answer.
  expect(asked).toEqual(["hold it there"]);
  const ended = await before.client.batches.get({ id });
  // That the service reports a cost has no place in this format, and today's prices count for a batch from before.
  const cost = { usd: 0.000116, lines: 2, unknown: 0, reported: 0, isCeiling: false, isToday: true };
  expect(ended).toMatchObject({ status: "completed", counts: { completed: 2, failed: 0 }, cost });
  await before.close();

  const ledger = await readFile(join(before.dataDir, "answers", id), "latin1");
  expect(ledger.slice(0, ledger.indexOf("\n"))).toContain('"format":1');
  const after = await openApp({ dataDir: before.dataDir, secrets: before.secrets, clock: createManualClock(later) });
  onTestFinished(after.close);
  expect(await connectPort(after.app).client.batches.get({ id })).toMatchObject({ status: "completed", cost });
  expect([...before.log, ...after.log]).toEqual([]);
});
