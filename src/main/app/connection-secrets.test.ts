import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Connection, ConnectionView } from "#contract";
import { type StandIn, startStandIn } from "../connections/testing/stand-in.ts";
import { type AppFixture, connectPort, openApp, type RpcClient } from "./testing/app-fixture.ts";

const env = { THEIR_KEY: "sk-of-the-variable", HOME_SECRET: "secret-of-the-machine" };
let fixture: AppFixture;
let client: RpcClient;
let leave = () => {};
let service: StandIn;
/** Where a page would like the keys to go. */
let elsewhere: StandIn;
beforeAll(async () => {
  fixture = await openApp({ env });
  ({ client, leave } = connectPort(fixture.app));
});
afterAll(async () => {
  leave();
  await fixture.close();
});
beforeEach(async () => {
  service = await startStandIn(({ path }) => ({
    body: path.endsWith("/mcp/status")
      ? { enabled: true, url: `${service.url}/v1/mcp`, apiKey: "mcp-issued-token" }
      : { data: [] },
  }));
  elsewhere = await startStandIn(() => ({ status: 404, body: {} }));
});
afterEach(async () => {
  for (const { id } of await client.connections.list()) await client.connections.remove({ id });
  await Promise.all([service.close(), elsewhere.close()]);
});

/** A connection that the command line made, with a key in a variable and a token. */
const addByCommand = (changes: Partial<Omit<Connection, "id">> = {}) =>
  fixture.connections.save(
    {
      name: "Lab",
      adapter: "openai-batch",
      preset: "sheaf",
      url: `${service.url}/v1`,
      keyVariable: "THEIR_KEY",
      ...changes,
    },
    undefined,
    "mcp-typed-token",
  );

/** All that a page can have a connection ask. */
async function askEverything({ id }: ConnectionView): Promise<void> {
  const input = { prompt: "a", response: "b", document: null, connectionId: id };
  await Promise.allSettled([
    client.connections.models({ id }),
    client.connections.test({ id }).then(Array.fromAsync),
    client.connections.mcpStatus({ id }),
    client.connections.mcpSetEnabled({ id, enabled: true }),
    client.verifications.verifyWithConnection(input),
  ]);
}

function expectNoSecretAt(server: StandIn): void {
  const sent = JSON.stringify(server.received.map(({ headers, body, query }) => [headers, String(body), [...query]]));
  for (const secret of [...Object.values(env), "sk-typed", "mcp-"]) expect(sent).not.toContain(secret);
}

it("a page names no variable of the environment, for a new connection or another one", async () => {
  const parts = { name: "Mine", adapter: "chat" as const, preset: null, url: elsewhere.url };
  const refused = { code: "REFUSED", message: expect.stringContaining("takes no variable for a key") };
  await expect(client.connections.save({ connection: { ...parts, keyVariable: "HOME_SECRET" } })).rejects.toMatchObject(
    refused,
  );
  expect(await client.connections.list()).toEqual([]);
  const lab = await addByCommand();
  for (const keyVariable of ["HOME_SECRET", "THEIR_KEY "]) {
    await expect(client.connections.save({ connection: { ...lab, keyVariable } })).rejects.toMatchObject(refused);
  }
  const own = await client.connections.save({ connection: parts, key: "sk-own" });
  await expect(client.connections.save({ connection: { ...own, keyVariable: "THEIR_KEY" } })).rejects.toMatchObject(
    refused,
  );
  await askEverything(own);
  expectNoSecretAt(elsewhere);
});

it("a variable stays with its address and the paths below, and can be cleared", async () => {
  const lab = await addByCommand();
  const renamed = await client.connections.save({ connection: { ...lab, name: "Our lab" } });
  expect(renamed).toMatchObject({ keyVariable: "THEIR_KEY", hasKey: true, hasMcpToken: true });
  const below = await client.connections.save({ connection: { ...lab, url: `${service.url}/v1/eu` } });
  expect(below).toMatchObject({ keyVariable: "THEIR_KEY", hasKey: true });
  const cleared = await client.connections.save({ connection: { ...below, keyVariable: null }, key: "sk-typed" });
  expect(cleared).toMatchObject({ keyVariable: null, hasKey: true });
});

it.each([
  ["another host", () => elsewhere.url],
  ["another name of the host", () => `${service.url.replace("127.0.0.1", "localhost")}/v1`],
  ["a path that leads out", () => `${service.url}/v1/../other`],
  ["the same in other letters", () => `${service.url}/v1/%2e%2E/other`],
])("a move to %s drops key, variable and MCP token", async (_, url) => {
  const mcpUrl = `${service.url}/v1/mcp`;
  const lab = await addByCommand({ mcpUrl });
  const gone = { keyVariable: null, hasKey: false, hasMcpToken: false };
  expect(await client.connections.save({ connection: { ...lab, url: url() } })).toMatchObject(gone);
  const parts = { name: "Typed", adapter: "chat", preset: null, url: `${service.url}/v1`, mcpUrl } as const;
  const typed = await client.connections.save({ connection: parts, key: "sk-typed", mcpToken: "mcp-typed" });
  const moved = await client.connections.save({ connection: { ...typed, url: url() } });
  expect(moved).toMatchObject(gone);
  await askEverything(moved);
  expectNoSecretAt(elsewhere);
});

it("a token that the service issues goes to no other address than its own", async () => {
  const lab = await addByCommand();
  const moved = await client.connections.save({ connection: { ...lab, mcpUrl: `${elsewhere.url}/mcp` } });
  expect(moved).toMatchObject({ keyVariable: "THEIR_KEY", hasMcpToken: false });
  await askEverything(moved);
  expect(elsewhere.received.length).toBeGreaterThan(0);
  expectNoSecretAt(elsewhere);
});

it("a connection that was removed is not made again under its id, with what its keys left", async () => {
  const { id, ...parts } = await addByCommand({ keyVariable: null });
  await fixture.connections.remove(id);
  await fixture.secrets.set(`connection:${id}`, "sk-typed");
  const again = client.connections.save({ connection: { ...parts, id, url: elsewhere.url } });
  await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await client.connections.list()).toEqual([]);
  await fixture.secrets.remove(`connection:${id}`);
});
