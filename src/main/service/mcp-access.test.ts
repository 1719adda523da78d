import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemorySecretStore } from "../base/memory-secret-store.ts";
import type { SecretStore } from "../base/ports.ts";
import { createMcpAccess } from "./mcp-access.ts";
import { openTestService } from "./testing/index.ts";

function open(secrets: SecretStore = createMemorySecretStore()) {
  let isEnabled = false;
  const enabled = {
    get: () => isEnabled,
    set(value: boolean) {
      isEnabled = value;
    },
  };
  return createMcpAccess({ secrets, enabled });
}

describe("the MCP token", () => {
  test("has a prefix to recognise it by, and 256 bits that nobody can guess", async () => {
    const tokens = await Promise.all(Array.from({ length: 100 }, () => open().enable()));
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) {
      expect(token).toMatch(/^mcp-sheaf-[\w-]{43}$/);
      expect(Buffer.from(token.slice("mcp-sheaf-".length), "base64url")).toHaveLength(32);
    }
  });

  test("stays the same until it is rotated, also for two that enable at once", async () => {
    const access = open();
    const [first, second] = await Promise.all([access.enable(), access.enable()]);
    await access.disable();
    expect([second, await access.enable()]).toEqual([first, first]);
    const rotated = await access.rotate();
    expect(rotated).not.toBe(first);
    expect(await access.enable()).toBe(rotated);
    expect([await access.admit(first), await access.admit(rotated)]).toEqual(["wrong", "admitted"]);
  });

  test("is refused while disabled, and accepted once it is enabled again", async () => {
    const access = open();
    expect(await access.admit("mcp-sheaf-anything")).toBe("wrong");
    const token = await access.enable();
    expect(await access.admit(token)).toBe("admitted");
    await access.disable();
    expect(await access.admit(token)).toBe("disabled");
    expect(await access.admit(`${token}x`)).toBe("wrong");
    await access.enable();
    expect(await access.admit(token)).toBe("admitted");
  });

  test("that was rotated while disabled stays out until it is enabled", async () => {
    const access = open();
    const token = await access.rotate();
    expect(await access.state()).toEqual({ enabled: false, token });
    expect(await access.admit(token)).toBe("disabled");
  });

  test("is kept in the store of secrets, and the one in force stays when the store fails", async () => {
    const secrets = createMemorySecretStore();
    const token = await open(secrets).enable();
    expect(await secrets.get("mcp_token")).toBe(token);
    const failing = open({ ...secrets, set: () => Promise.reject(new Error("The keyring is locked.")) });
    expect(await failing.enable()).toBe(token);
    await expect(failing.rotate()).rejects.toThrow("The keyring is locked.");
    expect(await failing.admit(token)).toBe("admitted");
  });

  test("is made anew where the store holds something that is none", async () => {
    const secrets = createMemorySecretStore();
    await secrets.set("mcp_token", "hunter2");
    const access = open(secrets);
    expect(await access.admit("hunter2")).toBe("wrong");
    expect(await access.enable()).toMatch(/^mcp-sheaf-/);
  });
});

test("listeners hear of every change until they stop", async () => {
  const access = open();
  const listener = vi.fn();
  const stop = access.subscribe(listener);
  await access.enable();
  await access.rotate();
  await access.disable();
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  await access.enable();
  expect(listener).toHaveBeenCalledTimes(3);
});

describe("after a restart", () => {
  async function makeDataDir(): Promise<string> {
    const dataDir = await mkdtemp(join(tmpdir(), "sheaf-mcp-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    return dataDir;
  }

  test("it is enabled with the same token where data and secrets are kept", async () => {
    const dataDir = await makeDataDir();
    const secrets = createMemorySecretStore();
    const first = await openTestService({ dataDir, secrets });
    const token = await first.mcp.enable();
    await first.close(0);
    const second = await openTestService({ dataDir, secrets });
    expect(await second.mcp.state()).toEqual({ enabled: true, token });
    await second.mcp.disable();
    await second.close(0);
    const third = await openTestService({ dataDir, secrets });
    expect(await third.mcp.state()).toEqual({ enabled: false, token });
  });

  test("it is disabled where the token was not kept", async () => {
    const dataDir = await makeDataDir();
    const first = await openTestService({ dataDir });
    const token = await first.mcp.enable();
    await first.close(0);
    const second = await openTestService({ dataDir });
    expect(await second.mcp.state()).toEqual({ enabled: false, token: null });
    expect(await second.mcp.admit(token)).toBe("wrong");
  });
});
