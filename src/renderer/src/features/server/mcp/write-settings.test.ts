import { describe, expect, test } from "vitest";
import { writeSettings } from "./write-settings.ts";

const url = "http://127.0.0.1:4747/v1/mcp";
const token = "mcp-sheaf-0123456789";

describe("settings for MCP clients", () => {
  test.each(writeSettings(url, null))("$name names the endpoint, and no token", ({ code }) => {
    expect(code).toContain(url);
    expect(code).toMatch(/\$MCP_TOKEN|\$\{(env:MCP_TOKEN|input:sheaf-token)\}|YOUR_MCP_TOKEN/);
  });

  test.each(writeSettings(url, token))("$name has the token in it when that is asked for", ({ code, note }) => {
    expect(code).toContain(`Bearer ${token}`);
    expect(code).not.toMatch(/MCP_TOKEN|input:/);
    expect(note).not.toContain("MCP_TOKEN");
  });

  test("all but the command are JSON", () => {
    const files = writeSettings(url, null).filter(({ name }) => name !== "Claude Code");
    for (const { code } of files) expect(JSON.parse(code)).toBeTypeOf("object");
  });
});
