import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createOutgoing } from "./outgoing.ts";
import { ProxyError } from "./proxies.ts";

afterEach(() => void vi.unstubAllEnvs());

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function open() {
  const outgoing = createOutgoing();
  onTestFinished(() => outgoing.close());
  return async (target: string) => {
    const { body } = await outgoing.request(new URL(target), { method: "GET" });
    return await body.text();
  };
}

it("goes through a proxy whose variable has no scheme", async () => {
  const port = await listen(({ url }, response) => response.end(`passed on: ${url}`));
  vi.stubEnv("HTTP_PROXY", `127.0.0.1:${port}`);
  expect(await open()("http://service.test/v1")).toBe("passed on: http://service.test/v1");
});

it("asks this machine directly, whatever the variables hold", async () => {
  const port = await listen((_, response) => response.end("direct"));
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"]) vi.stubEnv(name, "socks5h://proxy");
  expect(await open()(`http://127.0.0.1:${port}/v1`)).toBe("direct");
});

it("rejects the request, and nothing else, where a variable can't be used", async () => {
  vi.stubEnv("HTTP_PROXY", "socks5h://proxy.test");
  const ask = open();
  await expect(ask("http://service.test/v1")).rejects.toMatchObject({ isVariable: true });
  await expect(ask("http://service.test/v1")).rejects.toBeInstanceOf(ProxyError);
});

it.each(["http", "https"])("blames a proxy that is not there for a failed %s request", async (scheme) => {
  vi.stubEnv("HTTPS_PROXY", "http://proxy.invalid");
  vi.stubEnv("HTTP_PROXY", "http://proxy.invalid");
  const variable = `${scheme.toUpperCase()}_PROXY`;
  await expect(open()(`${scheme}://service.test/v1`)).rejects.toMatchObject({
    isVariable: false,
    message: `${variable} names a proxy that makes no connection`,
  });
});

it("blames no proxy for a server of this machine that is not there, even at the proxy's port", async () => {
  vi.stubEnv("HTTP_PROXY", "http://proxy.test:9");
  await expect(open()("http://127.0.0.1:9/v1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

it("sends nothing after it was closed", async () => {
  const outgoing = createOutgoing();
  await outgoing.close();
  await expect(outgoing.request(new URL("http://127.0.0.1:9"), { method: "GET" })).rejects.toThrow("Sheaf is closing");
});
