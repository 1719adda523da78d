import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { verifyResultSchema } from "#contract";
import { exitOf, runSheaf, startSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const model = "deepseek-ai/DeepSeek-R1";
const yesOrNo = ["verify", "--prompt", "Is it cold? Answer yes or no."];

test("a contradiction is told with its evidence, and the exit code is 1", async () => {
  const { code, stdout, stderr } = await runSheaf([...yesOrNo, "--response", "Rather\u001b[31m chilly"]);
  expect(stdout).toBe(
    [
      "Contradicted: The prompt allows yes or no, and the response has none of them.",
      "",
      '✗ Contradicted: "Rather [31m chilly"',
      "  The prompt allows yes or no, and the response has none of them. (format)",
      '  prompt 12–29: "Answer yes or no."',
      "",
      '– Not checkable: "Rather [31m chilly"',
      "",
    ].join("\n"),
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
});

test("an answer with nothing against it ends with 0", async () => {
  const { code, stdout } = await runSheaf([...yesOrNo, "--response", "No."]);
  expect(stdout).toMatch(/^Supported: /);
  expect(code).toBe(0);
});

test("texts come from files and standard input, and --json is the result as it is on the wire", async () => {
  const [prompt, document] = [inFolder("prompt.txt"), inFolder("letter.txt")];
  await writeFile(prompt, "\ufeffWho wrote the letter?");
  await writeFile(document, "The letter was written by Ada Lovelace in May.");
  const args = ["verify", "--prompt-file", prompt, "--response-file", "-", "--document", document, "--json"];
  const strict = await runSheaf([...args, "--strict"], { stdin: "Grace Hopper wrote it." });
  expect(JSON.parse(strict.stdout)).toMatchObject({ is_hallucination: true, claims: [{ verdict: "not_found" }] });
  expect(strict.code).toBe(1);
  const child = startSheaf(args, { stdin: "Grace Hopper wrote it." });
  const [stdout, code] = await Promise.all([text(child.stdout), exitOf(child)]);
  const result = verifyResultSchema.parse(JSON.parse(stdout));
  expect(result).toMatchObject({
    prompt: "Who wrote the letter?",
    response: "Grace Hopper wrote it.",
    is_hallucination: false,
    claims: [{ verdict: "not_found" }],
  });
  expect(code).toBe(0);
});

test("a model judges with the engine that the flags name", async () => {
  const rules = inFolder("rules.yaml");
  await writeFile(
    rules,
    'rules:\n  - reply:\n      json: { judgements: [{ id: 1, verdict: supported, reason: "It is.", quote: "", evidence: [] }] }\n',
  );
  const args = ["verify", "--prompt", "How is it?", "--response", "It is nice.", "--judge-model", model];
  const { code, stdout, stderr } = await runSheaf([...args, "--rules", rules]);
  expect(stdout).toMatch(/✓ Supported \(model\): "It is nice\."\n {2}It is\.\n\nThe model used \d+ tokens\.\n$/);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("a model that was trained with a system message gets that, word for word", async () => {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    const judged = { judgements: [{ id: 1, verdict: "supported", reason: "It is.", quote: "", evidence: [] }] };
    const message = { role: "assistant", content: JSON.stringify(judged) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const body = { id: "c", object: "chat.completion", created: 1, model, usage };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...body, choices: [{ index: 0, message, finish_reason: "stop" }] }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const file = inFolder("system.txt");
  await writeFile(file, "Judge as you were taught.\n");
  const judge = ["--judge-model", model, "--judge-preset", "general", "--judge-system", file];
  const upstream = ["--upstream-url", `http://127.0.0.1:${port}/v1`];
  const { code } = await runSheaf(["verify", "--prompt", "How?", "--response", "It is nice.", ...judge, ...upstream]);
  expect(code).toBe(0);
  expect(asked).toMatchObject([{ messages: [{ role: "system", content: "Judge as you were taught.\n" }, {}] }]);
});

test.each<[args: string[], message: string]>([
  [["--response", "No."], "sheaf verify needs --prompt TEXT or --prompt-file FILE."],
  [["--prompt", "Why?"], "sheaf verify needs --response TEXT or --response-file FILE."],
  [
    ["--prompt", "", "--prompt-file", "x", "--response", ""],
    "--prompt and --prompt-file are for the same text: one of them.",
  ],
  [["--prompt-file", "-", "--response-file", "-"], "only one text can come from standard input."],
  [["--prompt", "", "--response", "", "--document", "none.txt"], "none.txt: there is no such file or folder."],
  [["--prompt", "", "--response", "", "--judge", "me"], "--judge expects rules, model or both, not 'me'."],
  [["--prompt", "", "--response", "", "--judge", "both"], "--judge both needs --judge-model NAME."],
  [["--prompt", "", "--response", "", "--judge-model", "gpt-9"], "--judge-model: The model 'gpt-9' is unknown."],
  [
    ["--prompt", "", "--response", "", "--judge-system", "s.txt"],
    "--judge-system is for --judge model or both, not rules.",
  ],
  [
    ["--prompt", "", "--response", "", "--judge-model", model, "--judge-preset", "best"],
    "--judge-preset expects general, minicheck or granite-guardian, not 'best'.",
  ],
  [["--prompt", "", "--response", "", "--rules", "r.yaml"], "--rules is for --judge model or both, not rules."],
])("%j is refused with one clear line and exit code 2", async (args, message) => {
  expect(await runSheaf(["verify", ...args])).toEqual({ code: 2, stdout: "", stderr: `error: ${message}\n` });
});
