import fc from "fast-check";
import { expect, test } from "vitest";
import { indentJson } from "./indent-json.ts";
import { highlightJson } from "./json-view.tsx";

test("keys, strings, numbers and words are distinguished", () => {
  expect(highlightJson('  "a\\"b": ["c", -1.5e3, true, null],')).toEqual([
    { kind: "plain", text: "  " },
    { kind: "key", text: '"a\\"b"' },
    { kind: "plain", text: ":" },
    { kind: "plain", text: " [" },
    { kind: "string", text: '"c"' },
    { kind: "plain", text: ", " },
    { kind: "number", text: "-1.5e3" },
    { kind: "plain", text: ", " },
    { kind: "word", text: "true" },
    { kind: "plain", text: ", " },
    { kind: "word", text: "null" },
    { kind: "plain", text: "]," },
  ]);
});

test.each(['{"open": "never closed', "not JSON: 12 apples", "", '"\\'])("nothing of %j is lost", (line) => {
  expect(
    highlightJson(line)
      .map(({ text }) => text)
      .join(""),
  ).toBe(line);
});

test("a text that is not JSON stays as it is", () => {
  expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(indentJson(json)).toBe(JSON.stringify(JSON.parse(json), null, 2));
    }),
  );
  const written = '{"10":1.10,"2":9007199254740993,"a":"\\u00e9 \\"{","a":-0,"e":[ ],"f":{}}';
  expect(indentJson(written)).toBe(
    '{\n  "10": 1.10,\n  "2": 9007199254740993,\n  "a": "\\u00e9 \\"{",\n  "a": -0,\n  "e": [],\n  "f": {}\n}',
  );
  expect(indentJson("{broken")).toBe("{broken");
});
