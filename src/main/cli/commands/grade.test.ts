import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openJudgeServer } from "../testing/judge-server.ts";
import { runSheaf, runSheafProcess } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const model = "deepseek-ai/DeepSeek-R1";

const toLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

function answer(customId: string, content: string | null) {
  const body = content === null ? { error: { message: "Slow down." } } : { choices: [{ message: { content } }] };
  const response = { status_code: content === null ? 429 : 200, request_id: "req_1", body };
  return { id: "batch_req_1", custom_id: customId, response, error: null };
}

/** Writes the answers and a table, and returns the flags that name them. */
async function given(answers: Readonly<Record<string, string | null>>, table: string, name = "table.csv") {
  const [batch, expected] = [inFolder("answers.jsonl"), inFolder(name)];
  await writeFile(batch, toLines(Object.entries(answers).map(([id, content]) => answer(id, content))));
  await writeFile(expected, table);
  return ["grade", "--batch", batch, "--expected", expected, "--id", "id", "--column", "gold"];
}

async function gradeJson(args: readonly string[]) {
  const { code, stdout, stderr } = await runSheaf([...args, "--json"]);
  expect({ code, others: stderr.replace(/^\S+: row 1 is the header: .*\n/, "") }).toEqual({ code: 0, others: "" });
  return JSON.parse(stdout);
}

test("rows meet the answers by custom_id, and the accuracy has its interval", async () => {
  const answers = { d: "So it is 4.", c: null, b: "7", a: "2 + 2\n#### 4", f: "#### 12.0" };
  const args = await given(
    answers,
    'id,question,gold\na,Two?,4\nb,Six?,6\nc,Who?,1\nd,Four?,"#### 4"\ne,?,9\nf,?,12\n',
  );
  const { code, stdout, stderr } = await runSheafProcess([...args, "--as", "number", "--json"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^\S+table\.csv: row 1 is the header: id, question, gold\.\n$/);
  expect(JSON.parse(stdout)).toEqual({
    graded: 6,
    passed: 3,
    failed: 1,
    no_answer: 2,
    no_expected: 0,
    accuracy: 0.75,
    interval: [expect.closeTo(0.3006, 4), expect.closeTo(0.9544, 4)],
    saved: 0,
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    cost: null,
  });
});

test("each grade is a line of the output, in the order of the table, and the counts are for people", async () => {
  const output = inFolder("grades.jsonl");
  const args = await given({ b: "It is bad.", a: "Good!", z: "Nobody asked." }, "gold;id\ngood;a\ngood;b\nbad;c\n");
  const { code, stdout, stderr } = await runSheaf([...args, "--as", "label", "-o", output]);
  expect(stdout).toBe(
    [
      "3 graded: 1 passed, 1 failed, 1 without an answer.",
      "Accuracy 50 %; with 95 % certainty between 9.5 % and 90.5 %.",
      "good: precision 100 %, recall 50 %.",
      "bad: precision 0 %, recall –.",
      "good → bad: 1.",
      "",
    ].join("\n"),
  );
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/\n1 answer passed over: nothing is expected of them\.\n$/),
  });
  const lines = (await readFile(output, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { custom_id: "a", expected: "good", given: "good", grade: "pass", why: "The answer names good, as expected." },
    { custom_id: "b", expected: "good", given: "bad", grade: "fail", why: "The answer names bad." },
    { custom_id: "c", expected: "bad", given: null, grade: "no_answer", why: "The request has no answer." },
  ]);
});

test("-o - prints the grades, and the counts for people go to stderr", async () => {
  const args = await given({ a: "4" }, "id,gold\na,4\nb,5\n");
  const { code, stdout, stderr } = await runSheaf([...args, "--as", "number", "-o", "-"]);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { custom_id: "a", grade: "pass" },
    { custom_id: "b", grade: "no_answer" },
  ]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("2 graded: 1 passed") });
  expect(await runSheaf([...args, "--as", "number", "-o", "-", "--json"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--json and -o - both want standard output"),
  });
  expect(existsSync("-")).toBe(false);
});

test("every grader that reads a column grades from the command line", async () => {
  const cases: [as: string[], gold: string, right: string, wrong: string][] = [
    [["exact"], "Paris", "Paris", "paris"],
    [["text"], "New York", "new-york!", "York"],
    [["number", "--tolerance", "0.5"], "10", "about 10.4", "10.6"],
    [["contains"], "Ada", "It was Ada.", "It was Grace."],
    [["regex"], "^[ab]+$", "abba", "abc"],
    [["json", "--path", "$.who[0].name"], "Ada", '{"who":[{"name":"Ada"}]}', '{"who":[]}'],
  ];
  for (const [as, gold, right, wrong] of cases) {
    const table = toLines([
      { id: "a", gold },
      { id: "b", gold, other: 1 },
      { id: 3, gold },
    ]);
    const args = await given({ a: right, b: wrong, 3: right }, table, "table.jsonl");
    expect({ as, ...(await gradeJson([...args, "--as", ...as])) }).toMatchObject({ as, passed: 2, failed: 1 });
  }
});

test("rows without an expected answer are passed over and counted, and failures that are alike are named", async () => {
  const args = await given({ a: "4", b: "5", c: "6", d: "x", e: "y" }, "id,gold\na,4\nb,\nc, \nd,1\ne,2\n");
  const { code, stdout } = await runSheaf([...args, "--as", "number"]);
  expect(code).toBe(0);
  expect(stdout).toContain("3 graded: 1 passed, 2 failed, 0 without an answer.");
  expect(stdout).toContain("2 rows have no expected answer.");
  expect(stdout).toContain("All 2 failed answers have the same problem: The answer has no number.");
});

test("cells with several values are one of several accepted answers, or a set", async () => {
  const args = await given(
    { a: "colour", b: "Paris", c: "no" },
    "id,gold\na,color|colour\nb,Paris|Lutetia\nc,yes|oui\n",
  );
  expect(await gradeJson([...args, "--as", "exact", "--any-of"])).toMatchObject({ passed: 2, failed: 1 });
  expect(await gradeJson([...args, "--as", "exact", "--any-of=|"])).toMatchObject({ passed: 2, failed: 1 });
  expect(await gradeJson([...args, "--as", "exact"])).toMatchObject({ passed: 0, failed: 3 });
  const refused = await runSheaf([...args, "--as", "number", "--set", "--json"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--set: number can't compare sets") });

  const lists = { a: '{"l":["bug","billing"]}', b: '{"l":["bug"]}', c: '{"l":["login"]}' };
  const byList = [
    ...(await given(lists, "id;gold\na;billing, bug\nb;bug, billing\nc;bug\n")),
    "--as",
    "json",
    "--path",
    "$.l",
  ];
  expect(await gradeJson(byList)).toMatchObject({ passed: 1, failed: 2 });
  expect(await gradeJson([...byList, "--ordered"])).toMatchObject({ passed: 0, failed: 3 });
  const { stdout } = await runSheaf(byList);
  expect(stdout).toContain("bug: precision 100 %, recall 66.7 %.\n");
  expect(stdout).toContain("billing → nothing: 1.\n");

  const kinds = Array.from({ length: 22 }, (_, place) => `kind${String.fromCharCode(97 + place)}`);
  const shifted = Object.fromEntries(kinds.map((kind, place) => [kind, kinds[(place + 1) % kinds.length] ?? ""]));
  const many = await given(shifted, `id,gold\n${kinds.map((kind) => `${kind},${kind}\n`).join("")}`);
  expect((await runSheaf([...many, "--as", "label"])).stdout).toContain("2 other pairs: 2.\n");
});

const request = (customId: string, body: object = {}) => {
  const messages = [{ role: "user", content: `Is ${customId} polite?` }];
  return { custom_id: customId, method: "POST", url: "/v1/chat/completions", body: { model, messages, ...body } };
};

test("schema and model need no table, but the requests", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const body = { response_format: { type: "json_schema", json_schema: { name: "n", schema } } };
  const [batch, requests] = [inFolder("answers.jsonl"), inFolder("batch.jsonl")];
  await writeFile(batch, toLines([answer("b", '{"n":"two"}'), answer("a", '{"n":1}')]));
  await writeFile(requests, toLines([request("a", body), request("b", body), request("c", body)]));
  const args = ["grade", "--batch", batch, "--requests", requests];
  expect(await gradeJson([...args, "--as", "schema"])).toMatchObject({ passed: 1, failed: 1, no_answer: 1 });

  const [rubric, rules] = [inFolder("rubric.txt"), inFolder("rules.json")];
  await writeFile(rubric, "It is polite.\n");
  const says = (pass: boolean) => ({ reply: { json: { reason: "So.", pass } } });
  await writeFile(
    rules,
    JSON.stringify({
      rules: [{ match: { last_user_message: { contains: "Is a polite" } }, ...says(true) }, says(false)],
    }),
  );
  const byModel = [...args, "--as", "model", "--rubric", rubric, "--judge-model", model];
  expect(await gradeJson([...byModel, "--rules", rules])).toMatchObject({ passed: 1, failed: 1, no_answer: 1 });
  expect(await runSheaf(byModel)).toMatchObject({ code: 2, stderr: expect.stringContaining("makes its answers up") });
  const { flags } = await openJudgeServer({ status: 401, body: { error: { message: "No key." } } });
  expect(await runSheaf([...byModel, ...flags])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("2 answers without a grade: the model answered with status 401.\n"),
  });
});

test("what can't be read or joined is said with its place, and nothing is written", async () => {
  const output = inFolder("grades.jsonl");
  const table = 'id,gold\na,4\nb,"four\nor so"\n,5\na,6\nc,none\n';
  const args = [...(await given({ a: "4" }, table)), "--as", "number", "-o", output];
  const wrong = await runSheaf(args);
  const path = inFolder("table.csv");
  expect(wrong.stderr).toBe(
    [
      `${path}: row 1 is the header: id, gold.`,
      `error: ${path}: row 3: It has no 'id'.`,
      `${path}: row 4: 'a' stands in row 1, too.`,
      `${path}: row 5: The expected value 'none' has no number.`,
      "",
    ].join("\n"),
  );
  await writeFile(path, "id,gold\na,4\n");
  await writeFile(
    inFolder("answers.jsonl"),
    `${toLines([answer("a", "4"), { custom_id: 5 }, answer("a", "5")])}not json\n`,
  );
  const broken = await runSheaf(args);
  const places = broken.stderr.split("\n").map((line) => /answers\.jsonl:\d/.exec(line)?.[0]);
  expect(places.slice(1, 4)).toEqual(["answers.jsonl:2", "answers.jsonl:3", "answers.jsonl:4"]);
  const strangers = await runSheaf([...(await given({ x: "4" }, "id,gold\na,4\n")), "--as", "number", "-o", output]);
  expect(strangers.stderr).toContain("none of its custom_ids");
  expect([wrong.code, broken.code, strangers.code]).toEqual([2, 2, 2]);
  expect(existsSync(output)).toBe(false);
});

test("flags that don't fit the grader are refused with one sentence", async () => {
  const args = await given({ a: "4" }, "id,gold\na,4\n");
  const cases: [args: string[], message: string][] = [
    [
      ["--as", "magic"],
      "--as expects exact, text, number, contains, label, regex, json, schema or model, not 'magic'.",
    ],
    [["--as", "exact", "--tolerance", "1"], "--tolerance is for --as number, not exact."],
    [["--as", "number", "--tolerance", "-1"], "--tolerance expects a number from 0, such as 0.01, not '-1'."],
    [["--as", "json"], "sheaf grade --as json needs --path JSONPATH."],
    [
      ["--as", "json", "--path", "$..a"],
      "--path: '$..a' is no path such as $.items[0].name: character 2 can't be read.",
    ],
    [["--as", "schema"], "sheaf grade --as schema needs --requests BATCH.jsonl, which has the schemas."],
    [["--as", "model", "--judge-model", model], "sheaf grade --as model needs --rubric FILE."],
    [
      ["--as", "text", "--column", "silver"],
      `${inFolder("table.csv")}: there is no column 'silver'. The columns are 'id', 'gold'.`,
    ],
    [
      ["--as", "text", "-o", inFolder("table.csv")],
      `${inFolder("table.csv")}: this file is already the place for something else.`,
    ],
  ];
  for (const [flags, message] of cases) {
    const { code, stdout, stderr } = await runSheaf([...args, ...flags]);
    expect({ code, stdout, error: stderr.split("\n").at(-2) }).toEqual({
      code: 2,
      stdout: "",
      error: `error: ${message}`,
    });
  }
  const bare = await runSheaf(["grade", "--batch", inFolder("answers.jsonl"), "--as", "exact"]);
  expect(bare.stderr).toBe("error: sheaf grade --as exact needs --expected TABLE.\n");
});
