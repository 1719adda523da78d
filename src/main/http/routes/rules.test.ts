import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { loggedRequestSchema } from "#contract";
import { json, readError, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    rules: {
      rules: [{ name: "greeting", match: { last_user_message: { contains: "Hello" } }, reply: { text: "Hi." } }],
    },
  });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});
afterEach(() => server.request("/sheaf/reset?all=true", { method: "POST" }));

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const completion = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });

const send = (method: string, path: string, body?: unknown) =>
  server.request(path, body === undefined ? { method } : { ...json(body), method });

async function ask(content: string, scope = "default", stream = false): Promise<string | number> {
  const body = { model, messages: [{ role: "user", content }], stream };
  const response = await send("POST", `/scope/${scope}/v1/chat/completions`, body);
  if (stream) return await response.text();
  return response.ok ? completion.parse(await response.json()).choices[0].message.content : response.status;
}

async function readRequests(scope = "default") {
  const response = await server.request(`/scope/${scope}/sheaf/requests?path=/v1/chat`);
  return z.object({ data: z.array(loggedRequestSchema) }).parse(await response.json()).data;
}

const say = (text: string, match: object = {}) => ({ match, reply: { text } });

test("the rules of the start hold in every scope until it sets others, adds some or has none", async () => {
  await send("PUT", "/scope/other/sheaf/rules", { rules: [say("Bonjour.")], fallback: "error" });
  await send("POST", "/scope/more/sheaf/rules", say("Tomorrow.", { last_user_message: "When?" }));
  const cleared = await send("DELETE", "/scope/none/sheaf/rules");
  expect(await cleared.json()).toEqual({ fallback: "mock", rules: [] });

  expect([await ask("Hello"), await ask("Hello", "other"), await ask("Hello", "more")]).toEqual([
    "Hi.",
    "Bonjour.",
    "Hi.",
  ]);
  expect([await ask("When?", "more"), await ask("Hello", "none")]).toEqual([
    "Tomorrow.",
    expect.not.stringContaining("Hi."),
  ]);
  const listed = z
    .object({ rules: z.array(z.unknown()) })
    .parse(await (await send("GET", "/scope/more/sheaf/rules")).json());
  expect(listed.rules).toMatchObject([{ reply: { text: "Tomorrow." } }, { name: "greeting" }]);

  await send("POST", "/scope/other/sheaf/reset");
  expect(await ask("Hello", "other")).toBe("Hi.");
});

test("each scope counts its own calls, and a rule that is added leaves the counts of the others", async () => {
  const inTurn = { rules: [{ replies: [{ text: "one" }, { text: "two" }, { text: "three" }] }] };
  for (const scope of ["a", "b"]) await send("PUT", `/scope/${scope}/sheaf/rules`, inTurn);
  expect([await ask("x", "a"), await ask("x", "a"), await ask("x", "b")]).toEqual(["one", "two", "one"]);
  await send("POST", "/scope/a/sheaf/rules", say("first", { last_user_message: "y" }));
  expect([await ask("y", "a"), await ask("x", "a")]).toEqual(["first", "three"]);
});

test("the lines of a batch are answered by the rules of its scope", async () => {
  await send("PUT", "/scope/lines/sheaf/rules", { rules: [say("by rule", { custom_id: "q-1" })] });
  const line = { custom_id: "q-1", method: "POST", url: "/v1/chat/completions" };
  const form = new FormData();
  form.set("purpose", "batch");
  form.set(
    "file",
    new File([JSON.stringify({ ...line, body: { model, messages: [{ role: "user", content: "x" }] } })], "a.jsonl"),
  );
  const idSchema = z.object({ id: z.string() });
  const upload = await server.request("/scope/lines/v1/files", { method: "POST", body: form });
  const { id: input_file_id } = idSchema.parse(await upload.json());
  const endpoint = "/v1/chat/completions";
  const made = await send("POST", "/scope/lines/v1/batches", { input_file_id, endpoint, completion_window: "24h" });
  const { outputFileId } = await server.service.batches.settled(idSchema.parse(await made.json()).id);
  const output = await server.request(`/scope/lines/v1/files/${outputFileId}/content`);
  expect(await output.json()).toMatchObject({ response: { body: { choices: [{ message: { content: "by rule" } }] } } });
});

test("a logged request names the rule that answered, streamed or not, and has the answer's body", async () => {
  await send("POST", "/sheaf/rules", { match: { last_user_message: "Fail" }, reply: { error: { status: 503 } } });
  await ask("Hello");
  await ask("Hello", "default", true);
  await ask("Fail");
  await ask("Something else");
  const [mock, failed, streamed, answered] = await readRequests();
  expect(mock).toMatchObject({ rule: null, response: { body: { object: "chat.completion" } } });
  expect(failed).toMatchObject({ rule: { index: 0, name: null }, status: 503, response: { body: { error: {} } } });
  expect(streamed).toMatchObject({ rule: { index: 1, name: "greeting" } });
  expect(streamed?.response.body).toMatch(/^data: \{.*"Hi.*data: \[DONE\]\n\n$/s);
  expect(answered?.rule).toEqual({ index: 1, name: "greeting" });
  expect(answered?.response.body).toMatchObject({ choices: [{ message: { content: "Hi." } }] });
});

test("rules with a mistake change nothing, and the error names its place", async () => {
  for (const [method, body, param] of [
    ["PUT", { rules: [{ reply: { text: "x" } }, { reply: {} }] }, "rules[1].reply"],
    ["PUT", { rules: [say("x", { last_user_message: { regex: "(?=x)" } })] }, "rules[0].match.last_user_message"],
    ["PUT", { rule: [] }, "rules"],
    ["POST", { match: {} }, null],
  ] as const) {
    expect((await readError(await send(method, "/sheaf/rules", body), 400)).param).toBe(param);
  }
  expect(await ask("Hello")).toBe("Hi.");
});
