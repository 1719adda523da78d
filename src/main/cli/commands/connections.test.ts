import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenaiService, startOpenaiService } from "../../connections/testing/openai-service.ts";
import { leavePassphraseFile } from "../../secrets/testing/passphrase-file.ts";
import { findSecrets } from "../testing/find-secrets.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const key = "sk-0123456789abcdefghijklmnop";
const inFolder = setUpFolder();
let remote: OpenaiService;
beforeAll(async () => {
  remote = await startOpenaiService("openai", key);
});
afterAll(async () => {
  await remote.close();
});

const env = { MY_KEY: key, SHEAF_SECRETS: "memory" };
const sheaf = async (...args: string[]) => {
  const done = await runSheaf([...args, "--data-dir", inFolder("data")], { env });
  expect(findSecrets(done.stdout + done.stderr, { key })).toEqual([]);
  return done;
};

test("a connection is added, listed without its key, tested and removed", async () => {
  expect((await sheaf("connections", "list")).stderr).toContain("There is no connection yet");
  const added = await sheaf(
    "connections",
    "add",
    "Mine",
    "--adapter",
    "openai-batch",
    "--url",
    remote.url,
    "--key-env",
    "MY_KEY",
  );
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("Mine is added.") });
  expect((await sheaf("connections", "list")).stdout).toBe(`Mine\topenai-batch\t${remote.url}\tkey stored\n`);
  expect(await sheaf("connections", "test", "Mine")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("✓ batches"),
  });
  expect(await readFile(inFolder("data/connections.json"), "utf8")).not.toContain(key);
  expect((await sheaf("connections", "remove", "Mine")).code).toBe(0);
  expect(await sheaf("connections", "test", "Mine")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is none yet."),
  });
});

test("prices and limits are given by flags, and a change keeps what is not given", async () => {
  const read = async (...args: string[]) => JSON.parse((await sheaf("connections", ...args, "--json")).stdout);
  const price = (kind: string, ...amounts: string[]) => amounts.flatMap((amount) => [`--price-${kind}`, amount]);
  const added = await read(
    "add",
    "Priced",
    "--preset",
    "ollama",
    ...price("input", "1", "org/m=v1=2.5"),
    ...price("output", "3", "org/m=v1=10"),
    ...price("cache-write-1h", "org/m=v1=5"),
    ...price("factor", "0.5", "other=0.25"),
    ...["--max-lines", "100", "--max-bytes", "1000", "--max-queued-tokens", "9", "--model", "a=b"],
  );
  const prices = { cached: null, cacheWrite: null, cacheWrite1h: null };
  expect(added).toMatchObject({
    prices: { ...prices, input: 1, output: 3 },
    priceFactor: 0.5,
    modelPrices: [
      { model: "org/m=v1", prices: { ...prices, input: 2.5, output: 10, cacheWrite1h: 5 }, factor: null },
      { model: "other", prices: null, factor: 0.25 },
    ],
    limits: { lines: 100, bytes: 1_000, tokens: 9 },
  });
  const changed = await read(
    ...[
      "change",
      "Priced",
      "--proxy",
      "socks5://127.0.0.1:1080",
      "--ca-file",
      "/etc/company.pem",
      "--price-cached",
      "0.1",
      "--price-cached",
      "org/m=v1=0.2",
      "--max-lines",
      "50",
    ],
    ...["--model", "c=d", "--concurrency", "3"],
  );
  expect(changed).toEqual({
    ...added,
    proxy: "socks5://127.0.0.1:1080",
    caFile: "/etc/company.pem",
    concurrency: 3,
    models: { a: "b", c: "d" },
    limits: { ...added.limits, lines: 50 },
    prices: { ...added.prices, cached: 0.1 },
    modelPrices: [
      { ...added.modelPrices[0], prices: { ...added.modelPrices[0].prices, cached: 0.2 } },
      added.modelPrices[1],
    ],
  });
  const { proxy, caFile } = await read("change", "Priced", "--proxy", "-", "--ca-file", "-");
  expect([proxy, caFile]).toEqual([null, null]);
});

test("a key is piped in, and one whose variable is not set is missing, not refused", async () => {
  const dataDir = ["--data-dir", inFolder("piped")];
  const kept = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: "a long passphrase" };
  await leavePassphraseFile(inFolder("piped"), kept.SHEAF_PASSPHRASE);
  const at = ["--adapter", "openai-batch", "--url", remote.url];
  const piped = await runSheaf(["connections", "add", "Piped", ...at, ...dataDir], { env: kept, stdin: `${key}\n` });
  expect(piped).toMatchObject({ code: 0, stderr: expect.stringContaining("is added") });
  const tried = await runSheaf(["connections", "test", "Piped", ...dataDir], { env: kept });
  expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining("The key is accepted.") });
  await runSheaf(["connections", "add", "Unset", ...at, "--key-env", "NO_KEY", ...dataDir], { env: kept });
  const { code, stdout } = await runSheaf(["connections", "test", "Unset", ...dataDir], { env: kept });
  expect(code).toBe(1);
  expect(stdout).toContain("✗ key: Unset wants a key: the variable NO_KEY is not set.");
  expect((await runSheaf(["connections", "list", ...dataDir], { env: kept })).stdout).toContain(
    "the variable NO_KEY is not set\n",
  );
});

test("a key is taken without what is copied with it, and a character that can't be sent is named", async () => {
  const dataDir = ["--data-dir", inFolder("pasted")];
  const at = ["--adapter", "openai-batch", "--url", remote.url];
  const kept = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: "a long passphrase", MY_KEY: ` Bearer ${key}\r\n` };
  await leavePassphraseFile(inFolder("pasted"), kept.SHEAF_PASSPHRASE);
  for (const [name, flags, stdin] of [
    ["Pasted", [], ` Bearer ${key} \n`],
    ["Variable", ["--key-env", "MY_KEY"], ""],
  ] as const) {
    await runSheaf(["connections", "add", name, ...at, ...flags, ...dataDir], { env: kept, stdin });
    expect(await runSheaf(["connections", "test", name, ...dataDir], { env: kept })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("The key is accepted."),
    });
  }
  const strange = { ...kept, MY_KEY: `${key}\u200b` };
  const problem = "has an invisible character (U+200B) at position 30. No request can carry it: copy the key again.";
  const piped = await runSheaf(["connections", "add", "B", ...at, ...dataDir], { env: kept, stdin: `${key}\u200b\n` });
  expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining(`The key ${problem}`) });
  const named = await runSheaf(["connections", "add", "B", ...at, "--key-env", "MY_KEY", ...dataDir], { env: strange });
  expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining(`--key-env: the key in MY_KEY ${problem}`) });
  const tried = await runSheaf(["connections", "test", "Variable", ...dataDir], { env: strange });
  expect(tried.stdout).toContain(
    "✗ key: Variable could not be sent its key: the key has an invisible character (U+200B) at position 30.",
  );
  expect(tried.stdout).not.toContain("address");
});

test("wrong flags are refused in one sentence", async () => {
  const cases = [
    [["add", "A"], "Give --preset, or --adapter and --url."],
    [["add", "A", "--preset", "nobody"], "--preset expects one of ollama,"],
    [["add", "A", "--adapter", "chat"], "This needs an address"],
    [["add", "A", "--preset", "openai"], "OpenAI needs a key"],
    [["add", "A", "--adapter", "chat", "--url", "ftp://a"], "--url expects an address"],
    [["add", "A", "--preset", "ollama", "--price-input", "1"], "Prices need both: --price-input USD"],
    [["add", "A", "--preset", "ollama", "--price-input", "m=-1"], "--price-input expects [MODEL=]USD"],
    [["add", "A", "--preset", "ollama", "--price-factor", "m=0"], "--price-factor expects [MODEL=]N"],
    [
      ["add", "A", "--preset", "openai", "--proxy", "http://me:secret@proxy.test:80"],
      "--proxy expects http://HOST:PORT or socks5://HOST:PORT without a password, or - for the environment's.",
    ],
    [["change", "Nobody", "--concurrency", "2"], "There is no connection called Nobody."],
  ] as const;
  for (const [args, sentence] of cases) {
    expect(await sheaf("connections", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  }
});
