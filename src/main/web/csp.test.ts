import { expect, it } from "vitest";
import { contentSecurityPolicy, createNonce } from "./csp.ts";

function directive(policy: string, name: string): string | undefined {
  return policy
    .split("; ")
    .find((entry) => entry.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

it("allows the page its own files and nothing else", () => {
  const policy = contentSecurityPolicy({ nonce: "abc" });
  expect(directive(policy, "default-src")).toBe("'none'");
  expect(directive(policy, "script-src")).toBe("'self'");
  expect(directive(policy, "style-src")).toBe("'self' 'nonce-abc'");
  expect(directive(policy, "connect-src")).toBe("'self'");
  for (const name of ["object-src", "base-uri", "frame-ancestors", "form-action"]) {
    expect(directive(policy, name)).toBe("'none'");
  }
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

it("allows the connections that the host names", () => {
  const policy = contentSecurityPolicy({ nonce: "abc", connect: ["ws://127.0.0.1:4747"] });
  expect(directive(policy, "connect-src")).toBe("'self' ws://127.0.0.1:4747");
});

it("has a nonce of 128 bits that is never the same", () => {
  const nonces = Array.from({ length: 100 }, createNonce);
  expect(new Set(nonces).size).toBe(100);
  expect(nonces.every((nonce) => Buffer.from(nonce, "base64").length === 16)).toBe(true);
});
