import dns, { type LookupAddress } from "node:dns";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestService } from "../service/testing/index.ts";
import { openHttpApp } from "./open-http-app.ts";

type Lookup = (name: string, ...rest: unknown[]) => void;

/** Has `localhost` two addresses, as most systems have it; not all machines that run tests do. */
function giveTwoAddresses(): void {
  const lookup = dns.lookup as unknown as Lookup;
  const both: LookupAddress[] = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  const spy = vi.spyOn(dns as unknown as { lookup: Lookup }, "lookup").mockImplementation((name, options, ...rest) => {
    const [callback] = rest as [(error: null, found: LookupAddress[]) => void];
    if (name === "localhost") callback(null, both);
    else lookup(name, options, ...rest);
  });
  onTestFinished(() => spy.mockRestore());
}

test("on localhost each of its addresses has the routes that are added with their first request", async ({ skip }) => {
  const ofInterfaces = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  skip(!ofInterfaces.some(({ address }) => address === "::1"), "this machine has no IPv6 on its loopback");
  giveTwoAddresses();
  const service = await openTestService();
  const app = await openHttpApp({ service, apiKey: null });
  onTestFinished(() => app.close());
  await app.listen({ host: "localhost", port: 0 });
  const addresses = app.addresses() as AddressInfo[];
  expect(addresses.map(({ address }) => address)).toEqual(["::1", "127.0.0.1"]);
  const port = addresses[0]?.port;
  for (const host of ["[::1]", "127.0.0.1"]) {
    for (const path of ["/v1/models", "/v1beta/models", "/v1alpha/models", "/sheaf/faults"]) {
      expect([host, path, (await fetch(`http://${host}:${port}${path}`)).status]).toEqual([host, path, 200]);
    }
  }
});
