import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { verifyResultSchema } from "#contract";
import { completion, type JudgeAnswer, openJudgeServer } from "../testing/judge-server.ts";
import { exitOf, runSheaf, startSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const model = "deepseek-ai/DeepSeek-R1";
const judged = (verdict: string) => JSON.stringify({ judgements: [{ id: 1, verdict, reason: "So." }] });
const yesOrNo = ["verify", "--prompt", "Is it cold? Answer yes or no."];

test("a contradiction is told with its evidence, and the exit code is 1", async () => {
  const { code, stdout, stderr } = await runSheaf([...yesOrNo, "--response", "Rather\u001b[31m chilly"]);
  expect(stdout).toBe(
    [
      "Form broken: The prompt allows yes or no, and the response has none of them.",
      "1 not checkable · form broken",
      "",
      '✗ Form broken: "Rather [31m chilly"',
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
  expect(stdout).toMatch(/^Not checkable: The response has the form .*\n1 not checkable · form kept\n/);
  expect(code).toBe(0);
});

test("texts come from files and standard input, and --json is the result as it is on the wire", async () => {
  const [prompt, document] = [inFolder("prompt.txt"), inFolder("letter.txt")];
  await writeFile(prompt, "\ufeffWho wrote the letter?");
  await writeFile(document, "The letter was written by Ada Lovelace in May.");
  const args = ["verify", "--prompt-file", prompt, "--response-file", "-", "--document", document, "--json"];
  const strict = await runSheaf([...args, "--strict"], { stdin: "The letter has 40 pages." });
  expect(JSON.parse(strict.stdout)).toMatchObject({ is_hallucination: true, claims: [{ verdict: "not_found" }] });
  expect(strict.code).toBe(1);
  const child = startSheaf(args, { stdin: "The letter has 40 pages." });
  const [stdout, code] = await Promise.all([text(child.stdout), exitOf(child)]);
  const result = verifyResultSchema.parse(JSON.parse(stdout));
  expect(result).toMatchObject({
    prompt: "Who wrote the letter?",
    response: "The letter has 40 pages.",
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
  const { flags, asked } = await openJudgeServer(judged("supported"));
  const file = inFolder("system.txt");
  await writeFile(file, "Judge as you were taught.\n");
  const judge = ["--judge-model", model, "--judge-preset", "general", "--judge-system", file];
  const { code } = await runSheaf(["verify", "--prompt", "How?", "--response", "It is nice.", ...judge, ...flags]);
  expect(code).toBe(0);
  expect(asked).toMatchObject([{ messages: [{ role: "system", content: "Judge as you were taught.\n" }, {}] }]);
});

test.each<[name: string, preset: string, answer: JudgeAnswer, code: number, words: string]>([
  ["says yes", "minicheck", "Yes", 0, "✓ Supported (model)"],
  ["says no", "minicheck", "No", 1, "? Not in the document (model)"],
  ["says no", "granite-guardian-4", "<score> no </score>", 1, "? Not in the document (model)"],
  ["says yes to the risk", "granite-guardian", "Yes", 1, "? Not in the document (model)"],
  ["finds nothing of it", "general", judged("Not found"), 1, "? Not in the document (model)"],
  ["finds nothing to check", "general", judged("NOT_CHECKABLE"), 0, "– Not checkable (model)"],
  [
    "fails",
    "general",
    { status: 500, body: { error: { message: "Oh." } } },
    1,
    "The rules alone judged: the model answered with status 500.",
  ],
  [
    "is no chat server",
    "minicheck",
    { body: "<html>" },
    1,
    "The rules alone judged: the model answered with status 502.",
  ],
  [
    "can't be read",
    "granite-guardian-4",
    "Perhaps.",
    1,
    "The rules alone judged: the model's answer could not be read.",
  ],
  [
    "gives likelihoods without refusal",
    "minicheck",
    {
      body: completion("No", {
        logprobs: { content: [{ token: "No", logprob: -0.9, top_logprobs: [{ token: "Yes", logprob: -0.5 }] }] },
      }),
    },
    0,
    "(likelihood of support: 100 %)",
  ],
  [
    "gives likelihoods of another form",
    "minicheck",
    { body: completion("Yes", { logprobs: { tokens: ["Yes"] } }) },
    0,
    "✓ Supported",
  ],
  [
    "gives broken likelihoods",
    "minicheck",
    { body: completion("Yes", { logprobs: { content: [{ token: 7 }] } }) },
    0,
    "✓ Supported",
  ],
])("a judge that %s (%s) ends with what it came to", async (_name, preset, answer, exitCode, words) => {
  const { flags } = await openJudgeServer(answer);
  const judge = ["--judge-model", "any/model:7b", "--judge-preset", preset, ...flags];
  const { code, stdout } = await runSheaf(["verify", "--prompt", "How?", "--response", "It is nice.", ...judge]);
  expect(stdout).toContain(words);
  expect(code).toBe(exitCode);
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
  [
    ["--prompt", "", "--response", "", "--judge-system", "s.txt"],
    "--judge-system is for --judge model or both, not rules.",
  ],
  [
    ["--prompt", "", "--response", "", "--judge-model", model, "--judge-preset", "best"],
    "--judge-preset expects general, minicheck, granite-guardian-4 or granite-guardian, not 'best'.",
  ],
  [["--prompt", "", "--response", "", "--rules", "r.yaml"], "--rules is for --judge model or both, not rules."],
])("%j is refused with one clear line and exit code 2", async (args, message) => {
  expect(await runSheaf(["verify", ...args])).toEqual({ code: 2, stdout: "", stderr: `error: ${message}\n` });
});
