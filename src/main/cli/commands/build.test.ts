import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exampleFile } from "../testing/batch-lines.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();

async function build(table: string, prompt: string, ...args: string[]) {
  return await runSheaf(["build", table, "--prompt", prompt, "--model", "llama3.2", ...args]);
}

async function writeTable(name: string, ...rows: string[]): Promise<string> {
  await writeFile(inFolder(name), `${rows.join("\n")}\n`);
  return inFolder(name);
}

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("each row of a table becomes a request, and the batch file validates", async () => {
  const out = inFolder("batch.jsonl");
  const done = await build(exampleFile("gsm8k-200.jsonl"), "Q: {{ question }}", "-o", out);
  expect(done).toMatchObject({ code: 0, stdout: "" });
  expect(done.stderr.endsWith(`${out}: 200 requests.\n`)).toBe(true);
  const lines = parseLines(await readFile(out, "utf8"));
  expect(lines).toHaveLength(200);
  expect(lines[1]).toEqual({
    custom_id: "line-2",
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "llama3.2", messages: [{ role: "user", content: expect.stringMatching(/^Q: A robe takes 2/) }] },
  });
  expect(await runSheaf(["validate", out, "--any-model"])).toMatchObject({ code: 0 });
});

test("a column with any name is the id, and the system message has columns, too", async () => {
  const table = await writeTable("t.csv", "row id,q", "a,1", "b,2");
  const { code, stdout } = await build(table, "{{ q }}", "--system", "S {{ q }}", "--id", "row id", "-o", "-");
  expect(code).toBe(0);
  expect(parseLines(stdout)).toMatchObject([
    { custom_id: "a", body: { messages: [{ role: "system", content: "S 1" }, { content: "1" }] } },
    { custom_id: "b", body: { messages: [{ role: "system", content: "S 2" }, { content: "2" }] } },
  ]);
});

test("faulty rows are left out and named, the others are written, and the exit code is 1", async () => {
  const table = await writeTable("t.csv", "id,q", "1,a", "2", "1,c", "4,", "5,e");
  const out = inFolder("batch.jsonl");
  const { code, stdout, stderr } = await build(table, "{{ q }}", "--id", "id", "-o", out);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(parseLines(await readFile(out, "utf8")).map((line) => line.custom_id)).toEqual(["1", "5"]);
  expect(stderr).toContain(`${table}: row 2: invalid_row: This row has 1 cell; the table has 2 columns.\n`);
  expect(stderr).toContain(`${table}: row 3: duplicate_custom_id: custom_id "1" is used in row 1 already`);
  expect(stderr).toContain(`${table}: row 4: no_prompt: The user message of this row has no text.\n`);
  expect(stderr).toMatch(/batch\.jsonl: 2 requests\. 3 rows of \S+t\.csv left out\.\n$/);
});

test("of many faulty rows the first are named in full, and the others by their numbers", async () => {
  const rows = Array.from({ length: 40 }, (_, at) => (at < 30 ? `${at}` : `${at},x`));
  const table = await writeTable("t.csv", "id,q", ...rows);
  const { code, stderr } = await build(table, "{{ q }}", "-o", inFolder("batch.jsonl"));
  expect(code).toBe(1);
  expect(stderr.match(/: row \d+: invalid_row: /g)).toHaveLength(20);
  expect(stderr).toContain(`${table}: invalid_row: rows 21-30 have the same problem.\n`);
});

test("where no row can be a request, no file is written", async () => {
  const table = await writeTable("t.csv", "id,q", "1,a");
  const out = ["-o", inFolder("batch.jsonl")];
  const cases = [
    [await build(table, "{{ nope }}", ...out), 'unknown_column: There is no column "nope".'],
    [await build(table, "{{ q }}", "--id", "key", ...out), 'unknown_column: There is no column "key".'],
    [await build(table, "{{ q", ...out), 'End it with "}}".'],
    [await build(table, "", ...out), "no_prompt: "],
    [await build(inFolder("gone.csv"), "{{ q }}", ...out), "gone.csv: there is no such file or folder."],
    [await build(await writeTable("head.csv", "id,q"), "{{ q }}", ...out), "head.csv: the table has no rows."],
    [await build(await writeTable("b.jsonl", '{"custom_id":"a","body":{}}'), "x", ...out), "is a batch file already"],
    [await build(table, "{{ q }}", "-o", table), "this file is already the place for something else."],
  ] as const;
  for (const [{ code, stderr }, message] of cases) {
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  }
  expect((await readdir(inFolder())).toSorted()).toEqual(["b.jsonl", "head.csv", "t.csv"]);
});

test("a schema is sent as strict where it keeps the rules for that, and stderr says where not", async () => {
  const table = await writeTable("t.csv", "id,q", "1,a");
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const readFormat = ({ stdout }: { stdout: string }) => parseLines(stdout)[0].body.response_format;
  const loose = await build(
    table,
    "{{ q }}",
    "-o",
    "-",
    "--schema",
    await writeTable("s.json", JSON.stringify(schema)),
  );
  expect(readFormat(loose)).toEqual({ type: "json_schema", json_schema: { name: "answer", strict: false, schema } });
  expect(loose.stderr).toContain("s.json: the schema is sent with strict: false. additionalProperties: ");
  const closed = { ...schema, additionalProperties: false };
  const strict = await build(
    table,
    "{{ q }}",
    "-o",
    "-",
    "--schema",
    await writeTable("s.json", JSON.stringify(closed)),
  );
  expect(readFormat(strict)).toMatchObject({ json_schema: { strict: true, schema: closed } });
  const broken = await build(table, "{{ q }}", "-o", "-", "--schema", await writeTable("s.json", "no"));
  expect(broken).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("s.json: The schema is not") });
});

test("a workbook is read with its hidden rows, or without, and by its values or as they are shown", async () => {
  const tables = join(import.meta.dirname, "../../build/testing/tables");
  const read = (name: string, prompt: string, ...flags: string[]) =>
    build(join(tables, name), prompt, "-o", "-", ...flags);
  const hidden = await read("filtered-hidden-rows.xlsx", "{{ id }}");
  expect(parseLines(hidden.stdout)).toHaveLength(10);
  expect(hidden.stderr).toContain("hidden_rows: 5 rows of the sheet are hidden, and read like the others.");
  const visible = await read("filtered-hidden-rows.xlsx", "{{ id }}", "--visible-rows-only");
  expect(parseLines(visible.stdout)).toHaveLength(5);
  expect(visible.stderr).toContain("hidden_rows: 5 rows of the sheet are hidden and left out.");
  const formats = "number-formats-zip-percent-duration.xlsx";
  const contentOf = (stdout: string) => parseLines(stdout)[0].body.messages[0].content;
  expect(contentOf((await read(formats, "{{ share }}")).stdout)).toBe("0.125");
  expect(contentOf((await read(formats, "{{ share }}", "--values-as-shown")).stdout)).toBe("12.50%");
});
