import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { fileSchema } from "#contract";
import { makeFileRecord } from "../../service/testing/index.ts";
import {
  apiKey,
  createBatch,
  json,
  readError,
  startTestServer,
  type TestServer,
  twoPrompts,
  upload,
} from "../testing/test-server.ts";

const limit = 1_000_000;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ fileLimits: { bytes: limit } });
});
afterAll(() => server.close());

type Part = [name: string, value: string | Blob, filename?: string];
const file: Part = ["file", new Blob([twoPrompts]), "prompts.jsonl"];
const purpose: Part = ["purpose", "batch"];

function send(...parts: Part[]): Promise<Response> {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, filename);
  }
  return server.request("/v1/files", { method: "POST", body: form });
}

/** A multipart body written by hand. */
function sendBody(body: string, type = "multipart/form-data; boundary=b"): Promise<Response> {
  return server.request("/v1/files", { method: "POST", body, headers: { "content-type": type } });
}

describe("an upload", () => {
  test.each([
    ["before", [purpose, file]],
    ["after", [file, purpose]],
  ])("takes the purpose %s the file, and answers with the file object", async (_where, parts) => {
    const response = await send(...parts);
    expect(response.status).toBe(200);
    const body = z.strictObject(fileSchema.shape).parse(await response.json());
    expect(body).toEqual({
      id: expect.stringMatching(/^file-/),
      object: "file",
      bytes: Buffer.byteLength(twoPrompts),
      created_at: expect.stringMatching(/^\d{10}$/),
      filename: "prompts.jsonl",
      purpose: "batch",
    });
    expect(await (await server.request(`/v1/files/${body.id}`)).json()).toEqual(body);
  });

  test("has an integer time and a status in the openai dialect", async () => {
    const strict = await startTestServer({ dialect: "openai" });
    const id = await upload(strict, twoPrompts);
    const body = await (await strict.request(`/v1/files/${id}`)).json();
    expect(body).toMatchObject({ created_at: expect.any(Number), status: "processed" });
    await strict.close();
  });

  test("passes over parts that it does not know, files among them", async () => {
    const response = await send(["extra", "1"], ["more", new Blob(["x".repeat(300_000)]), "more.bin"], purpose, file);
    expect(response.status).toBe(200);
  });

  test("of nothing is taken as it is: what is inside is checked when a batch is made from it", async () => {
    const response = await send(["file", new Blob([]), "empty.jsonl"], purpose);
    expect(await response.json()).toMatchObject({ bytes: 0 });
  });

  test("may be as large as the limit, to the byte", async () => {
    const response = await send(["file", new Blob(["x".repeat(limit)]), "large.jsonl"], purpose);
    expect(await response.json()).toMatchObject({ bytes: limit });
  });

  test.each<[name: string, parts: Part[], code: string, param: string]>([
    ["no file", [purpose], "missing_required_parameter", "file"],
    ["no purpose", [file], "missing_required_parameter", "purpose"],
    ["no part at all", [], "missing_required_parameter", "file"],
    ["two files", [file, file, purpose], "invalid_value", "file"],
    ["two purposes", [purpose, purpose, file], "invalid_value", "purpose"],
    ["an unknown purpose before the file", [["purpose", "fine-tuning"], file], "invalid_value", "purpose"],
    ["an unknown purpose after the file", [file, ["purpose", "assistant"]], "invalid_value", "purpose"],
    ["a purpose that batches write", [file, ["purpose", "batch_output"]], "invalid_value", "purpose"],
    ["an empty purpose", [file, ["purpose", ""]], "invalid_value", "purpose"],
    ["a file as text", [["file", twoPrompts], purpose], "invalid_type", "file"],
    ["a purpose as file", [["purpose", new Blob(["batch"]), "p"], file], "invalid_type", "purpose"],
  ])("fails with %s, and nothing is kept", async (_name, parts, code, param) => {
    const before = server.service.files.list().length;
    const error = await readError(await send(...parts), 400);
    expect(error).toMatchObject({ type: "invalid_request_error", code, param });
    expect(error.message).toContain(`'${param}'`);
    expect(server.service.files.list()).toHaveLength(before);
  });

  test("over the limit stops there, and nothing is kept", async () => {
    const before = server.service.files.list().length;
    const response = await send(purpose, ["file", new Blob(["x".repeat(limit * 8)]), "large.jsonl"]);
    const error = await readError(response, 413);
    expect(error).toMatchObject({ code: "file_too_large", param: "file" });
    expect(error.message).toContain("1 MB");
    expect(server.service.files.list()).toHaveLength(before);
  });

  test.each([
    ["JSON", json({ file: "x" })],
    ["nothing", { method: "POST" }],
    ["a form without a boundary", { method: "POST", body: "x", headers: { "content-type": "multipart/form-data" } }],
  ])("is refused as %s", async (_name, init) => {
    const error = await readError(await server.request("/v1/files", init), 415);
    expect(error.message).toContain("multipart/form-data");
  });

  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n';
  test.each([
    ["is no multipart", "hello"],
    ["ends in the file", `${head}{"custom_id"`],
    ["ends before the closing line", `${head}x\r\n`],
    ["has a name that no form has", '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n'],
    ["has too many parts", `${'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'.repeat(40)}--b--\r\n`],
  ])("fails when its body %s, and nothing is kept", async (_name, body) => {
    const before = server.service.files.list().length;
    await readError(await sendBody(body), 400);
    expect(server.service.files.list()).toHaveLength(before);
  });

  test("without a file name gets one", async () => {
    const body = `${head.replace("a.jsonl", "")}{}\r\n--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--b--\r\n`;
    expect(await (await sendBody(body)).json()).toMatchObject({ filename: "upload.jsonl", bytes: 2 });
  });

  test("keeps the last part of its file name only", async () => {
    const response = await send(["file", new Blob(["{}"]), "../../etc/Übung 1.jsonl"], purpose);
    expect(await response.json()).toMatchObject({ filename: "Übung 1.jsonl" });
  });

  test("has the quotes of its file name, which forms escape", async () => {
    const response = await send(["file", new Blob(["{}"]), 'a "b".jsonl'], purpose);
    expect(await response.json()).toMatchObject({ filename: 'a "b".jsonl' });
  });

  test("that breaks off leaves nothing behind", async () => {
    const before = server.service.files.list().length;
    const received: Promise<unknown>[] = [];
    const watched = await startTestServer({
      change: (service) => ({
        ...service,
        files: {
          ...service.files,
          receive: (content) => {
            const receiving = service.files.receive(content);
            received.push(receiving);
            return receiving;
          },
        },
      }),
    });
    const socket = connect(Number(new URL(watched.url).port), "127.0.0.1");
    socket.write(
      `POST /v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n${head}${"x".repeat(1_000)}`,
    );
    await expect.poll(() => received.length, { interval: 5 }).toBe(1);
    socket.destroy();
    await expect(received[0]).rejects.toThrow("cut off");
    expect(server.service.files.list()).toHaveLength(before);
    expect(watched.faults).toEqual([]);
    await watched.close();
  });
});

describe("an upload that expires", () => {
  const anchor: Part = ["expires_after[anchor]", "created_at"];
  const seconds = (value: string): Part => ["expires_after[seconds]", value];

  test("shows when", async () => {
    const response = await send(purpose, anchor, seconds("3600"), file);
    const body = z.strictObject(fileSchema.shape).parse(await response.json());
    expect(Number(body.expires_at) - Number(body.created_at)).toBe(3_600);
    expect(body.expires_at).toBeTypeOf("string");
  });

  test.each<[name: string, parts: Part[], code: string, param: string]>([
    ["no seconds", [anchor], "missing_required_parameter", "expires_after[seconds]"],
    ["no anchor", [seconds("3600")], "missing_required_parameter", "expires_after[anchor]"],
    [
      "another anchor",
      [["expires_after[anchor]", "last_used_at"], seconds("3600")],
      "invalid_value",
      "expires_after[anchor]",
    ],
    ["less than an hour", [anchor, seconds("3599")], "integer_below_min_value", "expires_after[seconds]"],
    ["more than 30 days", [anchor, seconds("2592001")], "integer_above_max_value", "expires_after[seconds]"],
    ["no number", [anchor, seconds("1h")], "invalid_type", "expires_after[seconds]"],
    ["a number twice", [anchor, seconds("3600"), seconds("3600")], "invalid_value", "expires_after[seconds]"],
  ])("fails with %s, and nothing is kept", async (_name, parts, code, param) => {
    const before = server.service.files.list().length;
    expect(await readError(await send(file, purpose, ...parts), 400)).toMatchObject({ code, param });
    expect(server.service.files.list()).toHaveLength(before);
  });
});

describe("deleting a file", () => {
  test("answers that it is deleted; then it is nowhere any more", async () => {
    const id = await upload(server, twoPrompts);
    const response = await server.request(`/v1/files/${id}`, { method: "DELETE" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id, object: "file", deleted: true });
    for (const path of [`/v1/files/${id}`, `/v1/files/${id}/content`]) {
      expect((await readError(await server.request(path), 404)).param).toBe("file_id");
    }
    await readError(await server.request(`/v1/files/${id}`, { method: "DELETE" }), 404);
  });

  test("fails while a batch runs on it, and says not to try again", async () => {
    const slow = await startTestServer({ pace: 60_000 });
    const batch = slow.service.batches.get(await createBatch(slow, twoPrompts));
    const response = await slow.request(`/v1/files/${batch?.inputFileId}`, { method: "DELETE" });
    expect((await readError(response, 409)).code).toBe("file_in_use");
    expect(response.headers.get("x-should-retry")).toBe("false");
    await slow.close();
  });
});

describe("a download", () => {
  let id: string;
  beforeAll(async () => {
    id = await upload(server, twoPrompts, 'Übung "1".jsonl');
  });
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    server.request(`/v1/files/${id}/content`, { headers, method });

  test("has the bytes of the file, their number, and a name to save them under", async () => {
    const response = await get({ accept: "application/xml" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(twoPrompts);
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(twoPrompts)));
    expect(response.headers.get("content-type")).toBe("application/jsonl");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''%C3%9Cbung/,
    );
  });

  test("of an empty file is empty", async () => {
    const empty = await upload(server, "");
    const response = await server.request(`/v1/files/${empty}/content`);
    expect(response.headers.get("content-length")).toBe("0");
    expect(await response.text()).toBe("");
  });

  test("can be asked for without its bytes", async () => {
    const response = await get({}, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(twoPrompts)));
    expect(await response.text()).toBe("");
  });

  test.each([
    ["bytes=0-9", 0, 10],
    ["bytes=10-", 10, undefined],
    ["bytes=-5", -5, undefined],
    ["bytes=3-999999", 3, undefined],
    ["bytes=-999999", 0, undefined],
  ])("of a range (%s) has that part", async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe(twoPrompts.slice(start, end));
    expect(response.headers.get("content-range")).toMatch(new RegExp(`^bytes \\d+-\\d+/${twoPrompts.length}$`));
  });

  test.each(["bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=0-1,3-4", "bytes=-"])(
    "of a range that says nothing (%s) is whole",
    async (range) => {
      const response = await get({ range });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(twoPrompts);
    },
  );

  test("of a range beyond the end is 416", async () => {
    const response = await get({ range: "bytes=999999-" });
    expect((await readError(response, 416)).code).toBe("range_not_satisfiable");
    expect(response.headers.get("content-range")).toBe(`bytes */${twoPrompts.length}`);
  });

  test("of an unknown file is 404", async () => {
    const error = await readError(await server.request("/v1/files/file-none/content"), 404);
    expect(error.param).toBe("file_id");
  });

  test("that nobody waits for any more is stopped", async () => {
    let stopped = false;
    let chunks = 0;
    const endless = await startTestServer({
      change: (service) => ({
        ...service,
        files: {
          ...service.files,
          get: (id) => makeFileRecord({ id, bytes: 10_000_000_000 }),
          read: async () =>
            Readable.from(
              (async function* () {
                try {
                  while (true) {
                    chunks++;
                    yield new Uint8Array(65_536);
                    await new Promise((resolve) => setImmediate(resolve));
                  }
                } finally {
                  stopped = true;
                }
              })(),
            ),
        },
      }),
    });
    const controller = new AbortController();
    const response = await endless.request("/v1/files/file-1/content", { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const held = chunks;
    controller.abort();
    await reader?.read().catch(() => undefined);
    await expect.poll(() => stopped, { interval: 5 }).toBe(true);
    expect(held).toBeLessThan(1_000);
    expect(endless.faults).toEqual([]);
    await endless.close();
  });
});

describe("listing files", () => {
  test("goes page by page in either direction, by purpose", async () => {
    const ids = [await upload(server, "1"), await upload(server, "2"), await upload(server, "3")];
    const list = async (query: string) => {
      const body = z.object({ data: z.array(fileSchema), has_more: z.boolean() });
      return body.parse(await (await server.request(`/v1/files?${query}`)).json());
    };
    expect((await list("limit=2")).data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect((await list(`limit=2&after=${ids[2]}`)).data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    const upwards = await list("order=asc");
    expect(upwards.data.map(({ id }) => id).slice(-3)).toEqual(ids);
    expect(upwards.has_more).toBe(false);
    expect(await list("limit=0")).toMatchObject({ data: [], has_more: true });
    expect(await list("purpose=batch_output")).toMatchObject({ data: [] });
  });

  test.each([
    ["?limit=10001", 400, "integer_above_max_value", "limit"],
    ["?order=up", 400, "invalid_value", "order"],
    ["?purpose=sight", 400, "invalid_value", "purpose"],
    ["?after=file-none", 404, "not_found", "after"],
  ])("fails for %s", async (query, status, code, param) => {
    expect(await readError(await server.request(`/v1/files${query}`), status)).toMatchObject({ code, param });
  });
});
