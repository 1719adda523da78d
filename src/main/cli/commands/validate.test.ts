import { readFileSync } from "node:fs";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { problemSchema } from "#contract";
import { exampleFile, readBatchLines } from "../testing/batch-lines.ts";
import { exitOf, runSheaf, startSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const broken = exampleFile("broken-batch.jsonl");
const expectedProblems = z
  .array(problemSchema.pick({ line: true, code: true, param: true }))
  .parse(JSON.parse(readFileSync(exampleFile("broken-batch.problems.json"), "utf8")));

test("all twelve kinds of mistakes are found in one go, each on its line", async () => {
  const { code, stdout, stderr } = await runSheaf(["validate", broken]);
  const places = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(": ", 2));
  expect(places).toEqual(expectedProblems.map((problem) => [`${broken}:${problem.line}`, problem.code]));
  expect(stderr).toMatch(/: 12 problems; 15 requests in 2\.86 kB\.\n$/);
  expect(code).toBe(2);
});

test("--json is one object with every problem, and nothing else is printed", async () => {
  const { code, stdout, stderr } = await runSheaf(["validate", broken, "--json"]);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ file: broken, valid: false, requests: 15, errors: 12, warnings: 0 });
  expect(report.problems).toEqual(expectedProblems.map((problem) => expect.objectContaining(problem)));
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
});

test.each([
  ["questions.csv", "id,question\n1,What?\n2,Who?\n"],
  ["questions.jsonl", '{"id":1,"question":"What?"}\n{"id":2,"question":"Who?"}\n'],
  ["questions.json", '[{"id":1,"question":"What?"},\n{"id":2,"question":"Who?"}]'],
])("the table %s is called a table, once, by each command that wants a batch file", async (name, content) => {
  const file = inFolder(name);
  await writeFile(file, content);
  const stderr = `error: ${file}: this is a table with 2 rows, not a batch file. Its columns: 'id', 'question'. Make a batch file of it: sheaf build ${file} --prompt … --model … -o batch.jsonl\n`;
  const refused = { code: 2, stdout: "", stderr };
  expect(await runSheaf(["validate", file])).toEqual(refused);
  expect(await runSheaf(["validate", file, "--json"])).toEqual(refused);
  expect(await runSheaf(["run", file, "-o", inFolder("out")])).toEqual(refused);
  const piped = await runSheaf(["run", "-", "-o", "-"], { stdin: content });
  expect(piped).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("standard input: this is a table with 2 rows"),
  });
});

test.each([
  ["no.jsonl", "no, not, one\nline, of, these\n"],
  ["cut", '{"custom_id":"a","method":"POST"\n'],
  ["ids.jsonl", '{"custom_id":"a"}\n'],
])("the damaged batch file %s is no table: its lines have problems", async (name, content) => {
  await writeFile(inFolder(name), content);
  const { code, stdout } = await runSheaf(["validate", inFolder(name)]);
  expect(code).toBe(2);
  expect(stdout).toContain(`${name}:1: `);
});

test("--any-model takes a file with models of its own", async () => {
  const file = inFolder("any-model.jsonl");
  const [line = ""] = readBatchLines(1);
  await writeFile(file, line.replace(/"model":"[^"]+"/, '"model":"gpt-4o"'));
  expect(await runSheaf(["validate", file])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("model_not_found"),
  });
  expect(await runSheaf(["validate", file, "--any-model"])).toMatchObject({ code: 0, stdout: "" });
});

test("what no editor lets one write is found too: bytes that are no UTF-8, a prompt beyond the context", async () => {
  const file = inFolder("batch.jsonl");
  const [line = ""] = readBatchLines(1);
  const beyond = line.replace("Janet", "word ".repeat(140_000));
  await writeFile(file, `${line}\n`);
  await appendFile(
    file,
    Buffer.concat([Buffer.from('{"custom_id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
  );
  await appendFile(file, `${beyond.replace("gsm8k-0001", "beyond")}\n`);
  const { stdout } = await runSheaf(["validate", file]);
  expect(stdout.split("\n").map((found) => found.split(": ", 2))).toEqual([
    [`${file}:2`, "invalid_json_line"],
    [`${file}:3`, "context_length_exceeded"],
    [""],
  ]);
});

test("a sound file has no problems and exits with 0", async () => {
  const file = inFolder("batch.jsonl");
  await writeFile(file, readBatchLines(200).join("\n"));
  const { code, stdout, stderr } = await runSheaf(["validate", file]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toMatch(/: valid, 200 requests in [\d.]+ kB\.\n$/);
});

test("an empty file is a problem of the whole file", async () => {
  const file = inFolder("batch.jsonl");
  await writeFile(file, "");
  const { code, stdout } = await runSheaf(["validate", file]);
  expect(stdout).toMatch(/batch\.jsonl: empty_file: /);
  expect(code).toBe(2);
});

test.each([
  ["missing.jsonl", "there is no such file or folder"],
  ["", "it is a folder"],
])("a path that cannot be read (%j) is one clear line", async (name, reason) => {
  const path = inFolder(name);
  expect(await runSheaf(["validate", path])).toEqual({ code: 2, stdout: "", stderr: `error: ${path}: ${reason}.\n` });
});

test("a reader that has seen enough ends it quietly", async () => {
  const file = inFolder("batch.jsonl");
  await writeFile(file, "not json\n".repeat(9_000));
  const child = startSheaf(["validate", file]);
  child.stdout.once("data", () => child.stdout.destroy());
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  await exitOf(child);
  expect(stderr).not.toMatch(/EPIPE|error/i);
});

test("a signal leaves no temporary folder behind", async () => {
  const file = inFolder("batch.jsonl");
  await writeFile(file, `${readBatchLines().join("\n")}\n`.repeat(40));
  const child = startSheaf(["validate", file], { env: { TMPDIR: inFolder() } });
  const opened = await waitForService(inFolder());
  child.kill("SIGINT");
  expect(await exitOf(child)).toBe(130);
  expect(opened).toBe(true);
  expect(await readdir(inFolder())).toEqual(["batch.jsonl"]);
});

/** Resolves when the command has opened its service, which keeps a folder of its own while it is open. */
async function waitForService(folder: string): Promise<boolean> {
  while (!(await readdir(folder)).some((name) => name.startsWith("sheaf-"))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}
