import { expect, test } from "vitest";
import { parseAnswer, parseAnswerJson, parseBody, readAnswer, readAnswerFields, readExactJson } from "./index.ts";

const levels = 100_000;
const list = "[".repeat(levels) + "]".repeat(levels);
const object = `${'{"a":'.repeat(levels)}1.10${"}".repeat(levels)}`;

test.each([list, object, `{"a":1,"b":${object}}`, `\`\`\`json\n${object}\n\`\`\``])(
  "an answer that is nested 100,000 levels deep is a text",
  (answer) => {
    expect(parseAnswer(answer)).toBeUndefined();
    expect(parseAnswerJson(answer)).toBeUndefined();
    expect(readAnswerFields(answer)).toBeNull();
    expect(() => readExactJson(answer)).toThrow(SyntaxError);
  },
);

test("an answer of many lists, or of brackets in texts, is read as ever", () => {
  const wide = JSON.stringify({ rows: Array(5_000).fill([{ a: [1] }]), text: "[".repeat(5_000) });
  expect(parseAnswer(wide)).toEqual(JSON.parse(wide));
  const deep = `${"[".repeat(200)}1.10${"]".repeat(200)}`;
  expect(JSON.stringify(parseAnswer(deep))).toBe(deep);
});

test("a body with such a value in any place is no JSON, and its reader finds no answer", () => {
  const text = { message: { content: "Hello" }, finish_reason: "stop" };
  const places = [
    `{"choices":[${JSON.stringify(text)}],"more":${object}}`,
    `{"choices":[{"message":{"content":${list}}}]}`,
    `{"choices":[{"message":{"content":"Hello","tool_calls":[{"function":{"name":"a","arguments":${object}}}]}}]}`,
    `{"choices":[{"message":{"refusal":${list},"reasoning":${list}}}],"usage":${object}}`,
  ];
  for (const place of places) {
    expect(parseBody(place)).toBeUndefined();
    expect(readAnswer(parseBody(place))).toMatchObject({ answer: "" });
  }
});
