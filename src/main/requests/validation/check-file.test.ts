import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileOf, makeTempDir, requestLine, toJsonl } from "../../service/testing/index.ts";
import { createModelCatalog } from "../model-catalog.ts";
import { checkFile } from "./check-file.ts";
import { createCheckRules } from "./rules.ts";

const rules = createCheckRules(createModelCatalog("standard"), {
  bytes: 10_000_000,
  requests: 20_000,
  lineBytes: 10_000_000,
});

async function check(content: string | Uint8Array, changes: Partial<typeof rules> = {}) {
  const path = join(await makeTempDir(), "input.jsonl");
  await writeFile(path, content);
  return checkFile(path, { ...rules, ...changes });
}

test("a valid file has no problems, and its lines are where the index says", async () => {
  const content = `\uFEFF${fileOf(3).replaceAll("\n", "\r\n")}\n`;
  const { report, lineStarts } = await check(content);
  expect(report).toMatchObject({ requests: 3, problems: [], errorCount: 0, groups: [] });
  expect(report.models).toEqual(["klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"]);
  expect(report.bytes).toBe(Buffer.byteLength(content));

  const bytes = Buffer.from(content);
  const ids = [0, 1, 2].map(
    (at) => JSON.parse(bytes.subarray(lineStarts[at], lineStarts[at + 1]).toString()).custom_id,
  );
  expect(ids).toEqual(["q-1", "q-2", "q-3"]);
});

test("twelve kinds of mistakes give twelve problems, each with its line", async () => {
  const lines = [
    "{",
    requestLine("a", "?", { method: undefined }),
    requestLine("b", "?", { url: 1 }),
    requestLine("c", "?"),
    requestLine("c", "?"),
    requestLine("d", "?", { method: "GET" }),
    requestLine("e", "?", { url: "/v1/other" }),
    requestLine("f", "?", { body: { model: "other" } }),
    requestLine("g", "?", { body: { messages: [{ role: "robot", content: "?" }] } }),
    requestLine("h", "?", { body: { stream: true } }),
    requestLine("i", "?", { body: { max_tokens: 200_000 } }),
    requestLine("j", "7 ".repeat(140_000)),
    "",
    requestLine("k", "?"),
  ];
  const { report } = await check(toJsonl(lines));
  expect(report.problems.map(({ line, code, param }) => [line, code, param])).toEqual([
    [1, "invalid_json_line", null],
    [2, "missing_required_parameter", "method"],
    [3, "invalid_type", "url"],
    [5, "duplicate_custom_id", "custom_id"],
    [6, "invalid_method", "method"],
    [7, "invalid_url", "url"],
    [8, "model_not_found", "body.model"],
    [9, "invalid_request", "body.messages[0].role"],
    [10, "streaming_unsupported", "body.stream"],
    [11, "max_output_exceeded", "body.max_tokens"],
    [12, "context_length_exceeded", "body.messages"],
    [13, "invalid_json_line", null],
  ]);
  expect(report.groups.find(({ code }) => code === "invalid_json_line")).toMatchObject({ count: 2 });
});

test("of very many problems 10,000 are listed, and a last one counts the rest", async () => {
  const { report } = await check("{}\n".repeat(2_600));
  expect(report.errorCount).toBe(10_400);
  expect(report.problems).toHaveLength(10_001);
  expect(report.problems.at(-1)).toEqual({
    code: "too_many_problems",
    message: "400 more problems are not listed.",
    param: null,
    line: null,
    severity: "error",
  });
});

test("problems of the whole file come first", async () => {
  const { report } = await check("{}\n{}\n", { fileLimits: { bytes: 4, requests: 1, lineBytes: 16_000_000 } });
  expect(report.problems.map(({ code }) => code).slice(0, 2)).toEqual(["too_many_requests_in_file", "file_too_large"]);
});

test("a line that is too large is named; the lines after it are checked", async () => {
  const fileLimits = { bytes: 10_000_000, requests: 10, lineBytes: 1_000_000 };
  const just = requestLine("a", "");
  const lines = [
    requestLine("a", "x".repeat(1_000_000 - just.length)),
    requestLine("b", "x".repeat(1_000_001 - just.length)),
    requestLine("c", "x".repeat(3_000_000)),
    "{",
  ];
  const { report } = await check(toJsonl(lines), { fileLimits });
  expect(report.problems.map(({ line, code, message }) => [line, code, message])).toEqual([
    [2, "line_too_large", "The line has more than 1 MB, the most that a request may have."],
    [3, "line_too_large", "The line has more than 1 MB, the most that a request may have."],
    [4, "invalid_json_line", expect.stringContaining("not valid JSON")],
  ]);
  expect(report.requests).toBe(4);
});

test("any bytes give a report", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (content) => {
      const { report } = await check(content);
      expect(report.bytes).toBe(content.length);
      expect(report.errorCount).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
});
