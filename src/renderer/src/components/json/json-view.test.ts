import fc from "fast-check";
import { expect, test } from "vitest";
import { highlightJson } from "./highlight-json.ts";
import { readJson, splitFields } from "./read-json.ts";

const indentJson = (text: string) => readJson(text, true).text;

test("keys, strings, numbers and words are distinguished", () => {
  expect(highlightJson('  "a\\"b": ["c", -1.5e3, true, null],')).toEqual([
    { kind: "plain", text: "  " },
    { kind: "key", text: '"a\\"b"' },
    { kind: "plain", text: ": [" },
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

test("keys that their object has twice are found on each of their lines, as received and indented", () => {
  const text = '{"a": {"id": 1, "b": [{"id": 2}, {"id": 3}]}, "c": 1, "\\u0061": 2, "c": 3, "c": 4}';
  const keysAt = (isIndented: boolean) => {
    const read = readJson(text, isIndented);
    return [...read.repeated].sort((one, other) => one - other).map((at) => read.text.slice(at, at + 8).split(":")[0]);
  };
  expect(keysAt(false)).toEqual(['"a"', '"c"', '"\\u0061"', '"c"', '"c"']);
  expect(keysAt(true)).toEqual(keysAt(false));
  expect(readJson(text, false).text).toBe(text);
});

test("twenty thousand levels, and strings of megabytes, are read", () => {
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  const { text } = readJson(deep, true);
  expect(text.replaceAll(/\s/g, "")).toBe(deep);
  expect(text.length).toBeLessThan(4_000_000);
  const long = JSON.stringify({ picture: "a".repeat(3_000_000) });
  expect(highlightJson(long).map(({ kind }) => kind)).toEqual(["plain", "key", "plain", "string", "plain"]);
});

test("the fields of an object keep their values as written, their order and keys that are there twice", () => {
  const text = ' { "a": -1.50, "b" : "x\\"y, }", "a":{"c":[1,{"d":"}"}]}, "e":null }';
  expect(splitFields(text)).toEqual([
    { at: 3, key: "a", value: "-1.50", isRepeated: true },
    { at: 15, key: "b", value: '"x\\"y, }"', isRepeated: false },
    { at: 32, key: "a", value: '{"c":[1,{"d":"}"}]}', isRepeated: true },
    { at: 57, key: "e", value: "null", isRepeated: false },
  ]);
  for (const other of ["[1]", "12", '"text"', "{", "{}", ""]) expect(splitFields(other)).toBeNull();
});
