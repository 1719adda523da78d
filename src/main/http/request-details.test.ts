import { afterAll, beforeAll, expect, test } from "vitest";
import { chatCompletionSchema } from "#contract";
import { json, readError, startTestServer, type TestServer, twoPrompts, upload } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const chat = {
  model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
  messages: [{ role: "user", content: "Where is my parcel?" }],
};

test("keys that every object has are ordinary ones, wherever they are in a body", async () => {
  const strange = '"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"\\u005f_proto__":3';
  const body = JSON.stringify(chat).replace("{", `{${strange},`).replace('{"role"', `{${strange},"role"`);
  const answer = await server.request("/v1/chat/completions", json(body));
  expect(chatCompletionSchema.parse(await answer.json()).choices).toHaveLength(1);
  const logged = await (await server.request("/sheaf/requests?limit=1")).text();
  expect(logged).toContain('"body":{"__proto__":3,"constructor":{"prototype":{"b":2}},"model"');

  const input_file_id = await upload(server, twoPrompts);
  const batch = `{"input_file_id":"${input_file_id}","endpoint":"/v1/chat/completions","completion_window":"24h",
    "metadata":{"__proto__":"x","constructor":"y"}}`;
  const created = await server.request("/v1/batches", json(batch));
  expect(await created.text()).toContain('"metadata":{"__proto__":"x","constructor":"y"}');
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test("a body that is no JSON by its content type is 415, also without one", async () => {
  const paths = ["/v1/chat/completions", "/v1/batches", "/sheaf/clock"];
  const types = ["text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "image/png"];
  for (const path of paths) {
    for (const type of types) {
      const headers = { "content-type": type };
      const response = await server.request(path, { method: "POST", headers, body: JSON.stringify(chat) });
      expect((await readError(response, 415)).message, `${path} ${type}`).toContain("application/json");
    }
    // Bytes go without a type.
    const body = new TextEncoder().encode(JSON.stringify(chat));
    await readError(await server.request(path, { method: "POST", body }), 415);
  }
});

test("numbers out of range are told the bounds of their own field", async () => {
  const messageOf = async (path: string, init?: RequestInit) =>
    (await readError(await server.request(path, init), 400)).message;
  for (const limit of ["1e22", `1${"0".repeat(22)}`, "1e%2B22"]) {
    expect(await messageOf(`/v1/batches?limit=${limit}`)).toContain("Expected a value <= 100, but got 1e+22 instead.");
  }
  expect(await messageOf("/v1/files?limit=-1e20")).toContain("Expected a value >= 0,");
  expect(await messageOf("/v1/chat/completions", json({ ...chat, n: 1e22 }))).toBe("n is 1e+22; expected 128 or less.");
  expect(await messageOf("/v1/chat/completions", json({ ...chat, seed: 1e22 }))).toContain("9007199254740991 or less");
  const faults = (body: object) => messageOf("/sheaf/faults", { ...json(body), method: "PUT" });
  expect(await faults({ retry_after: 1e22 })).toContain("Expected a value <= 3600,");
});

test("what is too long or too short is told in plain words", async () => {
  const messageOf = async (path: string, init?: RequestInit) =>
    (await readError(await server.request(path, init), 400)).message;
  const batch = { input_file_id: "x", endpoint: "/v1/chat/completions", completion_window: "24h" };
  const withMetadata = (metadata: object) => messageOf("/v1/batches", json({ ...batch, metadata }));
  expect(await withMetadata({ ["k".repeat(65)]: "" })).toBe(
    "Invalid key in 'metadata': longer than the 64 characters that it may have.",
  );
  expect(await withMetadata({ k: "v".repeat(513) })).toBe(
    "Invalid 'metadata.k': longer than the 512 characters that it may have.",
  );
  const faults = (body: object) => messageOf("/sheaf/faults", { ...json(body), method: "PUT" });
  expect(await faults({ statuses: [] })).toBe("Invalid 'statuses': it needs at least 1 entry.");
  expect(await faults({ targets: Array(11).fill("chat") })).toBe(
    "Invalid 'targets': more than the 10 entries that it may have.",
  );
});
