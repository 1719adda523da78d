import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { json, readError, startTestServer, type TestServer, toBatchFile } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ fileLimits: { bytes: 100_000 } });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const chat = "/v1/chat/completions";
const question = (content: string) =>
  JSON.stringify({ model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages: [{ role: "user", content }] });

function send(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const all = { "content-type": "application/json", "content-encoding": "gzip", ...headers };
  return server.request(path, { method: "POST", body: new Uint8Array(body), headers: all });
}

/** A form as it is on the wire, with its content type. */
async function writeForm(content: string): Promise<{ body: Buffer; type: string }> {
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", new File([content], "in.jsonl"));
  const response = new Response(form);
  return { type: response.headers.get("content-type") ?? "", body: Buffer.from(await response.arrayBuffer()) };
}

test("a body may be gzip, and is logged as what it is", async () => {
  const response = await send(chat, gzipSync(question("Hello")));
  const plain = await server.request(chat, json(JSON.parse(question("Hello"))));
  const [one, other] = [await response.json(), await plain.json()];
  expect(response.status).toBe(200);
  expect(one).toMatchObject({ choices: (other as { choices: unknown[] }).choices });
  const logged = await server.request("/sheaf/requests?limit=2");
  expect(await logged.json()).toMatchObject({ data: [{}, { body: { messages: [{ content: "Hello" }] } }] });
  expect((await send(chat, Buffer.from(question("Hello")), { "content-encoding": "identity" })).status).toBe(200);
});

test("an upload may be gzip", async () => {
  const content = toBatchFile([{ id: "a", content: "Hello" }]);
  const { body, type } = await writeForm(content);
  const upload = await send("/v1/files", gzipSync(body), { "content-type": type });
  const file = (await upload.json()) as { id: string; bytes: number };
  expect(file).toMatchObject({ bytes: content.length, filename: "in.jsonl" });
  expect(await (await server.request(`/v1/files/${file.id}/content`)).text()).toBe(content);
});

test("limits hold for what a body is inflated to", async () => {
  const bomb = gzipSync(question("x".repeat(20_000_000)));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await readError(await send(chat, bomb), 413)).toMatchObject({ code: "body_too_large" });
  const { body, type } = await writeForm("x".repeat(1_000_000));
  const upload = await send("/v1/files", gzipSync(body), { "content-type": type });
  expect(await readError(upload, 413)).toMatchObject({ code: "file_too_large" });
});

test("what is no gzip, or breaks off, is 400; any other encoding 415", async () => {
  const whole = gzipSync(question("Hello"));
  for (const body of [Buffer.from("{}"), whole.subarray(0, whole.length - 9)])
    await readError(await send(chat, body), 400);
  const { body, type } = await writeForm("{}");
  const cut = gzipSync(body).subarray(0, 40);
  for (const broken of [cut, Buffer.from("no gzip")]) {
    await readError(await send("/v1/files", broken, { "content-type": type }), 400);
  }
  for (const encoding of ["br", "deflate", "gzip, br", "zstd"]) {
    const response = await send(chat, brotliCompressSync(question("Hello")), { "content-encoding": encoding });
    expect(await readError(response, 415)).toMatchObject({ code: "unsupported_media_type", param: "content-encoding" });
  }
});
