import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSilentLogger, type Logger } from "#main/base";
import type { LogFields } from "../../base/ports.ts";
import { createFakeMachine } from "../../service/testing/index.ts";
import { openSecretStore, type SecretStoreOptions } from "../open-secret-store.ts";
import { lackingForKeyring, openPrivateKeyring, type PrivateKeyring } from "../testing/private-keyring.ts";

const title = `the system's keychain${lackingForKeyring === null ? "" : ` (skipped: ${lackingForKeyring})`}`;
const key = "sk-sheaf-0123456789abcdefghijklmnopqrstuv";

describe.skipIf(lackingForKeyring !== null)(title, () => {
  let keyring: PrivateKeyring;
  let dataDir: string;
  beforeEach(async () => {
    keyring = await openPrivateKeyring();
    dataDir = await mkdtemp(join(tmpdir(), "sheaf-secrets-"));
  });
  afterEach(async () => {
    await keyring[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });

  function open(options: Partial<SecretStoreOptions> = {}) {
    const { env } = keyring;
    return openSecretStore({ choice: "auto", dataDir, env, logger: createSilentLogger(), ...options });
  }

  it("keeps secrets from one start to the next, each data folder its own, and nothing on disk", async () => {
    await keyring.start("unlocked");
    const store = await open();
    expect(store).toMatchObject({ kind: "keychain", note: "Kept in the system's keychain." });
    await store.set("api_key", key);
    await store.set("mcp_token", "mcp-sheaf-1");
    const again = await open();
    expect([await again.get("api_key"), await again.get("mcp_token")]).toEqual([key, "mcp-sheaf-1"]);
    const other = await open({ dataDir: join(dataDir, "other") });
    expect(await other.get("api_key")).toBeNull();
    await again.remove("api_key");
    expect(await (await open()).get("api_key")).toBeNull();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("is passed over while it is locked, with a word on that; what it holds is there again when it is open", async () => {
    await keyring.start("unlocked");
    await (await open()).set("api_key", key);
    await keyring.stop();
    await keyring.start("locked");
    const store = await open();
    expect(store.kind).toBe("memory");
    expect(store.note).toMatch(/^Not kept: .* because the system's keychain (is locked|can't be reached)/);
    await store.set("mcp_token", "mcp-sheaf-only-now");
    expect(await store.get("mcp_token")).toBe("mcp-sheaf-only-now");
    await keyring.stop();
    await keyring.start("unlocked");
    const opened = await open();
    expect([await opened.get("api_key"), await opened.get("mcp_token")]).toEqual([key, null]);
  });

  it("is given three seconds to answer, and its process is ended then", async () => {
    await keyring.start("unlocked");
    keyring.freeze();
    const machine = createFakeMachine();
    const opening = open({ machine });
    await expect.poll(() => machine.pending).toBe(1);
    await machine.advance(30_000);
    expect((await opening).note).toContain("did not answer in time");
  });

  it("is not waited for in a session without one, nor on a bus without one", async () => {
    const { PATH, HOME } = keyring.env;
    const store = await open({ env: { PATH, HOME } });
    expect(store).toMatchObject({ kind: "memory", note: expect.stringContaining("this session has no keychain") });
    expect((await open()).note).toContain("the system's keychain can't be reached");
  });

  it("is asked for by name, and not replaced by anything else then", async () => {
    await expect(open({ choice: "keychain" })).rejects.toThrow(
      /^Keys can't be kept in the keychain: .*can't be reached/,
    );
  });

  it.each(["stopped", "locked", "frozen"] as const)(
    "when it is %s midway, the session keeps its values and says that changes are not kept",
    async (what) => {
      await keyring.start("unlocked");
      const log: unknown[] = [];
      // Only a keychain that does not answer at all is waited for.
      const machine = what === "frozen" ? createFakeMachine() : undefined;
      const store = await open({ logger: collect(log), ...(machine && { machine }) });
      await store.set("api_key", "sk-sheaf-before");
      if (what === "stopped") await keyring.stop();
      else if (what === "locked") await keyring.lock();
      else keyring.freeze();
      expect(await store.get("api_key")).toBe("sk-sheaf-before");
      const saving = store.set("api_key", key);
      await machine?.advance(30_000);
      await saving;
      expect(await store.get("api_key")).toBe(key);
      expect(store.kind).toBe("memory");
      expect(store.note).toContain("no longer answers");
      expect(JSON.stringify(log)).toContain("a key or token was not stored");
      expect(JSON.stringify(log)).not.toContain(key);
      if (what !== "stopped") return;
      await keyring.start("unlocked");
      await store.set("mcp_token", "mcp-sheaf-2");
      expect(store.kind).toBe("keychain");
      expect(await (await open()).get("api_key")).toBe(key);
    },
  );
});

function collect(log: unknown[]): Logger {
  const keep = (message: string, fields?: LogFields) => void log.push({ message, fields });
  return { debug: keep, info: keep, warn: keep, error: keep };
}
