import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import {
  apiKey,
  createBatch,
  json,
  startTestServer,
  type TestServer,
  toBatchFile,
  upload,
} from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

/** JSON with this many lists and objects in one another. */
function nest(levels: number, kind: "lists" | "objects" = "lists"): string {
  const [open, close] = kind === "lists" ? ["[", "]"] : ['{"x":', "}"];
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

const tool = { type: "function", function: { name: "f", parameters: { type: "object", default: "here" } } };
const message = expect.stringContaining("more than 200 values in one another");

const descriptionSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional() }),
    ),
  ),
});

/** All routes that take JSON. MCP's body is a message of its own protocol, which the description leaves out. */
async function listJsonRoutes(): Promise<{ method: string; path: string }[]> {
  const { paths } = descriptionSchema.parse(await (await server.request("/openapi.json")).json());
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody !== undefined && "application/json" in requestBody.content)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, "x") })),
  );
  return [...routes, { method: "POST", path: "/v1/mcp" }, { method: "POST", path: "/upload/v1beta/files" }];
}

test("a body with more than 200 values in one another is a 400 on every route, and one with 200 is read", async () => {
  const mcp = await (await server.request("/v1/mcp/enable", { method: "POST" })).json();
  const { token } = z.object({ token: z.string() }).parse(mcp);
  const routes = await listJsonRoutes();
  expect(routes.length).toBeGreaterThan(15);
  for (const { method, path } of routes) {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${path === "/v1/mcp" ? token : apiKey}`,
      "x-goog-upload-command": "start",
    };
    const send = (body: string) => server.request(path, { method, headers, body });
    for (const [body, levels] of [
      [nest(201), 201],
      [nest(201, "objects"), 201],
      [`{"messages":${nest(200)},"generation_config":${nest(100)}}`, 201],
      [nest(100_000), 100_000],
    ] as const) {
      const response = await send(body);
      expect(response.status, `${method} ${path} ${levels}`).toBe(400);
      expect(await response.json(), `${method} ${path}`).toMatchObject({ error: { message } });
    }
    for (const body of [
      nest(200),
      nest(200, "objects"),
      `{"contents":${nest(199)},"metadata":${nest(199, "objects")}}`,
    ]) {
      const response = await send(body);
      expect(response.status, `${method} ${path}`).toBeLessThan(500);
      expect(await response.text(), `${method} ${path}`).not.toContain("in one another");
    }
  }
});

test("a line of a batch is held to the same, and named", async () => {
  const write = (levels: number) =>
    toBatchFile([{ id: "deep", content: "Hello" }], { tools: [tool] }).replace('"here"', nest(levels, "objects"));
  for (const levels of [196, 7_000, 100_000]) {
    const content = toBatchFile([{ id: "a", content: "Hello" }]) + write(levels);
    const { status, problems } = await server.service.batches.settled(await createBatch(server, content));
    expect(problems).toMatchObject([{ code: "invalid_request", param: "body", line: 2, message }]);
    expect(status).toBe("failed");
  }
  const { problems } = await server.service.batches.settled(await createBatch(server, write(195)));
  expect(problems).toEqual([]);
});

test("a line of a Gemini batch is held to the same, and named", async () => {
  const start = { "x-goog-upload-command": "start" };
  const headers = {
    "x-goog-upload-command": "upload, finalize",
    "x-goog-upload-offset": "0",
    authorization: `Bearer ${apiKey}`,
  };
  for (const levels of [201, 20_000]) {
    const begun = await server.request("/upload/v1beta/files", { method: "POST", headers: start, body: "{}" });
    const body = `{"key":"a","request":{"contents":[{"parts":[{"text":"Hello"}]}]}}\n{"key":"b","request":{"contents":${nest(levels)}}}\n`;
    const stored = await fetch(begun.headers.get("x-goog-upload-url") ?? "", { method: "POST", headers, body });
    const { file } = z.object({ file: z.object({ name: z.string() }) }).parse(await stored.json());
    const create = { batch: { inputConfig: { fileName: file.name } } };
    const response = await server.request("/v1beta/models/m:batchGenerateContent", json(create));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/^line 2: .* in one another/) },
    });
  }
});

test("what is deep, but not too deep, is answered", async () => {
  const schema = JSON.parse(`${'{"type":"object","properties":{"x":'.repeat(90)}{"type":"string"}${"}}".repeat(90)}`);
  const tools = [{ type: "function", function: { name: "f", parameters: schema } }];
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  const messages = [{ role: "user", content: "Hello" }];
  const response = await server.request("/v1/chat/completions", json({ model, messages, tools }));
  expect(response.status).toBe(200);
  await upload(server, toBatchFile([{ id: "a", content: "Hello" }], { tools }));
});
