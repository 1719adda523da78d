import { expect, it, onTestFinished, vi } from "vitest";
import { connectionSchema } from "#contract";
import { createFakeMachine } from "../service/testing/index.ts";
import { readMcpStatus, verifyWithConnection } from "./mcp-endpoint.ts";

const url = "http://service.test/v1";
const connection = connectionSchema.parse({ id: "conn_1", name: "Mine", adapter: "chat", preset: null, url });
const call = {
  keys: { keyOf: async () => null, mcpTokenOf: async () => "token", keepMcpToken: async () => {} },
  machine: createFakeMachine(),
  signal: new AbortController().signal,
};
const input = { prompt: "Where?", response: "Here.", document: null, strict: false, model: null };

it("reports a proxy variable that can't be used", async () => {
  vi.stubEnv("HTTP_PROXY", "socks4://proxy.test");
  onTestFinished(() => void vi.unstubAllEnvs());
  const message = expect.stringContaining(
    "through the proxy: HTTP_PROXY is not of the form http://HOST:PORT or socks5://HOST:PORT.",
  );
  expect(await readMcpStatus(connection, call)).toMatchObject({ state: "unknown", message });
  await expect(verifyWithConnection(connection, input, call)).rejects.toMatchObject({
    code: "proxy_variable",
    message,
  });
});
