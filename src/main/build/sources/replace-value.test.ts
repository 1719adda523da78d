import { describe, expect, it } from "vitest";
import { createReplace, readValue } from "./replace-value.ts";

const line =
  '{ "custom_id":"a\\"b", "body":{"model" : "gpt\\u002d4", "n":1.0,"messages":[{"content":"}{"},{"content":"Hi"}]}}';

describe("a value of a line", () => {
  it.each<[string, string | null]>([
    ["body.model", "gpt-4"],
    ["custom_id", 'a"b'],
    ["body.n", "1.0"],
    ["body.messages[1].content", "Hi"],
    ["body.messages[2].content", null],
    ["body.messages", null],
    ["body.modell", null],
    ["body.n.x", null],
    ["", null],
  ])("at %s is %s", (path, value) => {
    expect(readValue(line, path)).toBe(value);
  });

  it.each(["", "[]", "{broken", '{"body":{"model":"gpt-4"}', '{"body":{"model","gpt-4"}}', `${"[".repeat(100_000)}`])(
    "is none where the line is no object: %.20s",
    (text) => {
      expect(readValue(text, "body.model")).toBeNull();
    },
  );

  it.each<[string, string, string, string]>([
    ["body.model", "gpt-4", "m/one", line.replace('"gpt\\u002d4"', '"m/one"')],
    ["body.model", "gpt-4", "7", line.replace('"gpt\\u002d4"', '"7"')],
    ["body.n", "1.0", "2", line.replace("1.0", "2")],
    ["body.n", "1.0", "two", line.replace("1.0", '"two"')],
    ["body.n", "1", "2", line],
    ["body.messages[0].content", "}{", "Hello", line.replace("}{", "Hello")],
  ])("at %s that is %s becomes %s, and all else stays byte for byte", (path, from, to, expected) => {
    expect(createReplace({ path, from, to })(line)).toBe(expected);
  });

  it("is found behind texts as long as a line may be", () => {
    for (const text of ["A".repeat(12_000_000), '\\n"'.repeat(3_000_000)]) {
      const long = JSON.stringify({ body: { messages: [{ content: text }], model: "gpt-4" } });
      expect(readValue(long, "body.model")).toBe("gpt-4");
    }
  });

  it("is that of the last key of its name, which parsers read", () => {
    const twice = '{"model":"a","model":"b"}';
    expect(readValue(twice, "model")).toBe("b");
    expect(createReplace({ path: "model", from: "b", to: "c" })(twice)).toBe('{"model":"a","model":"c"}');
  });
});
