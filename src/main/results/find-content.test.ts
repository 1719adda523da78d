import fc from "fast-check";
import { expect, it } from "vitest";
import { findContent } from "./find-content.ts";
import { readAnswered, readOutcome } from "./join-line.ts";

/** The answer of a line whose every value is read. */
function readWhole(line: string): string | null {
  const { state, answer } = readOutcome(line);
  return state === "answered" ? answer : null;
}

const toLine = (body: string) =>
  `{"id":"a-1","custom_id":"line-1","response":{"status_code":200,"request_id":"r-1","body":${body}},"error":null}`;
const toBody = (choice: string, more = "") =>
  `{"id":"c-1","object":"chat.completion","created":1,"model":"m","choices":[${choice}]${more}}`;
const usual = String.raw`"{\"score\":1.10,\"text\":\"\\\"content\\\": \u00e9\\n\"}"`;
const usage =
  ',"usage":{"prompt_tokens":60,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":0,"of":[0,"a"],"none":{}}},"system_fingerprint":null';

it.each([
  toLine(toBody(`{"index":0,"message":{"role":"assistant","content":${usual}},"finish_reason":"stop"}`, usage)),
  toLine(toBody(`{"message":{"content":"ä €","refusal":null,"reasoning":"a \\"content\\":\\n b"},"logprobs":null}`)),
  toLine(`{"error":null,"choices":[{"error":null,"finish_reason":"length","message":{"content":"a"}}]}`),
  // As Python writes it.
  toLine('{"choices": [{"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}]}'),
])("the answer of a usual completion is found without reading all of %j", (line) => {
  expect(findContent(line)).toBe(readWhole(line));
  expect(findContent(line)).not.toBeUndefined();
});

it.each([
  toLine(toBody('{"message":{"content":"a","content":"b"}}')),
  toLine(toBody('{"message":{"content":"a","cont\\u0065nt":"b"}}')),
  toLine(toBody('{"message":{"content":"a"},"message":{"content":"b"}}')),
  toLine(toBody('{"message":{"content":"a"}},{"message":{"content":"b"}}')),
  toLine(toBody('{"message":{"content":"a"},"finish_reason":"Error"}')),
  toLine(toBody('{"message":{"content":"a"}}', ',"error":{"message":"no"}')),
  toLine(toBody('{"message":{"content":"a"}}', ',"object":"response"')),
  toLine(toBody('{"message":{"content":"a"}}', ',"choices":[]')),
  toLine(toBody('{"message":{"content":""}}')),
  toLine(toBody('{"message":{"content":[{"type":"text","text":"a"}]}}')),
  toLine(toBody('{"message":{"content":"\\x"}}')),
  toLine(toBody('{"message":{"content":"a"}}', ',"usage":{"a":01}')),
  toLine(toBody('{"message":{"content":"a"}}')).replace("200", "500"),
  toLine(toBody('{"message":{"content":"a"}}')).replace('"error":null', '"response":null'),
  `${toLine(toBody('{"message":{"content":"a"}}'))}}`,
  toLine(toBody('{"message":{"content":"a"}}')).slice(0, -1),
])("the answer of any other line is read with all of it: %j", (line) => {
  expect(findContent(line)).toBeUndefined();
  expect(readAnswered(line)).toBe(readWhole(line));
});

const keys = fc.constantFrom(
  ...["id", "response", "status_code", "request_id", "body", "object", "choices", "message", "content", "error"],
  ...["finish_reason", "refusal", "tool_calls", "usage", "__proto__", "cont\\u0065nt", "\\u0062ody", "é", ""],
);
const texts = fc.constantFrom(
  ...[
    "a",
    "",
    "200",
    "response",
    "error",
    "ERROR",
    "stop",
    '\\"content\\":\\"b\\"',
    "\\\\",
    "\\n\\u00e9\\ud83d",
    "{",
    "\u20ac",
  ],
);
const scalars = fc.oneof(
  texts.map((text) => `"${text}"`),
  fc.constantFrom("null", "true", "0", "200", "-1.50e3", "9007199254740993", "1e400"),
);
const spaces = fc.constantFrom("", "", "", " ", "  ", "\t");
const values = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie("value"), { maxLength: 2 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(keys, spaces, tie("value")), { maxLength: 2 })
      .map((members) => `{${members.map(([key, space, value]) => `"${key}":${space}${value}`).join(`,`)}}`),
  ),
})).value;
const others = fc.array(fc.tuple(keys, values), { maxLength: 2 });

/** An object that mostly has a member, among others. */
function objectWith(key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(others, value, others, spaces, fc.integer({ min: 0, max: 20 }))
    .map(([before, own, after, space, chance]) => {
      const all = [...before, ...(chance === 0 ? [] : [[key, own] as const]), ...after];
      return `{${all.map(([name, found]) => `"${name}":${space}${found}`).join(`,${space}`)}}`;
    });
}

const messages = objectWith("content", fc.oneof({ weight: 5, arbitrary: texts.map((text) => `"${text}"`) }, values));
const choices = fc
  .array(objectWith("message", messages), { minLength: 1, maxLength: 2 })
  .map((items) => `[${items.join(",")}]`);
const lines = objectWith("choices", choices).map(toLine);
const changes = fc.tuple(fc.nat(), fc.constantFrom("", "", '"', "\\", "}", "]", ",", "{", "0", " ", "\u0001"));

it("an answer is the same whether the whole line is read or not, also of lines that are not JSON", () => {
  fc.assert(
    fc.property(lines, fc.option(changes, { freq: 2 }), (line, change) => {
      const [place, put] = change ?? [line.length, ""];
      const at = place % (line.length + 1);
      const changed = line.slice(0, at) + put + line.slice(at + 1);
      expect(readAnswered(changed)).toBe(readWhole(changed));
    }),
    { numRuns: 2_000 },
  );
});

it("a line of any length is read", () => {
  const long = toLine(
    toBody(`{"message":{"content":"${"a\\n".repeat(300_000)}","reasoning":"${"b\\n".repeat(300_000)}"}}`),
  );
  expect(readAnswered(long)).toBe("a\n".repeat(300_000));
  const cut = long.slice(0, -1);
  expect(readAnswered(cut)).toBeNull();
  const logprobs = Array(50_000).fill('{"token":"a","logprob":-0.1,"bytes":[97]}').join(",");
  const counted = toLine(toBody(`{"message":{"content":"a"},"logprobs":{"content":[${logprobs}]}}`));
  expect(readAnswered(counted)).toBe("a");
});
