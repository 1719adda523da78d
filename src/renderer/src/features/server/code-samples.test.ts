import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { connectPort, openApp } from "../../../../main/app/testing/app-fixture.ts";
import { writeSettings, writeSnippets } from "./code-samples.ts";

const url = "http://127.0.0.1:4747";
const key = "sk-sheaf-0123456789";

test.each(writeSnippets(url, null))("$name takes the key from the environment", ({ code, note }) => {
  expect(code).toContain(`${url}/v1/chat/completions`);
  expect(code).toContain("SHEAF_API_KEY");
  expect(note).toContain("SHEAF_API_KEY");
});

test.each(writeSnippets(url, key))("$name has the key in it when that is asked for", ({ code, note }) => {
  expect(code).toContain(key);
  expect(code + note).not.toContain("SHEAF_API_KEY");
});

test("each runs as it is pasted into a shell that knows of no key", async () => {
  const run = promisify(execFile);
  const fixture = await openApp();
  try {
    const { client } = connectPort(fixture.app);
    const { server } = await client.server.start({ port: 0 });
    const { value } = await client.server.reveal({ name: "api_key" });
    const [curl, python, javascript] = writeSnippets(server.url, value).map(({ code }) => code);
    const env = { PATH: process.env.PATH };
    const outputs = await Promise.all([
      run("bash", ["-c", curl ?? ""], { env }),
      run("python3", ["-c", python ?? ""], { env }),
      run(process.execPath, ["--input-type=module", "--eval", javascript ?? ""], { env }),
    ]);
    for (const { stdout } of outputs) expect(stdout).toContain("sky");
  } finally {
    await fixture.close();
  }
});

const endpoint = "http://127.0.0.1:4747/v1/mcp";
const token = "mcp-sheaf-0123456789";

describe("settings for MCP clients", () => {
  test.each(writeSettings(endpoint, null))("$name names the endpoint, and no token", ({ code }) => {
    expect(code).toContain(endpoint);
    expect(code).toMatch(/\$MCP_TOKEN|\$\{(env:MCP_TOKEN|input:sheaf-token)\}|YOUR_MCP_TOKEN/);
  });

  test.each(writeSettings(endpoint, token))("$name has the token in it when that is asked for", ({ code, note }) => {
    expect(code).toContain(`Bearer ${token}`);
    expect(code).not.toMatch(/MCP_TOKEN|input:/);
    expect(note).not.toContain("MCP_TOKEN");
  });

  test("all but the command are JSON", () => {
    const files = writeSettings(endpoint, null).filter(({ name }) => name !== "Claude Code");
    for (const { code } of files) expect(JSON.parse(code)).toBeTypeOf("object");
  });
});
