import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { writeCall, writeCurl } from "./write-call.ts";

const input = { prompt: "Why?", response: "Because.", document: null, strict: false };

test("with a document it is another tool", () => {
  expect(writeCall(input).params).toEqual({ name: "verify", arguments: { prompt: "Why?", response: "Because." } });
  expect(writeCall({ ...input, document: "It is so." }).params).toEqual({
    name: "verify_document",
    arguments: { prompt: "Why?", response: "Because.", documentContent: "It is so." },
  });
});

test("strict is an argument where it is on", () => {
  expect(writeCall({ ...input, strict: true }).params.arguments).toEqual({
    prompt: "Why?",
    response: "Because.",
    strict: true,
  });
});

test("a shell passes the call on as it is, whatever is in the texts", () => {
  const nasty = { ...input, response: 'it\'s "$HOME" `id` \\ $(id)\nEND\n', document: "\u2028'END'" };
  const script = `curl() { cat; }\n${writeCurl(nasty, "http://127.0.0.1:4747/v1/mcp")}\n`;
  const sent: unknown = JSON.parse(execFileSync("sh", ["-c", script], { encoding: "utf8" }));
  expect(sent).toEqual(writeCall(nasty));
});

test("the token is left to the environment", () => {
  expect(writeCurl(input, "http://127.0.0.1:4747/v1/mcp")).toContain('"Authorization: Bearer $MCP_TOKEN"');
});
