import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSilentLogger } from "#main/base";
import { openSecretStore, type SecretStoreOptions } from "./open-secret-store.ts";
import type { PassphraseSource } from "./passphrase-file.ts";
import { createPassphraseCipher } from "./passphrase-file.ts";
import type { SystemCipher } from "./system-file.ts";
import { createKeyringStub } from "./testing/keyring-stub.ts";
import { leavePassphraseFile } from "./testing/passphrase-file.ts";
import { lackingForKeyring, openPrivateKeyring, type PrivateKeyring } from "./testing/private-keyring.ts";

const key = "sk-sheaf-0123456789abcdefghijklmnopqrstuv";
const token = "mcp-sheaf-0123456789abcdefghijklmnopqrstuv";
const right = "correct horse battery staple";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sheaf-secrets-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Without a session bus there is no keychain on Linux; elsewhere the keychain of the user who runs the tests is left alone. */
const noKeychain = process.platform === "linux" ? {} : { keychainWorker: new URL("file:///nowhere/worker.js") };

function open(options: Partial<SecretStoreOptions> = {}) {
  return openSecretStore({ choice: "auto", dataDir, env: {}, logger: createSilentLogger(), ...noKeychain, ...options });
}

/** The least that a file may have: each key that is derived at the recommended cost takes a third of a second. */
const cost = { n: 2 ** 14, r: 8, p: 1 };

function given(passphrase: string): PassphraseSource {
  return { canRepeat: false, ask: async () => passphrase, cost };
}

/** Someone at a terminal who types these, one after the other. */
function typing(passphrases: readonly (string | null)[], asked: string[] = []): PassphraseSource {
  const left = [...passphrases];
  return {
    canRepeat: true,
    cost,
    async ask(_file, purpose) {
      asked.push(purpose);
      return left.shift() ?? null;
    },
  };
}

const inFolder = (name: string) => join(dataDir, name);

/** A file under the right passphrase, as an earlier start has left it. */
async function leaveFile(...names: ("api_key" | "mcp_token")[]): Promise<void> {
  const values = { api_key: key, mcp_token: token };
  await leavePassphraseFile(dataDir, right, Object.fromEntries(names.map((name) => [name, values[name]])));
}

/** How a text may stand in a file. */
function forms(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [bytes, Buffer.from(bytes.toString("hex")), Buffer.from(bytes.toString("base64").slice(0, -2))];
}

describe("a file under a passphrase", () => {
  const passphrase = given(right);

  it("keeps secrets from one start to the next, for the user alone, and nothing of them can be read in it", async () => {
    const store = await open({ passphrase: { canRepeat: false, ask: async () => right } });
    expect(store).toMatchObject({ kind: "file", note: "Kept in an encrypted file, under your passphrase." });
    await store.set("api_key", key);
    await store.set("mcp_token", token);
    expect(JSON.parse(await readFile(inFolder("secrets.json"), "utf8")).cipher).toMatchObject({
      n: 2 ** 17,
      r: 8,
      p: 1,
    });
    const again = await open({ passphrase });
    expect([await again.get("api_key"), await again.get("mcp_token")]).toEqual([key, token]);
    expect(await readdir(dataDir)).toEqual(["secrets.json"]);
    const bytes = await readFile(inFolder("secrets.json"));
    for (const text of [key, token, right]) for (const form of forms(text)) expect(bytes.includes(form)).toBe(false);
    if (process.platform !== "win32") expect((await stat(inFolder("secrets.json"))).mode & 0o777).toBe(0o600);
  });

  it("has all that several processes store at the same time, of which the first makes it", async () => {
    const [one, other] = await Promise.all([open({ passphrase }), open({ passphrase })]);
    await Promise.all([one.set("api_key", key), other.set("mcp_token", token)]);
    expect([one.kind, other.kind]).toEqual(["file", "file"]);
    const again = await open({ passphrase });
    expect([await again.get("api_key"), await again.get("mcp_token")]).toEqual([key, token]);

    // Made anew under the same passphrase, it takes what an open store has; under another one it is left as it is.
    await leaveFile("mcp_token");
    await one.set("api_key", key);
    expect((await (await open({ passphrase })).get("api_key"))?.length).toBe(key.length);
    await leaveFile();
    const bytes = await readFile(inFolder("secrets.json"), "utf8");
    const { header } = await createPassphraseCipher("another passphrase", cost);
    await writeFile(inFolder("secrets.json"), JSON.stringify({ ...JSON.parse(bytes), cipher: header }));
    const before = await readFile(inFolder("secrets.json"));
    await one.set("mcp_token", token);
    expect(one).toMatchObject({ kind: "memory", note: expect.stringContaining("Not kept") });
    expect(await readFile(inFolder("secrets.json"))).toEqual(before);
    expect(await readdir(dataDir)).toEqual(["secrets.json"]);
  });

  it("is not there any more when nothing is left in it", async () => {
    await leaveFile("api_key");
    await (await open({ passphrase })).remove("api_key");
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("does not open with another passphrase; it says so, and loses nothing", async () => {
    await leaveFile("api_key");
    const before = await readFile(inFolder("secrets.json"));
    const refused = open({ passphrase: given("incorrect horse") });
    await expect(refused).rejects.toThrow(/The passphrase is not the one of .*secrets\.json\. Nothing was changed\./);
    await expect(refused).rejects.not.toThrow(/horse/);
    expect(await readFile(inFolder("secrets.json"))).toEqual(before);
    expect(await (await open({ passphrase })).get("api_key")).toBe(key);
  });

  it("asks somebody at a terminal, up to three times, and only where the file is there or asked for by name", async () => {
    const asked: string[] = [];
    expect((await open({ passphrase: typing([right], asked) })).kind).toBe("memory");
    expect(asked).toEqual([]);
    expect((await open({ choice: "file", passphrase: typing([right], asked) })).kind).toBe("file");
    expect(asked.splice(0)).toEqual(["new"]);
    await leaveFile("api_key");
    const second = await open({ passphrase: typing(["no", "nor this", right], asked) });
    expect(await second.get("api_key")).toBe(key);
    expect(asked.splice(0)).toEqual(["known", "again", "again"]);
    await expect(open({ passphrase: typing(["a", "b", "c"]) })).rejects.toThrow("The passphrase is not the one");
    const without = await open({ passphrase: typing([null]) });
    expect(without).toMatchObject({
      kind: "memory",
      note: expect.stringContaining("secrets.json needs its passphrase"),
    });
    await expect(open({ choice: "file" })).rejects.toThrow("Set SHEAF_PASSPHRASE");
  });

  it("that is damaged, or comes from elsewhere, is kept aside; its keys are asked for again and kept from then on", async () => {
    await leaveFile("api_key", "mcp_token");
    const { cipher, secrets } = JSON.parse(await readFile(inFolder("secrets.json"), "utf8"));
    const systemCipher = createSystemCipher();
    const files = [
      // One is enough of those whose key takes long to derive.
      [JSON.stringify({ sealed: 1, version: 1, cipher, secrets, crc: "00000000" }), "secrets.json", { passphrase }],
      ["{", "secrets.system.json", { systemCipher }],
      ["[]", "secrets.system.json", { systemCipher }],
      [JSON.stringify({ version: 1, cipher, secrets }), "secrets.system.json", { systemCipher }],
    ] as const;
    for (const [content, file, options] of files) {
      for (const name of await readdir(dataDir)) await rm(inFolder(name));
      await writeFile(inFolder(file), content);
      const store = await open(options);
      expect(await store.get("api_key"), content).toBeNull();
      const aside = (await readdir(dataDir)).find((name) => name.includes("unreadable")) ?? "";
      expect(aside).toMatch(/^secrets(\.system)?\.unreadable-[0-9a-f]{8}\.json$/);
      expect(store.note).toContain("enter the keys in it again");
      expect(store.note).toContain(aside);
      await store.set("api_key", "sk-entered-again");
      expect(await (await open(options)).get("api_key")).toBe("sk-entered-again");
      expect(await readFile(inFolder(aside), "utf8")).toBe(content);
      expect((await readdir(dataDir)).sort()).toEqual([file, aside].sort());
    }
  });

  it("keeps the other keys where one of them can't be read, and never loses that one's bytes", async () => {
    await leaveFile("api_key", "mcp_token");
    const { cipher, secrets } = JSON.parse(await readFile(inFolder("secrets.json"), "utf8"));
    for (const bytes of [secrets.mcp_token, `${secrets.api_key.slice(0, -8)}AAAAAAA=`, "AAAA"]) {
      for (const name of await readdir(dataDir)) await rm(inFolder(name));
      const content = { version: 1, cipher, secrets: { ...secrets, api_key: bytes } };
      await writeFile(inFolder("secrets.json"), JSON.stringify(content));
      const store = await open({ passphrase });
      expect([await store.get("api_key"), await store.get("mcp_token")]).toEqual([null, token]);
      expect(store.note).toMatch(
        /^Kept in an encrypted file, under your passphrase\. 1 key in .* can't be read: enter it again/,
      );
      // Started again before it was entered, and after.
      await open({ passphrase });
      await store.set("api_key", "sk-entered-again");
      const again = await open({ passphrase });
      expect([await again.get("api_key"), await again.get("mcp_token")]).toEqual(["sk-entered-again", token]);
      expect(again.note).toBe("Kept in an encrypted file, under your passphrase.");
      const asides = (await readdir(dataDir)).filter((name) => name.includes("unreadable"));
      expect(asides).toHaveLength(1);
      expect(await readFile(inFolder(asides[0] ?? ""), "utf8")).toContain(bytes);
    }
  });

  it("of a newer version is refused and left as it is", async () => {
    await leaveFile("api_key");
    const { cipher, secrets } = JSON.parse(await readFile(inFolder("secrets.json"), "utf8"));
    const newer = JSON.stringify({ version: 2, cipher, secrets });
    await writeFile(inFolder("secrets.json"), newer);
    await expect(open({ passphrase })).rejects.toThrow(
      /was written by a newer version of Sheaf\. It was left as it is/,
    );
    expect(await readdir(dataDir)).toEqual(["secrets.json"]);
    expect(await readFile(inFolder("secrets.json"), "utf8")).toBe(newer);
  });
});

/** As the versions 2db1be4 and 7ab37f8 name what they store: for one data folder. */
const accountOf = (name: string) => {
  const scope = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return `Sheaf ${name} ${scope}`;
};

describe("keys that older versions stored", () => {
  const connection = "connection:conn_1";

  it("are there: in the keychain, under a system's key and under a passphrase", async () => {
    const keyring = createKeyringStub({
      [accountOf("api_key")]: key,
      [accountOf("mcp_token")]: token,
      [accountOf(connection)]: "sk-elsewhere",
      "Sheaf api_key 0123456789abcdef": "sk-of-another-folder",
    });
    const inKeychain = await open(keyring);
    expect(inKeychain.kind).toBe("keychain");
    expect([
      await inKeychain.get("api_key"),
      await inKeychain.get("mcp_token"),
      await inKeychain.get(connection),
    ]).toEqual([key, token, "sk-elsewhere"]);

    const systemCipher = createSystemCipher();
    const seal = async (name: string, value: string) =>
      (await systemCipher.encrypt(JSON.stringify({ name, value }))).toString("base64");
    const secrets = { api_key: await seal("api_key", key), [connection]: await seal(connection, "sk-elsewhere") };
    await writeFile(
      inFolder("secrets.system.json"),
      JSON.stringify({ version: 1, cipher: { name: "system" }, secrets }),
    );
    const underSystem = await open({ systemCipher });
    expect([underSystem.kind, await underSystem.get("api_key"), await underSystem.get(connection)]).toEqual([
      "safe_storage",
      key,
      "sk-elsewhere",
    ]);
    await rm(inFolder("secrets.system.json"));

    await leaveFile("api_key", "mcp_token");
    const underPassphrase = await open({ passphrase: given(right) });
    expect([await underPassphrase.get("api_key"), await underPassphrase.get("mcp_token")]).toEqual([key, token]);
  });

  it("stay where they are while they can't be read: a keychain that is locked, a key of the system's that is lost", async () => {
    const keyring = createKeyringStub({ [accountOf("api_key")]: key, [accountOf(connection)]: "sk-elsewhere" });
    const before = new Map(keyring.entries);
    keyring.isLocked = true;
    const locked = await open(keyring);
    expect(locked.note).toMatch(/^Not kept: .* the system's keychain is locked/);
    expect([await locked.get("api_key"), await locked.get(connection)]).toEqual([null, null]);
    await locked.set(connection, "sk-entered-again");
    expect(await locked.get(connection)).toBe("sk-entered-again");
    keyring.isLocked = false;
    expect(keyring.entries).toEqual(before);
    expect(await (await open(keyring)).get(connection)).toBe("sk-elsewhere");

    await (await open({ systemCipher: createSystemCipher() })).set("api_key", key);
    const left = await readFile(inFolder("secrets.system.json"));
    const lost = await open({ systemCipher: createSystemCipher() });
    expect(lost.kind).toBe("memory");
    expect(lost.note).toMatch(
      /^Not kept: .*The system's key can't read .*secrets\.system\.json: it was left as it is\.$/,
    );
    await lost.set("api_key", "sk-entered-again");
    expect(await readFile(inFolder("secrets.system.json"))).toEqual(left);
  });
});

/** What Electron's safeStorage does, with a key that lasts as long as the test. */
function createSystemCipher(): SystemCipher & { available: boolean } {
  const secret = randomBytes(32);
  return {
    available: true,
    async isAvailable() {
      return this.available;
    },
    async encrypt(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", secret, iv);
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    async decrypt(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", secret, sealed.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(sealed.subarray(12, 28));
      return decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
    },
  };
}

describe("a file under a key of the system's", () => {
  it("is used where the host has such a key, and only there", async () => {
    const systemCipher = createSystemCipher();
    const store = await open({ systemCipher });
    expect(store.kind).toBe("safe_storage");
    await store.set("api_key", key);
    expect(await (await open({ systemCipher })).get("api_key")).toBe(key);
    for (const form of forms(key)) expect((await readFile(inFolder("secrets.system.json"))).includes(form)).toBe(false);
    if (process.platform !== "win32") expect((await stat(inFolder("secrets.system.json"))).mode & 0o777).toBe(0o600);
    systemCipher.available = false;
    expect((await open({ systemCipher })).kind).toBe("memory");
  });

  it("is left as it is when the system's key can't read it any more", async () => {
    await (await open({ systemCipher: createSystemCipher() })).set("api_key", key);
    const before = await readFile(inFolder("secrets.system.json"));
    const store = await open({ systemCipher: createSystemCipher() });
    expect(store.kind).toBe("memory");
    await store.set("api_key", "sk-sheaf-another");
    expect(await readFile(inFolder("secrets.system.json"))).toEqual(before);
  });

  it("is left alone by commands, which name it when they want a key of a connection that is in it", async () => {
    const app = await open({ systemCipher: createSystemCipher() });
    const connection = "connection:conn_0123456789ab";
    await app.set(connection, "sk-of-the-app");
    await app.set("api_key", key);
    const before = await readFile(inFolder("secrets.system.json"));
    const warn = vi.fn();
    const store = await open({ logger: { ...createSilentLogger(), warn } });
    expect([await store.get("api_key"), await store.get("connection:conn_ba9876543210")]).toEqual([null, null]);
    expect(warn).not.toHaveBeenCalled();
    expect([await store.get(connection), await store.get(connection)]).toEqual([null, null]);
    const sentence =
      /^Only the desktop app can read .*secrets\.system\.json.* sheaf connections key NAME --key-env VAR$/;
    expect(warn.mock.calls).toEqual([[expect.stringMatching(sentence)]]);
    expect(store.note).toContain(warn.mock.calls[0]?.[0]);
    await store.set(connection, "sk-here");
    expect([await store.get(connection), store.note]).toEqual(["sk-here", expect.stringContaining("--key-env")]);
    expect(await readFile(inFolder("secrets.system.json"))).toEqual(before);
  });
});

describe("a better place that appears", () => {
  it("takes over what is in the lesser one, which is emptied", async () => {
    const passphrase = given(right);
    const systemCipher = createSystemCipher();
    await leaveFile("api_key");
    const better = await open({ passphrase, systemCipher });
    expect([better.kind, await better.get("api_key")]).toEqual(["safe_storage", key]);
    expect(await readdir(dataDir)).toEqual(["secrets.system.json"]);
  });

  it("that does not keep what it is given leaves all where it is; the secrets are there for this session", async () => {
    const passphrase = given(right);
    await leaveFile("api_key");
    const broken: SystemCipher = {
      ...createSystemCipher(),
      isAvailable: async () => true,
      encrypt: () => Promise.reject(new Error("no")),
    };
    const store = await open({ passphrase, systemCipher: broken });
    expect(await store.get("api_key")).toBe(key);
    expect(await readdir(dataDir)).toEqual(["secrets.json"]);
  });

  describe.skipIf(lackingForKeyring !== null)("the keychain", () => {
    let keyring: PrivateKeyring;
    beforeEach(async () => {
      keyring = await openPrivateKeyring();
    });
    afterEach(() => keyring[Symbol.asyncDispose]());

    it("takes over from both files; what it has itself holds", async () => {
      const passphrase = given(right);
      const systemCipher = createSystemCipher();
      await keyring.start("unlocked");
      await (await open({ env: keyring.env })).set("mcp_token", token);
      await (await open({ passphrase })).set("api_key", key);
      await (await open({ systemCipher })).set("mcp_token", "mcp-sheaf-lesser");
      const store = await open({ env: keyring.env, passphrase, systemCipher });
      expect([store.kind, await store.get("api_key"), await store.get("mcp_token")]).toEqual(["keychain", key, token]);
      expect(await readdir(dataDir)).toEqual([]);
      const alone = await open({ env: keyring.env });
      expect([await alone.get("api_key"), await alone.get("mcp_token")]).toEqual([key, token]);
    });
  });
});

describe("memory", () => {
  it("says that nothing is kept, why, and what to do about it", async () => {
    expect(await open()).toMatchObject({
      kind: "memory",
      note: expect.stringMatching(
        process.platform === "linux" ? /^Not kept: .*no keychain.*SHEAF_PASSPHRASE/ : /^Not kept: /,
      ),
    });
    expect(await open({ choice: "memory", passphrase: given(right) })).toMatchObject({ kind: "memory" });
    expect(await readdir(dataDir)).toEqual([]);
  });
});
