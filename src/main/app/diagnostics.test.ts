import { homedir, hostname, userInfo } from "node:os";
import { expect, it, onTestFinished, vi } from "vitest";
import { startOpenaiService } from "../connections/testing/openai-service.ts";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

/** What a user may type anywhere. */
const secret = "hush-7f3a";

/** All values in an object, and the names of its fields. */
function listLeaves(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listLeaves(inner)]);
}

it("has nothing of what a user typed, answered, named or stored, wherever that is", async () => {
  vi.stubEnv("HUSH", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const elsewhere = await startOpenaiService("openai", secret);
  onTestFinished(() => elsewhere.close());
  elsewhere.breakDown({ status: 401, body: { error: { message: `${secret} is refused` } } });
  const fixture = await openApp();
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  fixture.service.logger.error(secret, { secret });
  fixture.service.notices.add({ code: "files_quarantined", count: 2, message: `${secret} was found` });
  const { id: connectionId } = await client.connections.save({
    connection: {
      name: secret,
      adapter: "openai-batch",
      preset: secret,
      url: `${elsewhere.url}/${secret}`,
      mcpUrl: `http://${secret}.test/mcp`,
      models: { [secret]: secret, "*": secret },
      window: secret,
    },
    key: secret,
    mcpToken: secret,
  });
  // The command line alone names variables.
  await fixture.connections.save({
    name: "By variable",
    adapter: "chat",
    preset: "ollama",
    url: elsewhere.url,
    keyVariable: "HUSH",
  });
  const rules = JSON.stringify({ rules: [{ match: { custom_id: secret }, reply: { text: secret } }] });
  expect((await client.server.setRules({ text: rules })).problems).toEqual([]);
  await client.server.change({
    engine: { kind: "upstream", connectionId, model: secret },
    pace: 5,
    faults: { latency_ms: 1 },
  });
  await client.server.enableMcp();
  const table = Buffer.from(`id,${secret} name\n${secret},${secret}\n`);
  const source = await upload(client, table, `${secret}.csv`);
  const draft = await client.drafts.create({ connectionId });
  const template = {
    ...draft.template,
    messages: [{ role: "user" as const, content: `${secret} {{ id }}` }],
    model: secret,
    customId: "{{ id }}",
  };
  await client.drafts.save({ ...draft, name: secret, sourceId: source.id, template });
  const changes = await client.batches.watch();
  await Array.fromAsync(await client.build.submit({ sourceId: source.id, template, name: secret }));
  // The reason why it waits has what the service said.
  for await (const { waiting } of changes) if (waiting?.includes(secret)) break;

  const diagnostics = await client.app.diagnostics();
  const text = JSON.stringify(diagnostics);
  expect(JSON.stringify(await client.batches.list({}))).toContain(secret);
  expect(text).not.toContain(secret);
  for (const own of [fixture.dataDir, homedir(), hostname()]) expect(text).not.toContain(own);
  const words = listLeaves(diagnostics).filter((leaf) => typeof leaf === "string");
  expect(words).not.toContain(userInfo().username);
  // Nothing that could be a sentence, a path or an address.
  expect(words.filter((word) => !/^[\w.-]{1,24}$/.test(word))).toEqual([]);
  expect(diagnostics).toMatchObject({
    sheaf: "0.0.0-test",
    host: "browser",
    node: process.versions.node,
    electron: null,
    waitingBatches: 1,
    files: 1,
    drafts: 1,
    connections: { "openai-batch": 1, chat: 1 },
    presets: { none: 1, ollama: 1 },
    keys: "memory",
    mcp: true,
    engine: "upstream",
    pace: 5,
    faults: true,
    health: [],
    notices: [{ code: "files_quarantined", count: 2 }],
  });
});

it("counts batches by their state", async () => {
  const fixture = await openApp();
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  expect(await client.app.diagnostics()).toMatchObject({ batches: {}, lines: 0, engine: "mock", faults: false });
  const { id: sourceId } = await client.sources.example({ name: "gsm8k-200" });
  const { template } = await client.drafts.create({});
  const changes = await client.batches.watch();
  const messages = [{ role: "user" as const, content: "{{ question }}" }];
  await Array.fromAsync(await client.build.submit({ sourceId, template: { ...template, messages }, name: "Math" }));
  for await (const { status } of changes) if (status === "completed") break;
  expect(await client.app.diagnostics()).toMatchObject({ batches: { completed: 1 }, lines: 200, waitingBatches: 0 });
});
