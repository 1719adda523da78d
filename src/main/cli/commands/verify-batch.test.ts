import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { claimCountsSchema, claimSchema, lineVerdictSchema, usageSchema } from "#contract";
import { openJudgeServer } from "../testing/judge-server.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const model = "deepseek-ai/DeepSeek-R1";

const verdictLineSchema = z.strictObject({
  custom_id: z.string(),
  verdict: lineVerdictSchema,
  is_hallucination: z.boolean(),
  explanation: z.string(),
  counts: claimCountsSchema,
  claims: z.array(claimSchema),
  usage: usageSchema,
});

const toLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

function request(customId: string, content: string, system?: string) {
  const messages = [...(system === undefined ? [] : [{ role: "system", content: system }]), { role: "user", content }];
  return { custom_id: customId, method: "POST", url: "/v1/chat/completions", body: { model, messages } };
}

function answer(customId: string, content: string | null) {
  const body = content === null ? { error: { message: "Slow down." } } : { choices: [{ message: { content } }] };
  return {
    id: "batch_req_1",
    custom_id: customId,
    response: { status_code: content === null ? 429 : 200, request_id: "req_1", body },
    error: null,
  };
}

/** Writes both files and returns the flags that name them. */
async function batchOf(requests: readonly unknown[], answers: readonly unknown[] | string): Promise<string[]> {
  const [input, output] = [inFolder("in.jsonl"), inFolder("out.jsonl")];
  await writeFile(input, toLines(requests));
  await writeFile(output, typeof answers === "string" ? answers : toLines(answers));
  return ["verify", "--batch", output, "--input", input, "-o", inFolder("verdicts.jsonl")];
}

async function readVerdicts() {
  const lines = (await readFile(inFolder("verdicts.jsonl"), "utf8")).trimEnd().split("\n");
  return lines.map((line) => verdictLineSchema.parse(JSON.parse(line)));
}

test("every answer has its verdict, in the order of the input, and a contradiction ends with 1", async () => {
  const requests = ["a", "b", "c", "d"].map((id) => request(id, "What is it?"));
  const answers = [answer("d", "2 + 2 = 4."), answer("c", null), answer("b", "2 + 2 = 5."), answer("a", "I like it.")];
  const { code, stdout, stderr } = await runSheaf(await batchOf(requests, answers));
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /3 answers in [\d.]+ s: 1 contradicted, 0 not in the document, 1 supported, 1 not checkable\.\n/,
  );
  expect(stderr).toContain("Contradicted or not in the document: sum 1.\n1 request without an answer passed over.\n");
  expect(code).toBe(1);
  const verdicts = await readVerdicts();
  expect(verdicts.map(({ custom_id, verdict }) => `${custom_id} ${verdict}`)).toEqual([
    "a not_checkable",
    "b contradicted",
    "d supported",
  ]);
  expect(verdicts[1]?.claims[0]?.findings[0]?.evidence).toBeDefined();
});

test("-o - prints the verdicts", async () => {
  const args = await batchOf([request("a", "What is 2 + 2?")], [answer("a", "2 + 2 = 4.")]);
  const { code, stdout, stderr } = await runSheaf([...args, "-o", "-"]);
  expect(verdictLineSchema.parse(JSON.parse(stdout))).toMatchObject({ custom_id: "a", verdict: "supported" });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^standard output: 1 answer in /) });
  expect(await runSheaf([...args, "-o", "-", "--json"])).toMatchObject({ code: 2, stdout: "" });
  expect(existsSync("-")).toBe(false);
});

test("--json counts on stdout, and nothing contradicted ends with 0", async () => {
  const args = await batchOf([request("a", "What is 2 + 2?")], [answer("a", "2 + 2 = 4.")]);
  const { code, stdout, stderr } = await runSheaf([...args, "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    answers: 1,
    contradicted: 0,
    not_found: 0,
    supported: 1,
    not_checkable: 0,
    form_broken: 0,
    disagreements: 0,
    rules_alone: 0,
    kinds: {},
    unanswered: 0,
    saved: 0,
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    cost: null,
    output: inFolder("verdicts.jsonl"),
    seconds: expect.any(Number),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("the document is a file for all, or the system message of each", async () => {
  const letter = "The letter was written by Ada Lovelace in May.";
  await writeFile(inFolder("letter.txt"), letter);
  const answers = [answer("a", "Ada Lovelace wrote it."), answer("b", "The letter has 40 pages.")];
  for (const flags of [["--system-as-document"], ["--document", inFolder("letter.txt")]]) {
    const system = flags.length === 1 ? letter : undefined;
    const args = await batchOf(
      ["a", "b"].map((id) => request(id, "Who wrote the letter?", system)),
      answers,
    );
    expect(await runSheaf([...args, ...flags])).toMatchObject({ code: 0 });
    expect((await readVerdicts()).map(({ verdict }) => verdict)).toEqual(["supported", "not_found"]);
    expect(await runSheaf([...args, ...flags, "--strict"])).toMatchObject({ code: 1 });
    expect((await readVerdicts()).map(({ is_hallucination }) => is_hallucination)).toEqual([false, true]);
  }
});

test("a model judges with the engine that the flags name", async () => {
  const judged = { judgements: [{ id: 1, verdict: "supported", reason: "It is.", quote: "", evidence: [] }] };
  await writeFile(inFolder("rules.json"), JSON.stringify({ rules: [{ reply: { json: judged } }] }));
  const ids = Array.from({ length: 20 }, (_, at) => `q-${at}`);
  const requests = ids.map((id) => request(id, "How is it?"));
  const args = await batchOf(requests, ids.map((id) => answer(id, "It is nice.")).toReversed());
  const { code } = await runSheaf([...args, "--judge-model", model, "--rules", inFolder("rules.json")]);
  expect(code).toBe(0);
  expect((await readVerdicts()).map(({ custom_id, claims }) => [custom_id, claims[0]?.judge])).toEqual(
    ids.map((id) => [id, "model"]),
  );
});

test("answers that the rules alone judged are counted with why, and a judge that judged none ends with 1", async () => {
  const ids = ["a", "b", "c"];
  const args = await batchOf(
    ids.map((id) => request(id, "How is it?")),
    ids.map((id) => answer(id, "It is nice.")),
  );
  const judged = JSON.stringify([{ id: 1, verdict: "SUPPORTED" }]);
  const down = { status: 503, body: { error: { message: "Busy." } } };
  const some = await openJudgeServer(judged, down, judged);
  const flagsOf = ({ flags }: typeof some) => ["--judge-model", "any", ...flags, "--upstream-concurrency", "1"];
  const partly = await runSheaf([...args, ...flagsOf(some)]);
  expect(partly.stderr).toContain("1 of 3 answers judged by rules alone: the model answered with status 503.\n");
  expect(partly.code).toBe(0);

  const none = await openJudgeServer(down);
  const failed = await runSheaf([...args, ...flagsOf(none)]);
  expect(failed.stderr).toContain(
    "3 of 3 answers judged by rules alone: the model answered with status 503.\nThe model judged no answer.\n",
  );
  expect(failed.code).toBe(1);
  const json = await runSheaf([...args, ...flagsOf(none), "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ answers: 3, rules_alone: 3 });
  expect([json.code, json.stderr]).toEqual([1, "The model judged no answer.\n"]);
  const no = await runSheaf([...args, ...flagsOf(await openJudgeServer("No")), "--judge-preset", "minicheck"]);
  expect(no.code).toBe(1);
});

test("what can't be read or joined is told with its place, and nothing is written", async () => {
  const requests = [request("a", "What?"), { custom_id: 5 }, request("a", "Twice?")];
  const answers = `${toLines([answer("a", "So."), answer("x", "Who?"), answer("a", "Again.")])}not json\n`;
  const args = await batchOf(requests, answers);
  const { code, stderr } = await runSheaf(args);
  const places = stderr.split("\n").filter((line) => line.includes(".jsonl:"));
  expect(places.map((line) => /(in|out)\.jsonl:\d+/.exec(line)?.[0])).toEqual([
    "in.jsonl:2",
    "in.jsonl:3",
    "out.jsonl:2",
    "out.jsonl:3",
    "out.jsonl:4",
  ]);
  expect(code).toBe(2);
  expect(existsSync(inFolder("verdicts.jsonl"))).toBe(false);
  expect((await readdir(inFolder("."))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("flags that don't belong together are refused, and so is writing over the batch", async () => {
  const args = await batchOf([request("a", "What?")], [answer("a", "So.")]);
  const wrong = [
    [...args, "--prompt", "What?"],
    args.slice(0, -2),
    [...args.slice(0, -1), inFolder("in.jsonl")],
    ["verify", "--prompt", "What?", "--response", "So.", "--input", inFolder("in.jsonl")],
    [...args, "--judge", "both"],
  ];
  const outcomes = await Promise.all(wrong.map((flags) => runSheaf(flags)));
  expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
  for (const { stderr } of outcomes) expect(stderr.trim().split("\n")).toHaveLength(1);
});
