import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { checkNothingIsLeft, listProcesses } from "./left-over.mjs";

const isWindows = process.platform === "win32";

test.skipIf(isWindows)("a process that outlives its tests is named, also where its parent has ended", async () => {
  const value = randomUUID();
  const entry = `LEFT_OVER_TEST=${value}`;
  expect(await checkNothingIsLeft(entry, { patience: 0 })).toEqual({ passed: true, output: "" });
  const program = "console.log(process.pid); setInterval(() => {}, 1_000);";
  const parent = `const { spawn } = require("node:child_process");
    spawn(process.execPath, ["-e", ${JSON.stringify(program)}], { detached: true, stdio: "inherit" }).unref();`;
  const child = spawn(process.execPath, ["-e", parent], {
    env: { ...process.env, LEFT_OVER_TEST: value },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [[printed]] = await Promise.all([once(child.stdout, "data"), once(child, "exit")]);
  const pid = Number(String(printed));
  onTestFinished(() => {
    if (listProcesses(entry).length > 0) process.kill(pid, "SIGKILL");
  });
  const { passed, output } = await checkNothingIsLeft(entry, { patience: 0 });
  expect(passed).toBe(false);
  expect(output).toMatch(new RegExp(`outlived the tests that started them:\\n${pid} \\S*node\\S* -e console\\.log`));
  process.kill(pid, "SIGTERM");
  expect(await checkNothingIsLeft(entry)).toEqual({ passed: true, output: "" });
});

test("on Windows the check is left out, and says so", async () => {
  expect(await checkNothingIsLeft("NAME=value", { platform: "win32" })).toMatchObject({
    passed: true,
    leftOut: expect.stringContaining("Windows"),
  });
});
