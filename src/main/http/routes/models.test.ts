import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { modelSchema } from "#contract";
import { readError, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("models are listed with the fields that clients expect", async () => {
  const body = await (await server.request("/v1/models")).json();
  const { data } = z.strictObject({ object: z.literal("list"), data: z.array(modelSchema.strict()) }).parse(body);
  expect(data.map(({ id }) => id)).toEqual(server.service.models.list().map(({ id }) => id));
});

test.each([
  "deepseek-ai/DeepSeek-R1",
  "deepseek-ai%2FDeepSeek-R1",
  "%3Cvendor_b%3E/%3CFamily2%3E-R1",
  "vendor_b/Family2-R1",
])("a model is found by its id or another name of it, escaped or not: %s", async (path) => {
  const response = await server.request(`/v1/models/${path}`);
  expect(await response.json()).toMatchObject({
    id: "deepseek-ai/DeepSeek-R1",
    object: "model",
    owned_by: "deepseek-ai",
  });
});

test("an unknown model is 404 and named", async () => {
  const error = await readError(await server.request("/v1/models/nobody/Nothing-1B"), 404);
  expect(error.param).toBe("model");
  expect(error.message).toContain("nobody/Nothing-1B");
});
