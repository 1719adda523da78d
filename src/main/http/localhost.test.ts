import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestService } from "../service/testing/index.ts";
import { listen } from "./listen.ts";
import { openHttpApp } from "./open-http-app.ts";

/** Most systems have both addresses of `localhost`; not all machines that run tests do. */
const both = async () => ["127.0.0.1", "::1"];
const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
const hasBoth = addresses.some(({ address }) => address === "::1");

beforeEach(({ skip }) => skip(!hasBoth, "this machine has no IPv6 on its loopback"));

async function open() {
  const app = await openHttpApp({ service: await openTestService(), apiKey: null });
  onTestFinished(() => app.close());
  return app;
}

const portOf = (address: AddressInfo | string | null) => (address as AddressInfo).port;

test("on localhost each address has the routes that are added with their first request, and the same errors", async () => {
  const app = await open();
  await listen(app, { host: "localhost", port: 0 }, both);
  const port = portOf(app.server.address());
  for (const host of ["[::1]", "127.0.0.1"]) {
    for (const path of ["/v1/models", "/v1beta/models", "/v1alpha/models", "/sheaf/faults"]) {
      expect([host, path, (await fetch(`http://${host}:${port}${path}`)).status]).toEqual([host, path, 200]);
    }
  }
  for (const host of await both()) {
    const socket = connect(port, host);
    socket.end("nonsense\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [\s\S]*"The request is not valid HTTP."/);
  }
});

test("a server on localhost ends with connections to each of its addresses that no one uses", async () => {
  const app = await open();
  await listen(app, { host: "localhost", port: 0 }, both);
  const port = portOf(app.server.address());
  const sockets = (await both()).map((host) => connect(port, host));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await fetch(`http://[::1]:${port}/health`);
  const ended = sockets.map((socket) => once(socket, "close"));
  await app.close();
  await Promise.all(ended);
  await expect(fetch(`http://[::1]:${port}/health`)).rejects.toThrow();
});

test("a port that another program has at one address of localhost is in use", async () => {
  const other = createServer().listen(0, "::1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const app = await open();
  const place = { host: "localhost", port: portOf(other.address()) };
  await expect(listen(app, place, both)).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(fetch(`http://127.0.0.1:${place.port}/health`)).rejects.toThrow();
});

test("an address of localhost that this machine doesn't have is passed over", async () => {
  const app = await open();
  await listen(app, { host: "localhost", port: 0 }, async () => ["127.0.0.1", "192.0.2.1"]);
  expect((await fetch(`http://127.0.0.1:${portOf(app.server.address())}/health`)).status).toBe(200);
});
