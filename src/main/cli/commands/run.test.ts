import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { resultLineSchema } from "#contract";
import { exampleFile, readBatchLines } from "../testing/batch-lines.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const customIdsOf = (lines: readonly string[]) =>
  lines.map((line) => z.object({ custom_id: z.string() }).parse(JSON.parse(line)).custom_id);

async function writeBatch(lines: readonly string[]): Promise<string> {
  const file = inFolder("batch.jsonl");
  await writeFile(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

async function readLines(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).trimEnd().split("\n");
}

test("1,319 questions are answered, each exactly once and in their order", async () => {
  const lines = readBatchLines();
  const file = await writeBatch(lines);
  const { code, stderr } = await runSheaf(["run", file, "-o", inFolder("out.jsonl"), "--pace", "instant"]);
  const answers = await readLines(inFolder("out.jsonl"));
  expect(customIdsOf(answers)).toEqual(customIdsOf(lines));
  for (const answer of answers) expect(resultLineSchema.parse(JSON.parse(answer)).response?.status_code).toBe(200);
  expect(stderr).toMatch(/out\.jsonl: 1,319 of 1,319 requests answered in [\d.]+ s\.\n$/);
  expect(code).toBe(0);
  expect((await readdir(inFolder())).sort()).toEqual(["batch.jsonl", "out.jsonl"]);
});

test("the same seed gives the same answers, another one gives others", async () => {
  const file = await writeBatch(readBatchLines(20));
  const digests = await Promise.all(
    ["7", "7", "8"].map(async (seed, index) => {
      const output = inFolder(`out-${index}.jsonl`);
      await runSheaf(["run", file, "-o", output, "--seed", seed]);
      const texts = (await readLines(output)).map((line) => {
        const { response } = resultLineSchema.parse(JSON.parse(line));
        return response !== null && "choices" in response.body ? response.body.choices : undefined;
      });
      return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
    }),
  );
  expect(digests[0]).toBe(digests[1]);
  expect(digests[0]).not.toBe(digests[2]);
});

test("--json is one object with the counts, and nothing else is printed", async () => {
  const file = await writeBatch(readBatchLines(5));
  const output = inFolder("out.jsonl");
  const { code, stdout, stderr } = await runSheaf([
    "run",
    file,
    "-o",
    output,
    "--errors",
    inFolder("err.jsonl"),
    "--json",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, total: 5, completed: 5, failed: 0, output });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await readFile(inFolder("err.jsonl"), "utf8")).toBe("");
});

test("a file that does not validate runs nothing: all problems on stderr, exit code 2, no output file", async () => {
  const file = exampleFile("broken-batch.jsonl");
  const { code, stdout, stderr } = await runSheaf(["run", file, "-o", inFolder("out.jsonl")]);
  expect(stderr.match(/broken-batch\.jsonl:\d+: [a-z_]+: /g)).toHaveLength(12);
  expect(stderr).toMatch(/: 12 problems in 12 lines; nothing was run\.\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(await readdir(inFolder())).toEqual([]);
});

test("an output file from before survives a run that fails", async () => {
  await writeFile(inFolder("out.jsonl"), "from before\n");
  await runSheaf(["run", exampleFile("broken-batch.jsonl"), "-o", inFolder("out.jsonl")]);
  expect(await readFile(inFolder("out.jsonl"), "utf8")).toBe("from before\n");
});

test.each([
  ["missing.jsonl", ["out.jsonl"], "missing.jsonl: there is no such file or folder."],
  ["batch.jsonl", ["no/out.jsonl"], "no/out.jsonl: there is no such file or folder."],
  ["batch.jsonl", ["batch.jsonl"], "batch.jsonl: this file is already the place for something else."],
  ["batch.jsonl", ["a", "--errors", "./a"], "./a: this file is already the place for something else."],
])("%s to %j is one clear line and exit code 2", async (input, output, message) => {
  await writeBatch(readBatchLines(1));
  const at = (path: string) => `${inFolder()}/${path}`;
  const paths = output.map((part) => (part === "--errors" ? part : at(part)));
  const finished = await runSheaf(["run", at(input), "-o", ...paths]);
  expect(finished).toEqual({ code: 2, stdout: "", stderr: `error: ${at(message)}\n` });
  expect(await readdir(inFolder())).toEqual(["batch.jsonl"]);
});

test("answers can go into a pipe", async ({ skip }) => {
  skip(process.platform === "win32", "Windows has no named pipes in its file system");
  const file = await writeBatch(readBatchLines(3));
  const pipe = inFolder("pipe");
  execFileSync("mkfifo", [pipe]);
  const [{ code }, answers] = await Promise.all([runSheaf(["run", file, "-o", pipe]), readLines(pipe)]);
  expect(customIdsOf(answers)).toEqual(["gsm8k-0001", "gsm8k-0002", "gsm8k-0003"]);
  expect(code).toBe(0);
});
