import { once } from "node:events";
import { request as sendByNode } from "node:http";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeMachine } from "../service/testing/index.ts";
import { apiKey, startTestServer, type TestServer, type TestServerOptions } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  // On a busy computer 30 s may pass before all is dropped: here no time passes.
  const change: TestServerOptions["change"] = (service) => ({ ...service, machine: createFakeMachine() });
  server = await startTestServer({ fileLimits: { bytes: 100_000 }, change });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const withKey = { authorization: `Bearer ${apiKey}` };
const asJson = { ...withKey, "content-type": "application/json" };
const asForm = { ...withKey, "content-type": "multipart/form-data; boundary=b" };
const formStart = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
/** More than the connection holds between the two. */
const length = 17_000_000;
const piece = Buffer.alloc(250_000, "x");

/** A body of so many bytes that begins with a text. */
function* makeBody(start: string, total: number): Generator<Buffer, void> {
  yield Buffer.from(start);
  let left = total - start.length;
  for (; left > piece.length; left -= piece.length) yield piece;
  yield piece.subarray(0, left);
}

interface Answer {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly body: string;
}

function parseAnswer(text: string): Answer {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [first = "", ...rest] = head.split("\r\n");
  const headers = new Map(rest.map((line) => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]));
  return { status: Number(first.split(" ")[1]), headers, body };
}

function writeHead(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

function open(url = server.url): Socket {
  return connect(Number(new URL(url).port), "127.0.0.1");
}

/** Reads until the server ends the connection. Fails where it was reset. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const bytes of socket) text += bytes;
  return text;
}

/** Sends all of a body before it reads any of the answer, as simple clients do. Fails where sending fails. */
async function sendThenRead(
  path: string,
  headers: Record<string, string>,
  { method = "POST", start = "", total = length, chunked = false } = {},
): Promise<Answer> {
  const socket = open();
  const framing: Record<string, string> = chunked
    ? { "transfer-encoding": "chunked" }
    : { "content-length": String(total) };
  const write = async (bytes: Buffer | string) => socket.write(bytes) || (await once(socket, "drain"));
  await write(writeHead(method, path, { ...headers, ...framing }));
  for (const bytes of makeBody(start, total)) {
    if (chunked && bytes.length > 0) await write(`${bytes.length.toString(16)}\r\n`);
    await write(bytes);
    if (chunked && bytes.length > 0) await write("\r\n");
  }
  if (chunked) await write("0\r\n\r\n");
  return parseAnswer(await readAll(socket));
}

function expectWhole({ status, headers, body }: Answer, expected: number): void {
  expect(status).toBe(expected);
  expect(headers.get("connection")).toBe("close");
  expect(Number(headers.get("content-length"))).toBe(Buffer.byteLength(body));
  expect(JSON.parse(body)).toHaveProperty("error");
}

const gemini = "/upload/v1beta/files";
const start = { "x-goog-upload-command": "start" };

test.each([
  [413, "JSON", "/v1/batches", asJson, {}],
  [413, "JSON in chunks", "/sheaf/clock", asJson, { chunked: true }],
  [413, "a chat completion", "/v1/chat/completions", asJson, {}],
  [413, "an upload", "/v1/files", asForm, { start: formStart }],
  [413, "a Gemini upload's start", gemini, { ...asJson, ...start }, {}],
  [413, "rules", "/sheaf/rules", asJson, { method: "PUT" }],
  [401, "no key", "/v1/files", { "content-type": "multipart/form-data; boundary=b" }, {}],
  [403, "no key for a Gemini upload", gemini, start, {}],
  [401, "no token for MCP", "/v1/mcp", { "content-type": "application/json" }, {}],
  [404, "an unknown path", "/v1/nothing", asJson, {}],
  [404, "a path of no API", "/elsewhere", {}, { chunked: true }],
  [404, "an unknown Gemini upload", gemini, withKey, {}],
  [405, "another method", "/v1/batches", asJson, { method: "PUT" }],
  [415, "another type", "/v1/chat/completions", { ...withKey, "content-type": "text/plain" }, {}],
  [415, "another encoding", "/v1/batches", { ...asJson, "content-encoding": "br" }, {}],
  [415, "no form", "/v1/files", asJson, {}],
  [429, "a fault", "/v1/files", { ...asForm, "x-sheaf-outcome": "rate_limit" }, {}],
  [400, "no gzip", "/v1/messages", { ...asJson, "content-encoding": "gzip" }, {}],
  [400, "no gzip in a Gemini upload", gemini, { ...withKey, ...start, "content-encoding": "gzip" }, {}],
  [400, "no path", "/%zz", asJson, {}],
] as const)("%d for %s reaches a client that sends its whole body first", async (status, _what, path, headers, how) => {
  expectWhole(await sendThenRead(path, headers, how), status);
});

test("the bytes of a Gemini upload that are too many get their answer", async () => {
  const response = await server.request(gemini, { method: "POST", headers: { ...start }, body: "{}" });
  const { pathname, search } = new URL(response.headers.get("x-goog-upload-url") ?? "");
  const headers = { "x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0" };
  expectWhole(await sendThenRead(pathname + search, headers), 413);
});

test("a body that is too large once it is inflated gets its answer, and so does a broken one", async () => {
  const body = gzipSync(Buffer.alloc(40_000_000, "x"));
  const send = async (bytes: Uint8Array<ArrayBuffer>) =>
    (
      await server.request("/v1/batches", {
        method: "POST",
        body: bytes,
        headers: { ...asJson, "content-encoding": "gzip" },
      })
    ).status;
  expect(await send(new Uint8Array(body))).toBe(413);
  expect(await send(new Uint8Array(body.subarray(0, 500)))).toBe(400);
});

test("headers that are too large get their answer", async () => {
  const socket = open();
  const headers = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`x-${index}`, "y".repeat(1_000)]));
  socket.write(writeHead("GET", "/v1/models", headers));
  expectWhole(parseAnswer(await readAll(socket)), 431);
});

/** More than may drain at once. */
const many = 10;

describe("of many clients at once that keep sending", () => {
  const total = 12_000_000;
  const file = new File(
    [...makeBody("", total)].map((bytes) => new Uint8Array(bytes)),
    "a.jsonl",
  );
  const atOnce = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: many }, send));

  test("each that sends first reads its 413", async () => {
    for (const answer of await atOnce(() => sendThenRead("/v1/batches", asJson, { total }))) expectWhole(answer, 413);
  });

  test("each that uses fetch reads its 413", async () => {
    const statuses = await atOnce(async () => {
      const body = file.stream();
      const init = { method: "POST", headers: asJson, body, duplex: "half" } as RequestInit;
      const response = await server.request("/v1/batches", init);
      return [response.status, (await response.json()) as unknown];
    });
    expect(statuses).toEqual(Array(many).fill([413, { error: expect.objectContaining({ code: "body_too_large" }) }]));
  });

  test("each that uses node's client reads its 413", async () => {
    const statuses = await atOnce(async () => {
      const sending = sendByNode(`${server.url}/v1/batches`, { method: "POST", headers: asJson });
      const answered = once(sending, "response");
      for (const bytes of makeBody("", total)) sending.write(bytes);
      sending.end();
      const [response] = await answered;
      // What comes after the answer is no failure of it.
      sending.on("error", () => undefined);
      let text = "";
      for await (const bytes of response) text += bytes;
      return [response.statusCode, JSON.parse(text).error.code];
    });
    expect(statuses).toEqual(Array(many).fill([413, "body_too_large"]));
  });

  test("each that uses the openai client reads its 413, and its 401", async () => {
    const upload = (client: OpenAI) => client.files.create({ file, purpose: "batch" }).catch((error: unknown) => error);
    const errors = await atOnce(() => upload(server.client));
    expect(errors).toEqual(Array(many).fill(expect.objectContaining({ status: 413, code: "file_too_large" })));
    const stranger = new OpenAI({ apiKey: "sk-wrong", baseURL: `${server.url}/v1`, maxRetries: 0 });
    expect(await atOnce(() => upload(stranger))).toEqual(Array(many).fill(expect.objectContaining({ status: 401 })));
  });
});

describe("a client that never ends", () => {
  const machine = createFakeMachine();
  let limited: TestServer;
  beforeAll(async () => {
    limited = await startTestServer({ change: (service) => ({ ...service, machine }) });
  });
  afterAll(() => limited.close());

  /** A request with a body of a gigabyte, once its answer has come. */
  async function refuse(): Promise<{ socket: Socket; ended: Promise<unknown> }> {
    const socket = open(limited.url);
    socket.on("error", () => undefined);
    socket.write(writeHead("POST", "/v1/batches", { ...asJson, "content-length": "1000000000" }));
    const [bytes] = await once(socket, "data");
    expectWhole(parseAnswer(String(bytes)), 413);
    return { socket, ended: new Promise((resolve) => socket.once("close", resolve)) };
  }

  test("is cut off after 64 MB", async () => {
    const { socket, ended } = await refuse();
    let sent = 0;
    const isOver = ended.then(() => true);
    for (let over = false; !over && sent < 200_000_000; sent += piece.length) {
      if (!socket.write(piece))
        over = await Promise.race([
          isOver,
          once(socket, "drain").then(
            () => false,
            () => true,
          ),
        ]);
    }
    await ended;
    expect(sent).toBeGreaterThan(63_000_000);
    expect(sent).toBeLessThan(100_000_000);
    expect(machine.pending).toBe(0);
  });

  test("is cut off after 30 s; those beyond eight have their answer, and their turn to send after that", async () => {
    const first = [];
    for (let count = 0; count < 8; count++) first.push(await refuse());
    const ninth = await refuse();
    await expect.poll(() => machine.pending).toBe(8);
    await machine.advance(29_999);
    expect(machine.pending).toBe(8);
    await machine.advance(1);
    await Promise.all(first.map(({ ended }) => ended));
    expect(machine.pending).toBe(1);
    expect(ninth.socket.destroyed).toBe(false);
    await machine.advance(30_000);
    await ninth.ended;
  });

  test("does not hold up the server's end", async () => {
    const stopping = await startTestServer({ change: (service) => ({ ...service, machine }) });
    const socket = open(stopping.url);
    socket.write(writeHead("POST", "/v1/batches", { ...asJson, "content-length": "1000000000" }));
    await once(socket, "data");
    await stopping.close();
  });
});
