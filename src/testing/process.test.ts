import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { startSheafProcess } from "sheaf/testing/process";
import { expect, onTestFinished, test } from "vitest";

const model = "deepseek-ai/DeepSeek-R1";

test("twenty tests that run side by side on one server see only their own", async () => {
  const sheaf = await startSheafProcess({ dialect: "openai" });
  onTestFinished(() => sheaf.stop());
  async function runTest(number: number): Promise<void> {
    const scope = sheaf.scope();
    const client = new OpenAI({ baseURL: scope.baseURL, apiKey: scope.apiKey, maxRetries: 0 });
    const ask = () => client.chat.completions.create({ model, messages: [{ role: "user", content: "Who?" }] });
    await scope.rules.set({ rules: [{ reply: { text: `Test ${number}.` } }] });
    expect((await ask()).choices[0]?.message.content).toBe(`Test ${number}.`);
    const line = {
      custom_id: `only-${number}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, messages: [] },
    };
    await client.files.create({ file: new File([JSON.stringify(line)], `${number}.jsonl`), purpose: "batch" });
    expect((await client.files.list()).data.map(({ filename }) => filename)).toEqual([`${number}.jsonl`]);
    if (number % 2 === 0) {
      await scope.faults.set({ failure_rate: 1, statuses: [503] });
      await expect(ask()).rejects.toMatchObject({ status: 503 });
    } else await ask();
    expect(await scope.requests({ path: "/v1/chat" })).toHaveLength(2);
    await scope.reset();
    expect((await client.files.list()).data).toEqual([]);
    expect((await ask()).choices[0]?.message.content).not.toBe(`Test ${number}.`);
  }
  await Promise.all(Array.from({ length: 20 }, (_, number) => runTest(number)));
});

test("rules, faults, limits and the clock are set at its start and over HTTP", async () => {
  const sheaf = await startSheafProcess({
    auth: false,
    allowHosts: ["sheaf.test"],
    lenient: true,
    logBodyBytes: 0,
    fileLimits: { bytes: 1_000, requests: 1 },
    clock: { speed: 0 },
    rules: { rules: [{ reply: { text: "Yes." } }] },
    faults: { latency_ms: 1 },
    webhooks: "http://127.0.0.1:1",
    webhookSecret: "of the test",
  });
  expect([sheaf.webhookSecret, sheaf.scope().webhookSecret]).toEqual(["of the test", "of the test"]);
  onTestFinished(() => sheaf.stop());
  expect(await sheaf.faults.read()).toMatchObject({ latency_ms: 1 });
  const unlocked = new OpenAI({ baseURL: sheaf.baseURL, apiKey: "any", maxRetries: 0 });
  const upload = (bytes: number) =>
    unlocked.files.create({ file: new File(["x".repeat(bytes)], "x.txt"), purpose: "user_data" });
  await expect(upload(1_001)).rejects.toMatchObject({ status: 413 });
  const window = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  await expect(unlocked.batches.create({ input_file_id: "none", ...window })).rejects.toMatchObject({ status: 404 });
  expect(await sheaf.requests({ path: "/v1/batches" })).toMatchObject([{ body: null, body_dropped: true }]);
  const before = await sheaf.clock.now();
  await sheaf.clock.advance("1h");
  expect((await sheaf.clock.now()) - before).toBe(3_600_000);
  await expect(sheaf.rules.set(JSON.parse('{"rules":[{"reply":{"txt":1}}]}'))).rejects.toThrow("txt");
  await expect(sheaf.rules.set(Object.assign({ rules: [] }, { rules: [() => null] }))).rejects.toThrow(
    "Use startSheaf()",
  );
  await sheaf.rules.clear();
});

test("it keeps no script alive, and ends with it", async () => {
  const script = `
    const { startSheafProcess } = await import(${JSON.stringify(new URL("./process.ts", import.meta.url).href)});
    const sheaf = await startSheafProcess();
    await sheaf.rules.set({ rules: [] });
    process.stdout.write(String(sheaf.pid));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const pid = Number(await text(child.stdout));
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a script can wait for its end, with nothing else to do", async () => {
  const script = `
    const { startSheafProcess } = await import(${JSON.stringify(new URL("./process.ts", import.meta.url).href)});
    const sheaf = await startSheafProcess();
    await sheaf.stop();
    process.stdout.write("stopped");
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  expect([await text(child.stdout), await ended]).toEqual(["stopped", [0, null]]);
});

test("it ends with the process that started it", async () => {
  const script = `
    const { startSheafProcess } = await import(${JSON.stringify(new URL("./process.ts", import.meta.url).href)});
    process.stdout.write(String((await startSheafProcess()).pid));
    process.kill(process.pid, "SIGKILL");
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = Number(await text(child.stdout));
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("what is wrong with its options is a clear error, and leaves no process", async () => {
  await expect(startSheafProcess({ flags: ["--tier", "gold"] })).rejects.toThrow("ended before it was ready");
  const rules = JSON.parse('{"rules":[{"reply":{"txt":1}}]}');
  await expect(startSheafProcess({ rules })).rejects.toThrow("txt");
});
