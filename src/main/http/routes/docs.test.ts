import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { toTemplate } from "../http-app.ts";
import { operations, writeSample } from "../openapi/operations.ts";
import { apiKey, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string(), summary: z.string() }))),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});

async function readDescription({ url } = server) {
  return documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
}

test("the description is OpenAPI 3.1, without a key, and has every route of the server", async () => {
  const { openapi, paths } = await readDescription();
  expect(openapi).toMatch(/^3\.1\./);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "head")
      .map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  );
  const expected = Object.entries(operations).map(
    ([route, { operationId }]) => `${toTemplate(route).replace("*", "{model}")} ${operationId}`,
  );
  expect(described.sort()).toEqual(expected.sort());
});

test("the description is made from the schemas that check: their limits are in it", async () => {
  const { paths, components } = await readDescription();
  expect(components.schemas.CreateBatch).toMatchObject({
    required: ["input_file_id", "endpoint", "completion_window"],
  });
  expect(paths["/v1/batches"]?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: "limit", schema: expect.objectContaining({ minimum: 0, maximum: 100 }) }),
  );
});

test("the description is of the dialect that is served, and a generator of answers finds no negative time or count in it", async () => {
  const openai = await startTestServer({ dialect: "openai" });
  const [ofService, ofOpenai] = [await readDescription(), await readDescription(openai)].map((description) => ({
    text: JSON.stringify(description),
    shapes: description.components.schemas as Record<string, { properties?: object; type?: string }>,
  }));
  await openai.close();
  expect(ofOpenai?.shapes.Timestamp).toMatchObject({ type: "integer", minimum: 0 });
  expect(ofService?.shapes.Timestamp).toMatchObject({ anyOf: [{ type: "integer" }, { type: "string" }] });
  expect(ofOpenai?.shapes.File?.properties).toHaveProperty("status");
  expect(ofService?.shapes.File?.properties).not.toHaveProperty("status");
  expect(ofOpenai?.shapes.BatchList?.properties).not.toHaveProperty("page_count");
  expect(ofService?.shapes.BatchList?.properties).toHaveProperty("page_count");
  for (const { text, shapes } of [ofService, ofOpenai].flatMap((one) => one ?? [])) {
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(shapes.ChatCompletion?.properties).toMatchObject({ created: { type: "integer", minimum: 0 } });
    expect(shapes.Usage?.properties).toMatchObject({ total_tokens: { type: "integer", minimum: 0 } });
  }
});

test("the description has the ranges that requests are held to", async () => {
  const { ChatRequest } = (await readDescription()).components.schemas as Record<string, { properties?: object }>;
  expect(ChatRequest?.properties).toMatchObject({
    reasoning_effort: { enum: expect.arrayContaining(["minimal", "high"]) },
    logit_bias: { additionalProperties: { minimum: -100, maximum: 100 } },
    metadata: { additionalProperties: { maxLength: 512 } },
  });
});

test("every reference in the description leads somewhere", async () => {
  const description = await readDescription();
  const names = [...JSON.stringify(description).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(Object.keys(description.components.schemas)));
});

test("the page for people needs no key, no script and nothing from elsewhere", async () => {
  const response = await fetch(`${server.url}/docs`);
  const html = await response.text();
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  for (const { summary } of Object.values(operations)) expect(html).toContain(summary.replaceAll("'", "&#39;"));
  expect(html).not.toMatch(/<script|https?:|src=/);
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(response.headers.get("content-security-policy")).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
});

test.each([
  ["createChatCompletion", "POST", "/v1/chat/completions", "chat.completion"],
  ["retrieveModel", "GET", "/v1/models/{model}", "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"],
  ["setFaults", "PUT", "/sheaf/faults", "failure_rate"],
  ["clearFaults", "DELETE", "/sheaf/faults", "failure_rate"],
  ["enableMcp", "POST", "/v1/mcp/enable", "mcp-sheaf-"],
  ["callMcp", "POST", "/v1/mcp", "is_hallucination"],
  ["listBatches", "GET", "/v1/batches", "items_per_page"],
  ["createBatch", "POST", "/v1/batches", "No such file"],
] as const)("the sample of %s runs as it is pasted", async (operationId, method, path, answer) => {
  const sample = writeSample({ operationId, method, path, isOpen: false });
  const tokens = { SHEAF_API_KEY: apiKey, MCP_TOKEN: await server.service.mcp.enable() };
  const env = { ...process.env, BASE: server.url, ...tokens };
  const { stdout } = await promisify(execFile)("bash", ["-c", `${sample} --silent`], { env });
  expect(stdout).toContain(answer);
});
