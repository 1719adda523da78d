import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createOutgoing, type Route } from "./outgoing.ts";
import { ProxyError } from "./proxies.ts";
import { companyCa, companyServer } from "./testing/certificates.ts";
import { createSocksProxy, type SocksCall } from "./testing/socks-proxy.ts";

afterEach(() => void vi.unstubAllEnvs());

const listen = (answer: RequestListener) => portOf(createServer(answer));

/** Of a server that begins to listen now. */
async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function open(route?: Partial<Route>) {
  const outgoing = createOutgoing({ route: { proxy: null, caFile: null, ...route } });
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
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
    vi.stubEnv(name, "ftp://a");
  expect(await open()(`http://127.0.0.1:${port}/v1`)).toBe("direct");
  expect(await open({ proxy: "http://proxy.invalid" })(`http://127.0.0.1:${port}/v1`)).toBe("direct");
});

it("rejects the request, and nothing else, where a variable can't be used", async () => {
  vi.stubEnv("HTTP_PROXY", "ftp://proxy.test");
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

it("goes through a SOCKS proxy, which looks the name up: http and https, with a user where it wants one", async () => {
  const calls: SocksCall[] = [];
  const warn = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warn.mockRestore());
  const plain = await listen((_, response) => response.end("plain"));
  const tls = await portOf(createTlsServer(companyServer, (_, response) => response.end("secret")));
  const [toPlain, toTls] = [
    await portOf(createSocksProxy({ port: plain, calls })),
    await portOf(createSocksProxy({ port: tls, user: "someone", calls })),
  ];
  vi.stubEnv("ALL_PROXY", `socks5h://127.0.0.1:${toPlain}`);
  vi.stubEnv("HTTPS_PROXY", `socks5://someone:password@127.0.0.1:${toTls}`);
  const ask = open({ caFile: await keepFile(companyCa) });
  expect(await ask("http://service.test/v1")).toBe("plain");
  expect(await ask("https://service.test/v1")).toBe("secret");
  expect(await open({ proxy: `socks5h://127.0.0.1:${toPlain}` })("http://other.test:81/")).toBe("plain");
  expect(calls).toEqual([
    { to: "service.test:80", user: null },
    { to: "service.test:443", user: "someone" },
    { to: "other.test:81", user: null },
  ]);
  expect(warn).not.toHaveBeenCalled();
});

it("opens no more connections through a SOCKS proxy than it may", async () => {
  const calls: SocksCall[] = [];
  const proxy = await portOf(createSocksProxy({ port: await listen((_, response) => response.end("plain")), calls }));
  const route = { proxy: `socks5://127.0.0.1:${proxy}`, caFile: null };
  const outgoing = createOutgoing({ connections: 1, route });
  onTestFinished(() => outgoing.close());
  const ask = async () => (await outgoing.request(new URL("http://service.test"), { method: "GET" })).body.text();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["plain", "plain", "plain"]);
  expect(calls).toHaveLength(1);
});

it("blames a SOCKS proxy that lets nobody in", async () => {
  const proxy = await portOf(createSocksProxy({ port: 9, user: "someone", calls: [] }));
  vi.stubEnv("ALL_PROXY", `socks5://nobody:password@127.0.0.1:${proxy}`);
  await expect(open()("http://service.test/v1")).rejects.toMatchObject({
    name: "ProxyError",
    message: "ALL_PROXY names a proxy that makes no connection",
  });
});

it("trusts a company's certificate by the connection's file, and by those of the system", async () => {
  const port = await portOf(createTlsServer(companyServer, (_, response) => response.end("secret")));
  const target = `https://localhost:${port}/v1`;
  await expect(open()(target)).rejects.toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  expect(await open({ caFile: await keepFile(companyCa) })(target)).toBe("secret");
  const named = (name: string) => companyCa.replaceAll(" CERTIFICATE", ` ${name} CERTIFICATE`);
  const older = await keepFile(`${companyServer.cert}${named("X509")}`);
  expect(await open({ caFile: older })(target)).toBe("secret");

  const file = await keepFile(companyCa);
  const ask = `createOutgoing().request(new URL("${target}"), { method: "GET" }).then(({ body }) => body.text())`;
  const program = `import { createOutgoing } from ${JSON.stringify(outgoingFile)}; console.log(await (${ask})); process.exit();`;
  const args = ["--input-type=module-typescript", "-e", program];
  const env = { ...process.env, SSL_CERT_FILE: file };
  expect((await promisify(execFile)(process.execPath, args, { env })).stdout).toBe("secret\n");

  const missing = open({ caFile: "/nowhere/ca.pem" });
  await expect(missing(target)).rejects.toThrow("its CA file /nowhere/ca.pem can't be read");
  for (const text of ["no certificate", companyCa.replace("MII", "AAA")]) {
    const none = await keepFile(text);
    const reason = `its CA file ${none} holds no certificate, or one that can't be read`;
    await expect(open({ caFile: none })(target)).rejects.toThrow(reason);
  }
});

const outgoingFile = import.meta.resolve("./outgoing.ts");

async function keepFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-ca-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "ca.pem");
  await writeFile(file, text);
  return file;
}
