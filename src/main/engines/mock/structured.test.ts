import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChatRequest, readToolCall, type ToolCall } from "#contract";
import { ask, complete, countPlain, createEngine, fail, stream, textOf } from "../testing/test-engine.ts";

const engine = createEngine();
afterAll(() => engine.close?.());

const weatherTool = {
  type: "function" as const,
  function: {
    name: "get_weather",
    description: "Weather at a place",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, unit: { enum: ["c", "f"] } },
      required: ["city", "unit"],
      additionalProperties: false,
    },
    strict: true,
  },
};
const timeTool = { type: "function" as const, function: { name: "getTime" } };
const weatherSchema = z.strictObject({ city: z.string(), unit: z.enum(["c", "f"]) });
const question = "What is the weather in Paris?";

const inputOf = (call: ToolCall | undefined) => (call === undefined ? "" : readToolCall(call).input);

async function answerOf(request: ChatRequest) {
  const [choice] = (await complete(engine, request)).choices;
  const calls = choice?.message.tool_calls ?? [];
  return { choice, calls, names: calls.map((call) => readToolCall(call).name) };
}

describe("a format", () => {
  const personSchema = z.strictObject({
    name: z.string(),
    age: z.int().min(0).max(120),
    tags: z.array(z.enum(["a", "b"])),
  });
  const format = (schema: object): Partial<ChatRequest> => ({
    response_format: { type: "json_schema", json_schema: { name: "person", strict: true, schema: { ...schema } } },
  });

  test("json_schema is answered with JSON that fits the schema, counted as it stands", async () => {
    const completion = await complete(engine, ask("Who is it?", format(z.toJSONSchema(personSchema))));
    personSchema.parse(JSON.parse(textOf(completion)));
    expect(completion.usage.completion_tokens).toBe(countPlain(textOf(completion)));
    expect(completion.choices[0]?.finish_reason).toBe("stop");
  });

  test("json_object is answered with a JSON object that refers to the message", async () => {
    const completion = await complete(engine, ask(question, { response_format: { type: "json_object" } }));
    expect(z.strictObject({ answer: z.string() }).parse(JSON.parse(textOf(completion))).answer).toContain("Paris");
  });

  test("json_schema without a schema is any JSON object", async () => {
    const anyFormat: Partial<ChatRequest> = { response_format: { type: "json_schema", json_schema: { name: "any" } } };
    expect(JSON.parse(textOf(await complete(engine, ask(question, anyFormat))))).toHaveProperty("answer");
  });

  test("text is text", async () => {
    const completion = await complete(engine, ask(question, { response_format: { type: "text" } }));
    expect(textOf(completion)).toContain("mock answer");
  });

  test("that can't be served is an error that says why", async () => {
    const impossible = format({ type: "integer", minimum: 5, maximum: 3 });
    expect(await fail(engine, ask(question, impossible), 400)).toEqual({
      message: "Invalid schema for response_format 'person': at #, no value was found that fits it.",
      type: "invalid_request_error",
      param: "response_format",
      code: "invalid_value",
    });
    await expect(stream(engine, ask(question, impossible))).rejects.toThrow("Invalid schema");
  });

  test("is cut like any text when the tokens end", async () => {
    const completion = await complete(
      engine,
      ask("Who?", { ...format(z.toJSONSchema(personSchema)), max_completion_tokens: 5 }),
    );
    expect(completion.choices[0]?.finish_reason).toBe("length");
    expect(countPlain(textOf(completion))).toBeLessThanOrEqual(5);
  });
});

describe("tools", () => {
  test("are called with valid arguments and no content", async () => {
    const { choice, calls, names } = await answerOf(ask(question, { tools: [weatherTool] }));
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    expect(names).toEqual(["get_weather"]);
    weatherSchema.parse(JSON.parse(inputOf(calls[0])));
    // The same question again has the same calls under ids of their own, also when it is answered from what is stored.
    const again = await Promise.all([1, 2, 3].map(() => answerOf(ask(question, { tools: [weatherTool] }))));
    const all = [calls, ...again.map((answer) => answer.calls)];
    expect(new Set(all.map(([call]) => call?.id)).size).toBe(4);
    expect(new Set(all.map(([call]) => inputOf(call))).size).toBe(1);
  });

  test("without parameters are called with an empty object", async () => {
    const { calls } = await answerOf(ask("What time is it?", { tools: [timeTool] }));
    expect(inputOf(calls[0])).toBe("{}");
  });

  test("are called when the message names them, several at once, and one of them when it names none", async () => {
    const tools = [weatherTool, timeTool];
    expect((await answerOf(ask("The time in Paris?", { tools }))).names).toEqual(["getTime"]);
    const both = ask("The weather and the time in Paris?", { tools });
    expect((await answerOf(both)).names).toEqual(["get_weather", "getTime"]);
    expect((await answerOf({ ...both, parallel_tool_calls: false })).names).toEqual(["get_weather"]);
    expect((await answerOf(ask("Hello", { tools }))).names).toHaveLength(1);
    const { calls } = await answerOf(both);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  test("none: the answer is text", async () => {
    const { choice, calls } = await answerOf(ask(question, { tools: [weatherTool], tool_choice: "none" }));
    expect(calls).toEqual([]);
    expect(choice).toMatchObject({ finish_reason: "stop", message: { content: expect.stringContaining("Paris") } });
  });

  const afterResult = (more: Partial<ChatRequest> = {}): ChatRequest => ({
    ...ask(question),
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: null, tool_calls: [] },
      { role: "tool", content: "19 degrees and sunny", tool_call_id: "call_1" },
    ],
    tools: [weatherTool, timeTool],
    ...more,
  });

  test("are not called again once their result is there: the answer speaks of it", async () => {
    const { choice, calls } = await answerOf(afterResult());
    expect(calls).toEqual([]);
    expect(choice).toMatchObject({
      finish_reason: "stop",
      message: { content: expect.stringContaining("19 degrees") },
    });
  });

  test("required and named ones are called in any case", async () => {
    expect((await answerOf(afterResult({ tool_choice: "required" }))).names).toEqual(["get_weather"]);
    const named = { type: "function" as const, function: { name: "getTime" } };
    expect((await answerOf(afterResult({ tool_choice: named }))).names).toEqual(["getTime"]);
    expect((await answerOf(ask(question, { tools: [weatherTool, timeTool], tool_choice: named }))).names).toEqual([
      "getTime",
    ]);
  });

  test("with a schema that can't be served are an error that says why", async () => {
    const tools = [{ type: "function" as const, function: { name: "broken", parameters: { $ref: "#/$defs/none" } } }];
    const error = await fail(engine, ask(question, { tools }), 400);
    expect(error).toMatchObject({ param: "tools", message: expect.stringContaining("can't resolve reference") });
  });

  test("are called within the limit of tokens, or cut by it", async () => {
    const request = ask("The weather and the time?", { tools: [weatherTool, timeTool] });
    const whole = await complete(engine, request);
    const { completion_tokens: all } = whole.usage;
    const fitting = await complete(engine, { ...request, max_completion_tokens: all });
    expect(fitting.choices[0]?.finish_reason).toBe("tool_calls");
    for (let limit = 1; limit < all; limit++) {
      const { choices, usage } = await complete(engine, { ...request, max_completion_tokens: limit });
      expect(choices[0]?.finish_reason).toBe("length");
      expect(usage.completion_tokens).toBeLessThanOrEqual(limit);
    }
  });

  test("come in pieces that joined are the whole call", async () => {
    const request = ask("The weather and the time?", { tools: [weatherTool, timeTool] });
    const { calls } = await answerOf(request);
    const joined: Record<number, { id?: string; name?: string; text: string }> = {};
    for (const { choices } of await stream(engine, request)) {
      for (const { index, id, function: piece } of choices[0]?.delta.tool_calls ?? []) {
        const call = joined[index] ?? { text: "" };
        joined[index] = {
          ...call,
          ...(id === undefined ? {} : { id }),
          ...(piece?.name === undefined ? {} : { name: piece.name }),
          text: call.text + (piece?.arguments ?? ""),
        };
      }
    }
    expect(Object.values(joined)).toEqual(
      calls.map((call) => ({ id: expect.any(String), name: readToolCall(call).name, text: inputOf(call) })),
    );
  });
});

test("a request nested too deeply is refused, not a fault", async () => {
  let nested: unknown = 1;
  for (let depth = 0; depth < 50_000; depth++) nested = [nested];
  expect(await fail(engine, ask(question, { extra: nested }), 400)).toMatchObject({
    message: "The request is nested too deeply.",
  });
});

test("any tools and choice give calls of tools that there are", async () => {
  const anyName = fc.constantFrom("get_weather", "getTime", "x", "look_up_the_weather", "天气");
  const anyTool = anyName.map((name) => ({ type: "function" as const, function: { ...weatherTool.function, name } }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTool, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("none" as const, "auto" as const, "required" as const, null),
      fc.lorem(),
      async (tools, choice, content) => {
        const { choices } = await complete(engine, ask(content, { tools, tool_choice: choice, n: 2 }));
        for (const { message, finish_reason } of choices) {
          const calls = message.tool_calls ?? [];
          expect(calls.length > 0).toBe(choice !== "none");
          expect(finish_reason).toBe(choice === "none" ? "stop" : "tool_calls");
          for (const call of calls) {
            expect(tools.map((tool) => tool.function.name)).toContain(readToolCall(call).name);
            weatherSchema.parse(JSON.parse(inputOf(call)));
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});
