import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { loadConfigReader } from "#main/storage";
import { rulesSchema } from "./rule-schema.ts";
import { checkRules, parseRules, RulesError } from "./rules-source.ts";

beforeAll(loadConfigReader);

const repository = new URL("../../../../", import.meta.url);

function problemsOf(text: string, file = "rules.yaml"): readonly string[] {
  try {
    parseRules(text, file);
  } catch (error) {
    if (error instanceof RulesError) return error.problems;
    throw error;
  }
  return [];
}

test("every mistake of a file is told at once, each with its line", () => {
  const text = `fallback: moc
rules:
  - match:
      model: { regex: "a(?=b)" }
      last_user_message: { regx: hello }
      call: 0
    reply:
      text: Hello.
      json: { a: 1 }
  - match: { model: 5 }
    reply: { error: { status: 200, cod: x } }
  - name: without a reply
  - reply: {}
more: 1
`;
  expect(problemsOf(text)).toEqual([
    'rules.yaml:1: fallback is wrong: expected one of "mock"|"error"',
    "rules.yaml:4: rules[0].match.model.regex is no pattern of RE2, which has no lookaround and no backreferences: invalid or unsupported Perl syntax: `(?=`",
    "rules.yaml:5: rules[0].match.last_user_message has the unknown key 'regx'",
    "rules.yaml:6: rules[0].match.call is wrong: expected number to be >=1",
    "rules.yaml:8: rules[0].reply has text and json; a reply has only one of them",
    "rules.yaml:10: rules[1].match.model must be a text or a map of keys, not the number 5",
    "rules.yaml:11: rules[1].reply.error.status is wrong: expected number to be >=400",
    "rules.yaml:11: rules[1].reply.error has the unknown key 'cod'",
    "rules.yaml:12: rules[2] has either reply or replies",
    "rules.yaml:13: rules[3].reply is empty; it has one of text, stream, json, tool_calls, error, completion, chunks, raw, fault",
    "rules.yaml:14: the file has the unknown key 'more'",
  ]);
});

test.each([
  ["what is no YAML", "rules.yaml", "rules:\n  - reply: {text: [}\n", 2],
  ["what is no JSON", "rules.json", '{"rules": [\n  {"reply": {"text": "a"}}\n', 3],
  ["a line of JSONL that is no JSON", "rules.jsonl", '{"reply":{"text":"a"}}\n{"reply"\n', 2],
  ["a line of JSONL that is no rule", "rules.jsonl", '\n\n{"reply":{"txt":"a"}}\n', 3],
  ["an empty file", "rules.yaml", "", 1],
  ["a list where a map is meant", "rules.yaml", "- reply: {text: a}\n", 1],
])("%s is told with its line", (_, file, text, line) => {
  const problems = problemsOf(text, file);
  expect(problems).not.toEqual([]);
  expect(problems[0]).toMatch(new RegExp(`^${file}:${line}: `));
});

test("the same rules in YAML, JSON and JSONL are the same", () => {
  const rules = [
    { match: { model: "m", call: 2 }, reply: { text: "two" } },
    { replies: [{ json: { a: [1, null] } }, { error: { status: 429, retry_after: 2 } }] },
  ];
  const json = JSON.stringify({ rules }, null, 2);
  const yaml = `rules:
  - match: { model: m, call: 2 }
    reply: { text: two }
  - replies:
      - json: { a: [1, null] }
      - error: { status: 429, retry_after: 2 }
`;
  const expected = checkRules({ rules });
  expect(parseRules(json, "a.json")).toEqual(expected);
  expect(parseRules(yaml, "a.yaml")).toEqual(expected);
  expect(parseRules(rules.map((rule) => `${JSON.stringify(rule)}\n`).join(""), "a.jsonl")).toEqual(expected);
});

test("no text makes anything but rules or a list of problems", () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `rules:\n  - reply: ${json}\n`),
  );
  fc.assert(
    fc.property(text, fc.constantFrom("r.yaml", "r.json", "r.jsonl"), (content, file) => {
      for (const problem of problemsOf(content, file)) expect(problem).toMatch(/^r\.\w+:\d+: /);
    }),
  );
});

test("aliases that multiply without end are a problem, not a hang", () => {
  const levels = Array.from({ length: 12 }, (_, at) => `  - &a${at + 1} [${Array(9).fill(`*a${at}`).join(", ")}]`);
  expect(problemsOf(`rules:\n  - &a0 [lol]\n${levels.join("\n")}\n`)[0]).toMatch(/^rules\.yaml:\d+: /);
});

test("the example of the repository can be used", () => {
  const path = "examples/rules/support-desk.yaml";
  expect(parseRules(readFileSync(new URL(path, repository), "utf8"), path).rules.length).toBeGreaterThan(5);
});

/** What schemas say of themselves, without the names that the document of the HTTP server gives to some of them. */
class Descriptions extends z.core.$ZodRegistry<z.GlobalMeta> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const { id: _, ...described } = z.globalRegistry.get(schema) ?? {};
    return described;
  }
}

/** After a change of the format: `npx vitest run parse-rules -u`. */
test("the JSON Schema that editors use is the one that checks", async () => {
  const schema = z.toJSONSchema(rulesSchema, { io: "input", reused: "ref", metadata: new Descriptions() });
  const file = new URL("docs/scripted-rules.schema.json", repository).pathname;
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(file);
});
