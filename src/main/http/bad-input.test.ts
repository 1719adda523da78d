import { tmpdir } from "node:os";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKey, createBatch, json, readError, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

/** What no answer may have in it: the key, where files are, where the code is. */
const secrets = [apiKey, tmpdir(), process.cwd(), "node_modules", ".ts:"];

/**
 * Whatever the answer is, it is a success or an error of the caller's in the shape that every error has, and it tells
 * nothing that is not the caller's to know. A long value is never repeated whole.
 */
async function expectOrderly(response: Response): Promise<void> {
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  if (response.status < 300) return void (await response.arrayBuffer());
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  const error = await readError(response, response.status);
  for (const secret of secrets) expect(JSON.stringify(error)).not.toContain(secret);
  expect(error.message.length).toBeLessThan(600);
}

const anyPath = fc.oneof(
  fc.webPath(),
  fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => `/v1/${encodeURIComponent(text.toWellFormed())}`),
  fc.constantFrom(
    "/v1/files",
    "/v1/batches",
    "/v1/models",
    "/v1/batches/x/cancel",
    "/v1/files/x/content",
    "/v1/models/x",
    "/v1/chat/completions",
    "/sheaf/clock",
    "/sheaf/faults",
    "/sheaf/requests",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/health",
  ),
);
const anyQuery = fc.oneof(
  fc.constant(""),
  fc.webQueryParameters().map((query) => `?${query}`),
  fc.constantFrom("?limit=", "?after=%00", "?limit[]=1", "?limit=1e3"),
);
const anyMethod = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
const anyType = fc.constantFrom(
  "application/json",
  "application/json; charset=x",
  "text/plain",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  "a",
  "application/x-www-form-urlencoded",
  "image/png",
);
const anyBody = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.toWellFormed()),
  fc.uint8Array({ maxLength: 200 }),
  fc
    .string({ maxLength: 60 })
    .map(
      (text) => `--b\r\nContent-Disposition: form-data; name="file"; filename="${text}"\r\n\r\n${text}\r\n--b--\r\n`,
    ),
);

test("no request at all gets a 500 or an error of another shape", async () => {
  await fc.assert(
    fc.asyncProperty(anyMethod, anyPath, anyQuery, anyType, anyBody, async (method, path, query, type, body) => {
      const init = method === "GET" ? { method } : { method, body, headers: { "content-type": type } };
      await expectOrderly(await server.request(path + query, init));
    }),
    { numRuns: 120 },
  );
});

const nearlyBatch = fc.record(
  {
    input_file_id: fc.oneof(fc.string(), fc.jsonValue()),
    endpoint: fc.oneof(fc.constant("/v1/chat/completions"), fc.jsonValue()),
    completion_window: fc.oneof(fc.constant("24h"), fc.jsonValue()),
    metadata: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

test("no body of a new batch gets a 500 or an error of another shape", async () => {
  await fc.assert(
    fc.asyncProperty(nearlyBatch, async (body) => {
      const headers = { "content-type": "application/json" };
      await expectOrderly(await server.request("/v1/batches", { method: "POST", body: JSON.stringify(body), headers }));
    }),
    { numRuns: 60 },
  );
});

const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary", maxLength: 2_000 }).map((text) => text.toWellFormed()),
);
const longText = fc.constant("x".repeat(5_000));

test.each([
  [
    "POST",
    "/v1/chat/completions",
    ["model", "messages", "n", "stop", "stream", "tools", "response_format", "temperature"],
  ],
  ["POST", "/sheaf/clock", ["advance", "more"]],
  ["PUT", "/sheaf/faults", ["failure_rte", "failure_rate", "statuses", "targets", "stuck_in", "retry_after"]],
] as const)("no body of %s %s gets a 500 or an error of another shape", async (method, path, fields) => {
  // Valid values are left out: a clock that was turned, or faults that were set, would answer for them.
  const anyField = fc.oneof(anyValue, longText).filter((value) => typeof value !== "number" && !Array.isArray(value));
  const anyFields = fc.record(Object.fromEntries(fields.map((field) => [field, anyField])), {
    requiredKeys: [fields[0]],
  });
  await fc.assert(
    fc.asyncProperty(anyFields, async (body) => {
      await expectOrderly(await server.request(path, { ...json(body), method }));
    }),
    { numRuns: 40 },
  );
});

const headerValue = fc.string({ unit: fc.constantFrom(..."abc0129-=,;:/*\"'()<>@[]{}?% \t~é"), maxLength: 60 });

test("no header gets a 500 or an error of another shape", async () => {
  const names = [
    "range",
    "if-range",
    "accept",
    "accept-encoding",
    "content-type",
    "cookie",
    "x-request-id",
    "if-match",
  ];
  const id = (await server.client.files.create({ file: new File(["{}"], "a"), purpose: "batch" })).id;
  const headers = fc.dictionary(fc.constantFrom(...names), headerValue);
  await fc.assert(
    fc.asyncProperty(headers, fc.constantFrom("/v1/models", `/v1/files/${id}/content`), async (given, path) => {
      await expectOrderly(await server.request(path, { headers: given }));
    }),
    { numRuns: 60 },
  );
});

test("no authorization header but the right one gets in, and none is repeated whole", async () => {
  const given = fc.oneof(
    headerValue,
    headerValue.map((text) => `Bearer ${text}`),
    fc.constant(`Bearer ${apiKey.slice(1)}`),
  );
  await fc.assert(
    fc.asyncProperty(given, async (authorization) => {
      const response = await server.request("/v1/models", { headers: { authorization } });
      await readError(response, 401);
    }),
    { numRuns: 40 },
  );
});

const partName = fc.oneof(
  fc.constantFrom(
    "file",
    "purpose",
    "expires_after[anchor]",
    "expires_after[seconds]",
    "__proto__",
    "expires_after",
    "",
  ),
  fc.string({ maxLength: 30 }),
);
const part = fc.record({
  name: partName,
  filename: fc.option(
    fc.string({ unit: "binary", maxLength: 80 }).map((text) => text.toWellFormed().replaceAll(/[\r\n]/g, "")),
  ),
  type: fc.constantFrom("", "Content-Type: a\r\n", "Content-Transfer-Encoding: base64\r\n", "Content-Type\r\n"),
  content: fc.oneof(fc.constantFrom("batch", "created_at", "3600"), fc.string({ maxLength: 50 }), longText),
});

test("no form gets a 500 or an error of another shape, and none that fails leaves a file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.constantFrom("--b--\r\n", "--b", ""), async (parts, end) => {
      const text = parts.map(({ name, filename, type, content }) => {
        const file = filename === null ? "" : `; filename="${filename}"`;
        return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${content}\r\n`;
      });
      const before = server.service.files.list().length;
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      const response = await server.request("/v1/files", { method: "POST", headers, body: text.join("") + end });
      const kept = response.status === 200 ? 1 : 0;
      await expectOrderly(response);
      expect(server.service.files.list()).toHaveLength(before + kept);
    }),
    { numRuns: 60 },
  );
});

const anyLine = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary", maxLength: 100 }).map((text) => text.toWellFormed()),
  fc
    .record(
      { custom_id: anyValue, method: anyValue, url: anyValue, body: anyValue, more: anyValue },
      { requiredKeys: ["custom_id"] },
    )
    .map((line) => JSON.stringify(line)),
);

test("no input file keeps its batch from ending, and what is wrong with it is said", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { maxLength: 5 }), fc.constantFrom("\n", "\r\n", "\r"), async (lines, end) => {
      const { status, problems } = await server.service.batches.settled(await createBatch(server, lines.join(end)));
      expect(["failed", "completed"]).toContain(status);
      expect(problems.length > 0).toBe(status === "failed");
      for (const secret of secrets) expect(JSON.stringify(problems)).not.toContain(secret);
    }),
    { numRuns: 25 },
  );
});
