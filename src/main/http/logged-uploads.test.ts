import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { loggedRequestSchema } from "#contract";
import { apiKey, json, readError, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});
beforeEach(() => server.request("/sheaf/requests", { method: "DELETE" }));

const uploads = "/upload/v1beta/files";
/** What no log may show, each in a header of its own. */
const secrets = { cookie: "session=hunter2-hunter2", "proxy-authorization": "Basic aHVudGVyMjpodW50ZXIy" };

async function readLog() {
  const response = await server.request("/sheaf/requests?limit=1000");
  const text = await response.text();
  for (const secret of [apiKey, ...Object.values(secrets)]) expect(text).not.toContain(secret);
  return z.object({ data: z.array(loggedRequestSchema) }).parse(JSON.parse(text)).data;
}

/** A request of a Gemini upload; one after the start goes to the address that the start was given. */
function send(command: string, body: BodyInit, headers: Record<string, string> = {}, url = server.url + uploads) {
  const all = { authorization: `Bearer ${apiKey}`, ...secrets, "x-goog-upload-command": command, ...headers };
  return fetch(url, { method: "POST", body, headers: all });
}

async function begin(body: BodyInit = "{}", headers: Record<string, string> = {}): Promise<string> {
  const response = await send("start", body, headers);
  await response.text();
  return response.headers.get("x-goog-upload-url") ?? server.url + uploads;
}

test("a Gemini upload is logged with what began it, and without its bytes", async () => {
  const about = { file: { displayName: "a.jsonl" } };
  const url = await begin(JSON.stringify(about), { "content-type": "application/json" });
  await (await send("upload, finalize", '{"a":1}\n', { "x-goog-upload-offset": "0" }, url)).text();
  const log = await readLog();
  expect(log).toMatchObject([
    { path: uploads, status: 200, body: null, response: { body: { file: { displayName: "a.jsonl" } } } },
    { path: uploads, status: 200, body: about },
  ]);
  expect(log.map(({ headers }) => [headers.cookie, headers["proxy-authorization"]])).toEqual([
    ["***", "***"],
    ["***", "***"],
  ]);
});

test("a body is logged as it was sent, also in chunks, and a form not at all", async () => {
  const chat = { model: "none", messages: [] };
  const body = new Blob([JSON.stringify(chat)]).stream();
  const headers = { "content-type": "application/json" };
  const sending = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  await readError(await server.request("/v1/chat/completions", sending), 400);
  await (await server.request("/v1beta/models/m:countTokens", json({ generate_content_request: null }))).text();
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", new File(["{}"], "a.jsonl"));
  await (await server.request("/v1/files", { method: "POST", body: form })).text();
  expect((await readLog()).map((one) => one.body)).toEqual([null, { generate_content_request: null }, chat]);
});

test("the start of an upload is read up to 1 MB", async () => {
  const response = await send("start", JSON.stringify({ file: { displayName: "x".repeat(1_100_000) } }));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: 413 } });
});

const bytes = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => Buffer.from(text.toWellFormed())),
  fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
  fc.integer({ min: 0, max: 30_000 }).map((length) => Buffer.alloc(length, "[")),
);
const type = fc.constantFrom(
  "application/json",
  "text/plain",
  "application/octet-stream",
  "multipart/form-data; boundary=b",
);
const anyUpload = fc.record({
  route: fc.constantFrom("form", "start", "bytes"),
  command: fc.constantFrom("upload", "upload, finalize", "finalize", "query", "start", ""),
  offset: fc.constantFrom("0", "1", "", "x"),
  gzip: fc.constantFrom("no", "yes", "broken"),
  asForm: fc.boolean(),
  type,
  bytes,
});

test("after any upload, on any route, the log is read and shows no secret", async () => {
  await fc.assert(
    fc.asyncProperty(anyUpload, async ({ route, command, offset, gzip, asForm, type, bytes }) => {
      const plain = asForm ? writeForm(bytes) : bytes;
      const body = new Uint8Array(gzip === "yes" ? gzipSync(plain) : plain);
      const encoding = gzip === "no" ? {} : { "content-encoding": "gzip" };
      const headers = { "content-type": type, "x-goog-upload-offset": offset, ...encoding };
      const url = { form: () => `${server.url}/v1/files`, start: () => server.url + uploads, bytes: begin }[route];
      const response = await send(route === "start" ? "start" : command, body, headers, await url());
      await response.text();
      expect(response.status).toBeLessThan(500);
      const [logged] = await readLog();
      expect(logged?.status).toBe(response.status);
      if (route !== "start") expect(logged?.body).toBe(null);
    }),
    { numRuns: 150, seed: 27 },
  );
});

function writeForm(content: Buffer): Buffer {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n`;
  const [file, purpose] = [part('"file"; filename="a"'), `\r\n${part('"purpose"')}batch\r\n--b--\r\n`];
  return Buffer.concat([Buffer.from(file), content, Buffer.from(purpose)]);
}
