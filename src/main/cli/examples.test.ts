import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleFile } from "./testing/batch-lines.ts";
import { type RunningServer, startServer } from "./testing/sheaf-process.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test.each([
  ["curl", "sh", "mock-server/batch.sh"],
  ["Python", "python3", "mock-server/batch.py"],
  ["JavaScript", process.execPath, "mock-server/batch.mjs"],
])("the example in %s runs a batch on the mock server as it stands", async (_, program, script) => {
  const env = { ...process.env, SHEAF_URL: server.url, SHEAF_API_KEY: server.apiKey };
  const { stdout, stderr } = await promisify(execFile)(program, [exampleFile(script)], { env });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^batch_\w+ is completed\n/);
  expect(stdout).toMatch(/\bducks\b.*\n.*\brobe\b|\brobe\b.*\n.*\bducks\b/);
});
