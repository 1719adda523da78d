import { afterAll, beforeAll, expect, test } from "vitest";
import { resultLineSchema } from "#contract";
import {
  createBatch,
  json,
  readError,
  startTestServer,
  type TestServer,
  toBatchFile,
} from "../../http/testing/test-server.ts";
import { readContent } from "../../service/testing/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Schema = Record<string, unknown>;
const required = (properties: Schema): Schema => ({ type: "object", properties, required: Object.keys(properties) });
const format = (schema: Schema) => ({ response_format: { type: "json_schema", json_schema: { name: "it", schema } } });

/** Each takes for ever, or all memory, when it is simply followed. */
type Hostile = readonly [schema: Schema, reason: string];
const endless: Hostile = [{ allOf: [{ $ref: "#" }] }, "at #/allOf/0, it refers to itself without end"];
const hostile: readonly Hostile[] = [
  endless,
  [required({ a: { $ref: "#" } }), "at #/properties/a, it refers to itself without end"],
  [{ type: "string", minLength: 9_000, not: { pattern: "^(\\w+ ?)+!$" } }, "at #, it takes too long"],
  [{ enum: ["x".repeat(1_000_001)] }, "at #, it has more than 1,000,000 characters"],
];

test("forty lines with schemas that never end fail by themselves, soon, and the server answers meanwhile", async () => {
  // What only a limit of time ends comes once.
  const reasons = Array.from({ length: 40 }, (_, at) => hostile[at === 0 ? 2 : at % 2] ?? endless);
  const lines = reasons.map(([schema], at) => toBatchFile([{ id: String(at), content: "?" }], format(schema)));
  const sound = toBatchFile([{ id: "sound", content: "?" }], format(required({ name: { type: "string" } })));
  const settled = server.service.batches.settled(await createBatch(server, lines.join("") + sound));

  let asked = 0;
  let isOver = false;
  void settled.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await (await server.request("/health")).text();
    asked += 1;
  }
  // A server that composes in its own thread would answer the first when all lines are done.
  expect(asked).toBeGreaterThan(1);

  const { status, counts, outputFileId, errorFileId } = await settled;
  expect({ status, counts }).toEqual({ status: "completed", counts: { total: 41, completed: 1, failed: 40 } });
  expect((await readLines(outputFileId)).map((line) => line.custom_id)).toEqual(["sound"]);
  for (const { custom_id: customId, response } of await readLines(errorFileId)) {
    expect(response).toMatchObject({
      status_code: 400,
      body: { error: { param: "response_format", code: "invalid_value" } },
    });
    expect(JSON.stringify(response?.body)).toContain(reasons[Number(customId)]?.[1]);
  }
});

async function readLines(fileId: string | null) {
  const content = await readContent(server.service.files.read(fileId ?? ""));
  return content
    .trimEnd()
    .split("\n")
    .map((line) => resultLineSchema.parse(JSON.parse(line)));
}

test.each(hostile)("a direct call with the schema %j is refused: %s", async (schema, reason) => {
  const request = { model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages: [{ role: "user", content: "?" }] };
  // Streamed and whole are answered by the same thread.
  const stream = schema.type === "object";
  const response = await server.request("/v1/chat/completions", json({ ...request, ...format(schema), stream }));
  expect((await readError(response, 400)).message).toContain(reason);
});
