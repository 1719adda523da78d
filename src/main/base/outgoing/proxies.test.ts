import { describe, expect, it } from "vitest";
import { findIgnoredProxy, findProxy, ProxyError } from "./proxies.ts";

const hrefOf = (target: string, env: Record<string, string>) => findProxy(new URL(target), env)?.url.href ?? null;

describe("A proxy variable", () => {
  it.each([
    ["proxy.test:8080", "http://proxy.test:8080/"],
    ["10.0.0.1:8080", "http://10.0.0.1:8080/"],
    ["proxy.test", "http://proxy.test/"],
    ["someone:secret@proxy.test:8080", "http://someone:secret@proxy.test:8080/"],
    [" http://proxy.test:8080 ", "http://proxy.test:8080/"],
    ["HTTPS://proxy.test", "https://proxy.test/"],
    ["socks5://127.0.0.1:1080", "socks5://127.0.0.1:1080"],
    ["socks5h://someone:secret@proxy.test:1080", "socks5h://someone:secret@proxy.test:1080"],
    ["Socks://127.0.0.1:1080/", "socks5://127.0.0.1:1080/"],
  ])("%s is read as %s", (value, href) => {
    expect(hrefOf("http://service.test/v1", { HTTP_PROXY: value })).toBe(href);
  });

  it.each([
    "socks4://127.0.0.1:1080",
    "socks5://",
    "ftp://proxy.test",
    "http://",
    "http://proxy.test:99999",
    '"http://proxy.test:8080"',
    "http://some%one:secret@proxy.test:8080",
  ])("%s is refused with the variable's name and the form, without its value", (value) => {
    const read = () => findProxy(new URL("https://service.test/v1"), { https_proxy: value });
    expect(read).toThrow(ProxyError);
    expect(read).toThrow("https_proxy is not of the form http://HOST:PORT or socks5://HOST:PORT");
  });

  it.each([
    ["https://service.test", { HTTPS_PROXY: "one.test", HTTP_PROXY: "two.test" }, "http://one.test/"],
    ["https://service.test", { HTTP_PROXY: "two.test" }, "http://two.test/"],
    ["http://service.test", { HTTPS_PROXY: "one.test" }, null],
    ["http://service.test", { http_proxy: "one.test", HTTP_PROXY: "two.test" }, "http://one.test/"],
    ["http://service.test", { http_proxy: "", HTTP_PROXY: "two.test" }, null],
    ["http://service.test", { HTTP_PROXY: " " }, null],
    ["https://service.test", { HTTPS_PROXY: "one.test", HTTP_PROXY: "ftp://two.test" }, "http://one.test/"],
    ["http://service.test", { HTTPS_PROXY: "one.test", ALL_PROXY: "two.test" }, "http://two.test/"],
    ["https://service.test", { all_proxy: "socks5://two.test" }, "socks5://two.test"],
    ["https://service.test", { HTTP_PROXY: "one.test", ALL_PROXY: "two.test" }, "http://one.test/"],
    ["http://service.test", { ALL_PROXY: "socks://127.0.0.1:1080/" }, "socks5://127.0.0.1:1080/"],
    ["https://service.test", { ALL_PROXY: "socks4://proxy.test" }, null],
    ["http://service.test", { all_proxy: " FTP://proxy.test", ALL_PROXY: "two.test" }, null],
    ["http://service.test", { HTTP_PROXY: "one.test", ALL_PROXY: "socks4://two.test" }, "http://one.test/"],
    ["http://service.test", {}, null],
  ])("for %s is chosen from %o: %s", (target, env, href) => {
    expect(hrefOf(target, { ...env })).toBe(href);
  });

  it("for all services that is ignored for its scheme is named", () => {
    const find = (env: Record<string, string>, target = "https://service.test") =>
      findIgnoredProxy(new URL(target), env);
    expect(find({ ALL_PROXY: "socks4://proxy.test" })).toBe("ALL_PROXY");
    expect(find({ all_proxy: " FTP://proxy.test", ALL_PROXY: "two.test" })).toBe("all_proxy");
    expect(find({ ALL_PROXY: "socks4://proxy.test" }, "http://localhost")).toBeNull();
    expect(find({ ALL_PROXY: "socks4://proxy.test", NO_PROXY: "service.test" })).toBeNull();
    expect(find({ ALL_PROXY: "socks4://proxy.test", HTTPS_PROXY: "ftp://proxy.test" })).toBeNull();
    expect(find({ ALL_PROXY: "two.test" })).toBeNull();
  });

  it("for all services is refused where its scheme is one of a proxy and the rest is wrong", () => {
    const read = () => hrefOf("http://service.test", { ALL_PROXY: "http://proxy.test:99999" });
    expect(read).toThrow("ALL_PROXY is not of the form");
    expect(() => hrefOf("http://service.test", { HTTP_PROXY: "ftp://one.test", ALL_PROXY: "two.test" })).toThrow(
      "HTTP_PROXY is not of the form",
    );
  });
});

it.each([
  "http://localhost:11434/v1",
  "http://LOCALHOST./v1",
  "http://models.localhost/v1",
  "http://127.0.0.1:8000/v1",
  "https://127.1.2.3/v1",
  "http://[::1]:8000/v1",
  "http://[::ffff:127.0.0.1]:8000/v1",
  "http://0.0.0.0:8000/v1",
])("%s is on this machine: no proxy variable is read", (target) => {
  const broken = { HTTP_PROXY: "ftp://proxy.test", HTTPS_PROXY: "ftp://proxy.test" };
  expect(hrefOf(target, broken)).toBeNull();
  expect(findProxy(new URL(target), {}, "http://proxy.test")).toBeNull();
});

it.each([
  ["http://service.test/v1", "service.test", true],
  ["http://eu.service.test/v1", "service.test", true],
  ["http://service.test/v1", ".service.test", true],
  ["http://service.test/v1", "*.service.test", false],
  ["http://eu.service.test/v1", "*.service.test", true],
  ["http://otherservice.test/v1", "service.test", false],
  ["http://service.test/v1", "a.test, SERVICE.test.", true],
  ["http://service.test/v1", "a.test b.test", false],
  ["http://service.test:8000/v1", "service.test:8000", true],
  ["https://service.test/v1", "service.test:443", true],
  ["http://service.test/v1", "service.test:443", false],
  ["http://[fd00::1]:8000/v1", "fd00::1", true],
  ["http://[fd00::1]:8000/v1", "[fd00::1]:8000", true],
  ["http://[fd00::1]:8000/v1", "[fd00::1]:80", false],
  ["http://service.test/v1", "a.test,*", true],
  ["http://10.1.2.3/v1", "10.0.0.0/8", true],
  ["http://11.1.2.3/v1", "10.0.0.0/8,192.168.0.0/16", false],
  ["http://192.168.7.7:8000/v1", "10.0.0.0/8, 192.168.0.0/16", true],
  ["http://[fd00::7]/v1", "fd00::/8", true],
  ["http://[fd00::7]/v1", "[fd00::]/8", true],
  ["http://[fe00::7]/v1", "fd00::/8", false],
  ["http://10.1.2.3/v1", "10.0.0.0/33", false],
  ["http://10.1.2.3/v1", "10.0.0.0/", false],
  ["http://service.test/v1", "0.0.0.0/0", false],
  ["http://service.test/v1", "", false],
])("%s with NO_PROXY=%s is called directly: %s", (target, list, isDirect) => {
  const proxies = { HTTP_PROXY: "proxy.test", HTTPS_PROXY: "proxy.test" };
  expect(hrefOf(target, { ...proxies, NO_PROXY: list }) === null).toBe(isDirect);
  if (isDirect) expect(hrefOf(target, { HTTP_PROXY: "ftp://proxy.test", no_proxy: list })).toBeNull();
});
