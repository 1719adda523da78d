import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type AdapterName, connectionSchema } from "#contract";
import { createFakeMachine } from "../service/testing/index.ts";
import { asksForKey, describeNetworkError } from "./adapters/connection-error.ts";
import { readMcpStatus } from "./mcp-endpoint.ts";
import { testConnection } from "./test-connection.ts";
import { createTestFolder, submitQuestions, until } from "./testing/open-service.ts";
import { type StandIn, startStandIn } from "./testing/stand-in.ts";

/** A zero-width space, as pages have it around a key that is copied from them. */
const key = "sk-hidden\u200b";
const problem = "the key has an invisible character (U+200B) at position 10.";
const signal = new AbortController().signal;
let server: StandIn;
beforeEach(async () => {
  server = await startStandIn(() => ({ body: { data: [] } }));
});
afterEach(() => server.close());

describe("a key that no header can carry", () => {
  it.each<AdapterName>(["chat", "openai-batch", "anthropic-batch", "gemini-batch"])(
    "is named by the test of a connection to %s, and nothing is sent",
    async (adapter) => {
      const parts = { id: "conn_a", name: "Lab", adapter, preset: null, url: server.url };
      const tried = testConnection(connectionSchema.parse(parts), { key, machine: createFakeMachine() }, signal);
      const report = (await Array.fromAsync(tried)).at(-1);
      expect(report).toEqual({
        works: false,
        checks: [
          { what: "key", state: "fails", message: `Lab could not be sent its key: ${problem} Enter the key again.` },
        ],
      });
      expect(server.received).toEqual([]);
    },
  );

  it.each<AdapterName>(["chat", "openai-batch"])(
    "keeps a batch on %s waiting, which goes on with another",
    async (adapter) => {
      const folder = await createTestFolder();
      onTestFinished(folder.remove);
      const connection = await folder.store.save({ name: "Lab", adapter, preset: null, url: server.url }, key);
      const service = await folder.open();
      onTestFinished(service.stop);
      const { id } = await submitQuestions(service, connection.id, ["a"]);
      await until(() => service.batches.get(id)?.waiting != null);
      const reason = service.batches.get(id)?.waiting ?? "";
      expect(reason).toBe(`Lab could not be sent its key: ${problem} Enter the key again in Settings → Connections.`);
      expect(asksForKey(reason)).toBe(true);
      expect(server.received).toEqual([]);
      await folder.store.save(connection, "sk-other");
      await until(() => server.received.some(({ headers }) => headers.authorization === "Bearer sk-other"));
    },
  );

  it("is named where it is the token of an MCP endpoint", async () => {
    const keys = { keyOf: async () => null, mcpTokenOf: async () => key, keepMcpToken: async () => {} };
    const parts = { id: "conn_a", name: "Lab", adapter: "chat", preset: null, url: server.url };
    const status = await readMcpStatus(connectionSchema.parse(parts), { keys, machine: createFakeMachine(), signal });
    expect(status).toMatchObject({
      state: "unknown",
      message: expect.stringContaining("the token of its MCP endpoint has"),
    });
    expect(status.message).not.toContain("hidden");
  });
});

describe("a failure of the HTTP client", () => {
  it.each([
    ["UND_ERR_INVALID_ARG", "Lab could not be asked: UND_ERR_INVALID_ARG."],
    ["UND_ERR_NOBODY_KNOWS", "Lab could not be asked: UND_ERR_NOBODY_KNOWS."],
    ["", "Lab could not be asked: the request broke off."],
    ["HPE_INVALID_CONSTANT", "Lab answered with something that is not this API: its answer is no HTTP."],
    ["ECONNREFUSED", "Lab can't be reached: nothing listens there."],
  ])("with the code '%s' is: %s", (code, message) => {
    const error = Object.assign(new Error("x"), code && { code });
    expect(describeNetworkError(new TypeError("failed", { cause: error }), "Lab").message).toBe(message);
  });
});
