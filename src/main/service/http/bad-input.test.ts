import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readError, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

/** Whatever the answer is, it is a success or an error of the caller's in the shape that every error has. */
async function expectOrderly(response: Response): Promise<void> {
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  if (response.status < 300) return void (await response.arrayBuffer());
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  await readError(response, response.status);
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
    { numRuns: 400 },
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
    { numRuns: 300 },
  );
});
