import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatRequestSchema } from "#contract";
import { requestLine } from "../../service/testing/index.ts";
import { createModelCatalog } from "../model-catalog.ts";
import { createLineChecker } from "./line-checker.ts";
import { createCheckRules } from "./rules.ts";

const rules = createCheckRules(createModelCatalog("free"), { bytes: 1_000_000, requests: 100, lineBytes: 16_000_000 });
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

/** `code param: message` of each problem with one line. */
function check(line: string | Uint8Array): string[] {
  return createLineChecker(rules)
    .check(line, 1)
    .map(({ code, param, message }) => `${code} ${param}: ${message}`);
}

function checkBody(body: Record<string, unknown>): string[] {
  return check(requestLine("a", "Why?", { body }));
}

test("a request as the interface document shows it has no problem", () => {
  expect(check(requestLine("a", "Why?", { body: { temperature: 0.5, max_completion_tokens: 500 } }))).toEqual([]);
});

test.each([
  "<vendor_a>/<Family1>-3.1-8B-Instruct-Turbo",
  "vendor_a/Family1-3.1-405B-Instruct-Turbo",
  "<vendor_b>/<Family2>-R1",
])("the document's neutral name %s is a model", (name) => {
  const checker = createLineChecker(rules);
  expect(checker.check(requestLine("a", "Why?", { body: { model: name } }), 1)).toEqual([]);
  expect(checker.models()).toHaveLength(1);
  expect(checker.models()).not.toContain(name);
});

describe("a line that is no request", () => {
  test.each([
    [
      '{"custom_id":"a"',
      "invalid_json_line null: The line is not valid JSON: expected ',' or '}' after property value at character 17.",
    ],
    ['{"custom_id":', "invalid_json_line null: The line is not valid JSON: it ends too early."],
    ["hello", "invalid_json_line null: The line is not valid JSON: unexpected token 'h'."],
    ["[1,2]", "invalid_json_line null: The line is an array of 2; expected a JSON object."],
    ["null", "invalid_json_line null: The line is null; expected a JSON object."],
    ['"text"', 'invalid_json_line null: The line is "text"; expected a JSON object.'],
  ])("%s", (line, problem) => {
    expect(check(line)).toEqual([problem]);
  });

  test("is not UTF-8", () => {
    expect(check(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual([
      "invalid_json_line null: The line is not UTF-8 text. Save the file as UTF-8.",
    ]);
  });
});

test("every missing field is named", () => {
  expect(check("{}")).toEqual([
    "missing_required_parameter custom_id: custom_id is missing; each request needs one.",
    "missing_required_parameter method: method is missing; each request needs one.",
    "missing_required_parameter url: url is missing; each request needs one.",
    "missing_required_parameter body: body is missing; each request needs one.",
  ]);
  expect(check(requestLine("", "Why?"))).toEqual([
    "missing_required_parameter custom_id: custom_id is empty; each request needs one.",
  ]);
});

test("every field of a wrong type is named, with what was found", () => {
  expect(check('{"custom_id":7,"method":null,"url":["x"],"body":"text"}')).toEqual([
    "invalid_type custom_id: custom_id is 7; expected text.",
    "invalid_type method: method is null; expected text.",
    "invalid_type url: url is an array of 1; expected text.",
    'invalid_type body: body is "text"; expected an object.',
  ]);
});

test("method and url have one value each", () => {
  expect(check(requestLine("a", "Why?", { method: "GET", url: "/v1/embeddings" }))).toEqual([
    'invalid_method method: method is "GET"; only "POST" is supported.',
    'invalid_url url: url is "/v1/embeddings"; expected the endpoint of the batch, "/v1/chat/completions".',
  ]);
});

test("a custom_id that was seen before names its first line", () => {
  const checker = createLineChecker(rules);
  checker.check(requestLine("a", "One?"), 1);
  checker.check(requestLine("b", "Two?"), 2);
  expect(checker.check(requestLine("a", "Three?"), 3)).toEqual([
    {
      code: "duplicate_custom_id",
      message: 'custom_id "a" is used on line 1 already; it must be unique in the file.',
      param: "custom_id",
      line: 3,
      severity: "error",
    },
  ]);
});

describe("a body", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["without a model", { model: undefined }, ["invalid_request body.model: model is missing; expected text."]],
    ["with a model of a wrong type", { model: 4 }, ["invalid_request body.model: model is 4; expected text."]],
    [
      "without messages",
      { messages: undefined },
      ["invalid_request body.messages: messages is missing; expected an array."],
    ],
    [
      "with no message",
      { messages: [] },
      ["invalid_request body.messages: messages is an empty array; expected at least one entry."],
    ],
    [
      "with messages that are none",
      { messages: ["Why?", { role: "robot", content: "Why?" }, { role: "user", content: 5 }, { role: "user" }, {}] },
      [
        'invalid_request body.messages[0]: messages[0] is "Why?"; expected an object.',
        'invalid_request body.messages[1].role: messages[1].role is "robot"; expected one of "system", "user", "assistant", "developer", "tool", "function".',
        "invalid_request body.messages[2].content: messages[2].content is 5; expected text or an array.",
        "invalid_request body.messages[3].content: messages[3].content is missing. Only an assistant's message may lack content.",
        'invalid_request body.messages[4].role: messages[4].role is missing; expected one of "system", "user", "assistant", "developer", "tool", "function".',
        "invalid_request body.messages[4].content: messages[4].content is missing. Only an assistant's message may lack content.",
      ],
    ],
    [
      "with parts that are none",
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Why?" },
              { type: "image_url" },
              3,
              { type: "video" },
              { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
              { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
              { type: "file", file: { file_id: "file-1" } },
              { type: "refusal", refusal: "No." },
            ],
          },
        ],
      },
      [
        "invalid_request body.messages[0].content[1].image_url: messages[0].content[1].image_url is missing; expected an object.",
        "invalid_request body.messages[0].content[2]: messages[0].content[2] is 3; expected an object.",
        'invalid_request body.messages[0].content[3].type: messages[0].content[3].type is "video"; expected one of "text", "image_url", "input_audio", "file", "refusal".',
      ],
    ],
    [
      "with parameters out of range",
      { temperature: 3, top_p: -0.5, n: 1.5, max_completion_tokens: 0, seed: "x", stop: ["a", "b", "c", "d", "e"] },
      [
        "invalid_request body.temperature: temperature is 3; expected 2 or less.",
        "invalid_request body.top_p: top_p is -0.5; expected 0 or more.",
        "invalid_request body.n: n is 1.5; expected a whole number.",
        "invalid_request body.max_completion_tokens: max_completion_tokens is 0; expected 1 or more.",
        'invalid_request body.seed: seed is "x"; expected a number.',
        "invalid_request body.stop: stop is an array of 5; expected at most 4 entries.",
      ],
    ],
    [
      "with tools and formats that do not fit one another",
      {
        tools: [{ type: "function", function: { name: "look_up", parameters: "none" } }, { type: "retrieval" }],
        tool_choice: "always",
        response_format: { type: "json_schema" },
        top_logprobs: 21,
      },
      [
        "invalid_request body.top_logprobs: top_logprobs is 21; expected 20 or less.",
        "invalid_request body.response_format.json_schema: response_format.json_schema is missing. The type json_schema needs one.",
        'invalid_request body.tools[0].function.parameters: tools[0].function.parameters is "none"; expected an object.',
        'invalid_request body.tools[1].type: tools[1].type is "retrieval"; expected one of "function", "custom".',
        'invalid_request body.tool_choice: tool_choice is "always"; expected one of "none", "auto", "required".',
      ],
    ],
    [
      "that chooses a tool it does not name, and the likeliest tokens without any",
      {
        tools: [{ type: "function", function: { name: "look_up" } }],
        tool_choice: { type: "function", function: { name: "look_down" } },
        top_logprobs: 2,
      },
      [
        "invalid_request body.top_logprobs: top_logprobs is 2. It needs logprobs to be true.",
        'invalid_request body.tool_choice.function.name: tool_choice.function.name is "look_down". No tool has this name.',
      ],
    ],
    [
      "that needs a tool and has none",
      { tool_choice: "required", tools: [] },
      ['invalid_request body.tool_choice: tool_choice is "required". It needs tools to choose from.'],
    ],
    [
      "that asks for a stream",
      { stream: true },
      ["streaming_unsupported body.stream: stream is true; the answers of a batch can't be streamed."],
    ],
    [
      "with a stream of a wrong type",
      { stream: "no" },
      ['invalid_request body.stream: stream is "no"; expected true or false.'],
    ],
    [
      "with an unknown model",
      { model: "gpt-9" },
      [
        'model_not_found body.model: model "gpt-9" is not known. Models: klusterai/Meta-Llama-3.1-8B-Instruct-Turbo, klusterai/Meta-Llama-3.1-405B-Instruct-Turbo, klusterai/Meta-Llama-3.3-70B-Instruct-Turbo, deepseek-ai/DeepSeek-R1.',
      ],
    ],
    [
      "that asks for more than the model answers",
      { max_completion_tokens: 4_001, max_tokens: 5_000 },
      [
        `max_output_exceeded body.max_completion_tokens: max_completion_tokens is 4,001; ${model} answers with 4,000 tokens at most.`,
        `max_output_exceeded body.max_tokens: max_tokens is 5,000; ${model} answers with 4,000 tokens at most.`,
      ],
    ],
  ])("%s", (_, body, problems) => {
    expect(checkBody(body)).toEqual(problems);
  });

  test("passes parameters that the service does not know, and unset ones, within the API's own ranges", () => {
    expect(checkBody({ logit_bias: { 50256: -100 }, temperature: null, stop: null, stream: false })).toEqual([]);
  });

  test("may hold the calls of an assistant in the place of content", () => {
    const messages = [
      { role: "user", content: "Why?" },
      { role: "assistant", content: null, tool_calls: [] },
    ];
    expect(checkBody({ messages })).toEqual([]);
  });

  test("is refused when its prompt has more tokens than the context, not when it has more bytes", () => {
    const manyBytes = "antidisestablishmentarianism ".repeat(2_000);
    const manyTokens = "7 ".repeat(32_001);
    expect(manyBytes.length).toBeGreaterThan(32_000);
    expect(checkBody({ messages: [{ role: "user", content: manyBytes }] })).toEqual([]);
    expect(checkBody({ messages: [{ role: "user", content: manyTokens }] })).toEqual([
      `context_length_exceeded body.messages: The prompt has more than the 32,000 tokens that ${model} takes.`,
    ]);
  });
});

test("all problems of one line are found at once", () => {
  const line = requestLine("a", "Why?", { method: "PUT", body: { model: "x", temperature: 9, stream: true } });
  const codes = createLineChecker(rules)
    .check(line, 1)
    .map(({ code }) => code);
  expect(codes.sort()).toEqual(["invalid_method", "invalid_request", "model_not_found", "streaming_unsupported"]);
});

describe("blank lines", () => {
  const check = (...lines: string[]) => {
    const checker = createLineChecker(rules);
    const found = lines.flatMap((line, at) => checker.check(line, at + 1));
    return [...found, ...checker.finish(100)].map(({ code, line, message }) => [code, line, message]);
  };
  const one = requestLine("a", "Why?");
  const other = requestLine("b", "Why?");
  const remove = "each line holds one request. Remove";

  test("are one problem wherever they follow one another, and none where one of them ends the file", () => {
    expect(check(one, "  \r", other, "")).toEqual([["invalid_json_line", 2, `The line is blank; ${remove} it.`]]);
    const first = ["invalid_json_line", 1, `Lines 1 to 3 are blank; ${remove} them.`];
    expect(check("", "", " ", one)).toEqual([first]);
    expect(check(one, "", "", "")).toEqual([["invalid_json_line", 2, `Lines 2 to 3 are blank; ${remove} them.`]]);
  });

  test("and nothing else are an empty file, and no other problem", () => {
    for (const lines of [[""], ["", ""], [" ", "\t", "\r", ""]]) {
      expect(check(...lines)).toEqual([["empty_file", null, "The file has no request in it."]]);
    }
  });
});

describe("the whole file", () => {
  test("is refused when it has no request", () => {
    const checker = createLineChecker(rules);
    expect(checker.finish(1)).toMatchObject([{ code: "empty_file", line: null, param: null }]);
  });

  test("is refused when it has too many requests; those over the limit are counted, not checked", () => {
    const checker = createLineChecker(rules);
    const problems = Array.from({ length: 102 }, (_, at) =>
      checker.check(at < 100 ? requestLine(`${at}`, "?") : "{}", at),
    );
    expect(problems.flat()).toEqual([]);
    expect(checker.finish(1_000)).toMatchObject([
      {
        code: "too_many_requests_in_file",
        message: "The file has 102 requests; at most 100 are taken. Split it. Lines over the limit were not checked.",
      },
    ]);
  });

  test("is refused when it is too large", () => {
    const checker = createLineChecker(rules);
    checker.check(requestLine("a", "?"), 1);
    expect(checker.finish(1_500_000)).toMatchObject([
      { code: "file_too_large", message: "The file has 1.5 MB; at most 1 MB are taken. Split it." },
    ]);
  });
});

test("the models of the file come with the most frequent first", () => {
  const checker = createLineChecker(rules);
  const names = ["deepseek-ai/DeepSeek-R1", model, model];
  names.forEach((name, at) => {
    checker.check(requestLine(`${at}`, "?", { body: { model: name } }), at + 1);
  });
  expect(checker.models()).toEqual([model, "deepseek-ai/DeepSeek-R1"]);
});

test("no bytes make it throw, and every problem names its line", () => {
  const lines = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => Buffer.from(text)),
    nearRequest(),
  );
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 20 }), (file) => {
      const checker = createLineChecker(rules);
      file.forEach((line, at) => {
        for (const problem of checker.check(line, at + 1)) {
          // Blank lines are one problem, reported with the request behind them.
          const isBlank = file
            .slice((problem.line ?? 0) - 1, at)
            .every((one) => Buffer.from(one).toString().trim() === "");
          expect(problem.line === at + 1 || isBlank).toBe(true);
          expect(problem.severity).toBe("error");
        }
      });
      checker.finish(0);
    }),
  );
});

test("it takes exactly the bodies that the contract's schema takes", () => {
  fc.assert(
    fc.property(nearBody(), (body) => {
      const line = JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/chat/completions", body });
      const found = createLineChecker({ ...rules, strictness: "ranges" }).check(line, 1);
      const refused = found.some(({ code }) => code === "invalid_request");
      expect(refused).toBe(!chatRequestSchema.safeParse(JSON.parse(JSON.stringify(body))).success);
    }),
    { numRuns: 500 },
  );
});

/** Bodies that are right in most places. */
function nearBody(): fc.Arbitrary<Record<string, unknown>> {
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, -1, 0, 0.5, 1, 2, 3, 4_001, "text"));
  const role = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("system", "user", "assistant", "tool") }, odd);
  const part = fc.oneof(fc.constant({ type: "text", text: "Why?" }), odd);
  const content = fc.oneof({ weight: 4, arbitrary: fc.string() }, fc.array(part, { maxLength: 3 }), odd);
  const message = fc.oneof({ weight: 5, arbitrary: fc.record({ role, content }, { requiredKeys: [] }) }, odd);
  return fc.record(
    {
      model: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(model, "x") }, odd),
      messages: fc.oneof({ weight: 6, arbitrary: fc.array(message, { maxLength: 3 }) }, odd),
      temperature: odd,
      top_p: odd,
      n: odd,
      max_tokens: odd,
      stop: odd,
      stream: odd,
    },
    { requiredKeys: ["model", "messages"] },
  );
}

function nearRequest(): fc.Arbitrary<Uint8Array> {
  const field = fc.oneof(fc.constantFrom("a", "POST", "/v1/chat/completions"), fc.jsonValue({ maxDepth: 1 }));
  const body = fc.oneof({ weight: 4, arbitrary: nearBody() }, field);
  return fc
    .record({ custom_id: field, method: field, url: field, body }, { requiredKeys: [] })
    .map((request) => Buffer.from(JSON.stringify(request)));
}
