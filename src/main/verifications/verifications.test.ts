import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { VerificationRun, VerifyResult } from "#contract";
import type { ReadColumn } from "#main/results";
import type { EngineCall, EngineReply } from "../base/ports.ts";
import {
  createFakeMachine,
  createTestEngine,
  makeTempDir,
  openTestService,
  readContent,
  requestLine,
  type TestService,
  toJsonl,
} from "../service/testing/index.ts";

const byRules = { judge: "rules", model: null, preset: "general" } as const;
const byModel = { judge: "model", model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", preset: "general" } as const;
const noDocument = { from: "none" } as const;

const answers = ["2 + 2 = 4.", "2 + 2 = 5.", "I like it."] as const;
const rateLimited = {
  statusCode: 429,
  body: { error: { message: "Slow down.", type: "rate_limit", param: null, code: "rate_limit_exceeded" } },
} as const;

function answer(call: EngineCall, content: string): EngineReply {
  const { request } = call;
  const message = { role: "assistant", content } as const;
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choices = [{ index: 0, message, finish_reason: "stop" as const }];
  const body = {
    id: "chatcmpl-1",
    object: "chat.completion" as const,
    created: 1,
    model: request.model,
    choices,
    usage,
  };
  return { statusCode: 200, body };
}

const judged = JSON.stringify({
  judgements: [{ id: 1, verdict: "supported", reason: "The prompt says so.", quote: "It is so.", evidence: [] }],
});

/** Line 1 right, line 2 wrong, line 3 nothing to check, line 4 failed; and so on. */
const mixed = createTestEngine((call) => {
  const kind = ((call.line?.number ?? 1) - 1) % 4;
  const content = answers[kind];
  return content === undefined ? rateLimited : answer(call, content);
});

const fileOf = (count: number) =>
  toJsonl(Array.from({ length: count }, (_, at) => requestLine(`q-${at + 1}`, `What do you say, number ${at + 1}?`)));

async function verify(
  service: TestService,
  batchId: string,
  choice: Parameters<typeof service.verifierFor>[0] = byRules,
) {
  await service.verifications.start({ batchId, choice, document: noDocument, strict: false });
  return service.verifications.settled(batchId);
}

describe("verifying a batch by rules", () => {
  test("gives every line with an answer its verdict, and the others none", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(400));
    expect(await service.verifications.get(id)).toBeNull();
    const run = await verify(service, id);
    expect(run).toMatchObject({
      state: "done",
      choice: byRules,
      document: noDocument,
      total: 300,
      done: 300,
      counts: { contradicted: 100, not_found: 0, supported: 100, not_checkable: 100 },
      kinds: [{ kind: "sum", count: 100 }],
      rate: null,
      timeLeft: null,
      problem: null,
    });
    const { rows } = await service.results.page(id, 0, 4);
    expect(rows.map(({ verdict }) => verdict)).toEqual(["supported", "contradicted", "not_checkable", null]);
    expect(await service.verifications.line(id, 4)).toBeNull();
    const result = await service.verifications.line(id, 398);
    expect(result).toMatchObject({
      is_hallucination: true,
      response: "2 + 2 = 5.",
      prompt: "What do you say, number 398?",
    });
  });

  test("tells how far it is, a few times a second and of the end at once", async () => {
    const service = await openTestService({ machine: createFakeMachine(), engine: mixed });
    const { id } = await service.run(fileOf(400));
    const heard: VerificationRun[] = [];
    service.verifications.subscribe((run) => heard.push(run));
    await verify(service, id);
    expect(heard.map(({ state }) => state)).toEqual(["running", "done"]);
    expect(heard.at(-1)).toEqual(await service.verifications.get(id));
  });

  test("shows only the lines with a verdict, with their number as the total", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(40));
    expect(await service.results.page(id, 0, 10, { verdicts: ["contradicted"] })).toEqual({
      total: 0,
      rows: [],
    });
    await verify(service, id);
    const page = await service.results.page(id, 8, 5, { verdicts: ["contradicted"] });
    expect(page.total).toBe(10);
    expect(page.rows.map(({ line }) => line)).toEqual([34, 38]);
  });

  test("replaces the verdicts of an earlier run when it is started again", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(8));
    await verify(service, id);
    expect(await verify(service, id)).toMatchObject({ done: 6, total: 6 });
  });

  test("is refused for a batch that still runs, has no answer, or is not there", async () => {
    const service = await openTestService({ engine: createTestEngine(() => rateLimited) });
    const failed = await service.run("{}");
    const unanswered = await service.run(fileOf(2));
    for (const { id } of [failed, unanswered]) {
      await expect(verify(service, id)).rejects.toMatchObject({ code: "batch_not_verifiable" });
      expect(await service.verifications.get(id)).toBeNull();
    }
    await expect(verify(service, "batch_none")).rejects.toMatchObject({ code: "not_found" });
    await expect(service.verifications.resume(unanswered.id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("takes one run of a batch at a time", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(40));
    const what = { batchId: id, choice: byRules, document: noDocument, strict: false };
    const outcomes = await Promise.allSettled([service.verifications.start(what), service.verifications.start(what)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await service.verifications.settled(id)).toMatchObject({ state: "done", done: 30 });
  });

  test("keeps the verdicts when a file of the batch is deleted, and says why it can't verify it again", async () => {
    const service = await openTestService({ engine: mixed });
    const { id, outputFileId } = await service.run(fileOf(4));
    await verify(service, id);
    await service.files.remove(outputFileId ?? "");
    await expect(verify(service, id)).rejects.toMatchObject({ message: expect.stringContaining("has been deleted") });
    expect(await service.verifications.get(id)).toMatchObject({ state: "done", done: 3 });
    expect(await service.verifications.line(id, 2)).toMatchObject({ is_hallucination: true });
  });
});

test("lines that the rules alone judged are counted by why, and still are after a restart", async () => {
  const dataDir = await makeTempDir();
  const judge = createTestEngine((call) => {
    if (call.line !== null) return answer(call, "It is so.");
    const text = JSON.stringify(call.request.messages);
    return text.includes("number 2?") ? rateLimited : answer(call, text.includes("number 3?") ? "Hm." : judged);
  });
  const service = await openTestService({ engine: judge, dataDir });
  const { id } = await service.run(fileOf(4));
  const rulesAlone = [
    { problem: "the model answered with status 429", count: 1 },
    { problem: "the model's answer could not be read", count: 1 },
  ];
  expect(await verify(service, id, byModel)).toMatchObject({
    state: "done",
    counts: { supported: 2, not_checkable: 2 },
    kinds: [],
    rulesAlone: expect.arrayContaining(rulesAlone),
  });
  await service.close();
  const again = await openTestService({ engine: judge, dataDir });
  expect((await again.verifications.get(id))?.rulesAlone).toHaveLength(2);
  expect((await verify(again, id))?.rulesAlone).toEqual([]);
});

describe("the document of a line", () => {
  test("can be its system message, which then is no part of the prompt", async () => {
    const engine = createTestEngine((call) => answer(call, "Ada Lovelace wrote 40 letters."));
    const service = await openTestService({ engine });
    const user = { role: "user", content: "Who wrote the letter?" };
    const withSystem = (id: string, content: string) =>
      requestLine(id, "", { body: { messages: [{ role: "system", content }, user] } });
    const { id } = await service.run(
      toJsonl([withSystem("a", "Ada Lovelace wrote 40 letters."), withSystem("b", "Grace Hopper wrote the letter.")]),
    );
    expect(await service.verifications.hasSystemMessages(id)).toBe(true);
    await service.verifications.start({
      batchId: id,
      choice: byRules,
      document: { from: "system_message" },
      strict: true,
    });
    expect(await service.verifications.settled(id)).toMatchObject({ state: "done", done: 2 });
    expect(await service.verifications.line(id, 1)).toMatchObject({
      prompt: "Who wrote the letter?",
      is_hallucination: false,
    });
    expect(await service.verifications.line(id, 2)).toMatchObject({ is_hallucination: true });
  });

  test("can be a column, read row by row, also where lines between have no answer", async () => {
    const asked: string[] = [];
    const judge = createTestEngine((call) => {
      if (call.line !== null) return call.line.number % 2 === 0 ? rateLimited : answer(call, "It is so.");
      asked.push(JSON.stringify(call.request.messages));
      return answer(call, judged);
    });
    const service = await openTestService({ engine: judge });
    const { id } = await service.run(fileOf(9));
    expect(await service.verifications.hasSystemMessages(id)).toBe(false);
    const readColumn: ReadColumn = async function* (column, from) {
      for (let row = from; row <= 9; row += 2) yield [`<${column} ${row}>`, `<${column} ${row + 1}>`];
    };
    const column = { from: "column", column: "context" } as const;
    await service.verifications.start({ batchId: id, choice: byModel, document: column, strict: false, readColumn });
    expect(await service.verifications.settled(id)).toMatchObject({ state: "done", done: 5 });
    const found = asked.flatMap((text) => text.match(/<context \d>/g) ?? []).sort();
    expect([...new Set(found)]).toEqual([1, 3, 5, 7, 9].map((row) => `<context ${row}>`));
  });

  test("is refused as a column of a table that is gone", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(2));
    const document = { from: "column", column: "context" } as const;
    await expect(
      service.verifications.start({ batchId: id, choice: byRules, document, strict: false }),
    ).rejects.toMatchObject({
      code: "batch_not_verifiable",
    });
  });
});

describe("a verification that is stopped", () => {
  /** Answers lines at once; calls of the judge wait for `let`. */
  function createHeldJudge() {
    const waiting: (() => void)[] = [];
    let open = 0;
    const engine = createTestEngine(async (call) => {
      if (call.line !== null) return answer(call, "It is so.");
      if (open > 0) open -= 1;
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        waiting.push(resolve);
        call.signal.addEventListener("abort", () => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(call.signal.reason);
        });
        await promise;
      }
      return answer(call, judged);
    }, 4);
    return {
      engine,
      let(count: number) {
        const ready = waiting.splice(0, count);
        open += count - ready.length;
        for (const go of ready) go();
      },
    };
  }

  async function untilDone(service: TestService, batchId: string, count: number): Promise<void> {
    while (((await service.verifications.get(batchId))?.done ?? 0) < count) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test("goes on where it was, after a cancel and after a restart, with each line exactly once", async () => {
    const dataDir = await makeTempDir();
    const first = createHeldJudge();
    const before = await openTestService({ dataDir, engine: first.engine });
    const { id } = await before.run(fileOf(30));
    await before.verifications.start({ batchId: id, choice: byModel, document: noDocument, strict: false });
    first.let(10);
    await untilDone(before, id, 10);
    expect(await before.verifications.cancel(id)).toMatchObject({ state: "stopped", done: 10, total: 30 });
    await before.verifications.resume(id);
    first.let(5);
    await untilDone(before, id, 15);
    await before.close(0);
    const path = join(dataDir, "verdicts", `${id}.jsonl`);
    await appendFile(path, '{"line":29,"verdict":"supp');

    const second = createHeldJudge();
    const after = await openTestService({ dataDir, engine: second.engine });
    expect(await after.verifications.get(id)).toMatchObject({ state: "stopped", done: 15, total: 30, choice: byModel });
    second.let(100);
    await after.verifications.resume(id);
    expect(await after.verifications.settled(id)).toMatchObject({ state: "done", done: 30 });
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n").slice(1);
    const numbers = lines.map((line) => JSON.parse(line).line);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  });

  test("does not show a damaged verdict, and judges its line anew after a restart", async () => {
    const dataDir = await makeTempDir();
    const before = await openTestService({ dataDir, engine: mixed });
    const { id } = await before.run(fileOf(8));
    const whole = await verify(before, id);
    const path = join(dataDir, "verdicts", `${id}.jsonl`);
    const lines = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, lines.with(2, lines[2]?.replace("2 + 2", "2 + 3") ?? "").join("\n"));
    const { line: damaged } = JSON.parse(lines[2] ?? "");
    expect(await before.verifications.line(id, damaged)).toBeNull();
    await before.close();
    const after = await openTestService({ dataDir, engine: mixed });
    expect(await after.verifications.get(id)).toMatchObject({ state: "stopped", done: 5 });
    await after.verifications.resume(id);
    expect(await after.verifications.settled(id)).toEqual(whole);
  });

  test("that an earlier version made is shown in its own words, and can be started over", async () => {
    const dataDir = await makeTempDir();
    const before = await openTestService({ dataDir, engine: mixed });
    const { id } = await before.run(fileOf(4));
    await verify(before, id);
    await before.close();
    const header = { version: 1, choice: { judge: "rules", model: null }, document: noDocument, total: 3 };
    const line = (number: number, verdict: string) =>
      `{"line":${number},"verdict":"${verdict}","contradictions":{"arithmetic":1},"result":{"claims":[]}}`;
    const lines = [JSON.stringify(header), line(1, "supported"), line(2, "hallucination"), line(3, "hallucination")];
    await writeFile(join(dataDir, "verdicts", `${id}.jsonl`), `${lines.join("\n")}\n`);
    const after = await openTestService({ dataDir, engine: mixed });
    const run = await after.verifications.get(id);
    expect(run).toMatchObject({
      state: "done",
      isEarlier: true,
      earlierCounts: [
        { verdict: "supported", count: 1 },
        { verdict: "hallucination", count: 2 },
      ],
      total: 3,
      done: 3,
      counts: { contradicted: 0, not_found: 0, supported: 0, not_checkable: 0 },
    });
    expect((await after.results.page(id, 0, 1)).rows[0]?.verdict).toBeNull();
    expect(await after.verifications.line(id, 1)).toBeNull();
    expect(await after.verifications.resume(id)).toEqual(run);
    expect(await verify(after, id)).toMatchObject({ isEarlier: false, earlierCounts: [], done: 3 });
  });

  test("whose marks meant something else is counted anew by its results", async () => {
    const dataDir = await makeTempDir();
    const before = await openTestService({ dataDir, engine: mixed });
    const { id } = await before.run(fileOf(4));
    const whole = await verify(before, id);
    await before.close();
    const path = join(dataDir, "verdicts", `${id}.jsonl`);
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    // Its version had no counts in a result, and other marks. Lines without checksums are of earlier versions, too.
    const earlier = lines.map((line) => {
      const { version, mark, tally, result, crc: _, ...others } = JSON.parse(line);
      if (version !== undefined) return JSON.stringify({ version: 2, ...others });
      const { counts: __, ...resultThen } = result;
      return JSON.stringify({ ...others, mark: "not_found", tally, result: resultThen });
    });
    await writeFile(path, `${earlier.join("\n")}\n`);
    const after = await openTestService({ dataDir, engine: mixed });
    expect(await after.verifications.get(id)).toEqual(whole);
  });

  test("whose marks meant something else has one verdict a line everywhere, and does not go on", async () => {
    const dataDir = await makeTempDir();
    const before = await openTestService({ dataDir, engine: mixed });
    const { id } = await before.run(fileOf(4));
    await verify(before, id);
    await before.close();
    const path = join(dataDir, "verdicts", `${id}.jsonl`);
    const [, ...written] = (await readFile(path, "utf8")).trimEnd().split("\n");
    const [{ result }] = written.map((text) => JSON.parse(text)).filter(({ line }) => line === 1);
    const [claim] = result.claims;
    const { counts, ...stored } = result;
    const [finding] = claim.findings;
    const broken = {
      ...claim,
      verdict: "contradicted",
      findings: [{ ...finding, kind: "instruction", verdict: "contradicted" }],
    };
    const open = { ...claim, verdict: "not_checkable" };
    const header = { version: 2, choice: byRules, document: noDocument, strict: false, total: 3, answered: 3 };
    const line = (number: number, mark: string, tally: object, claims: unknown[]) =>
      JSON.stringify({ line: number, mark, tally, result: { ...stored, claims } });
    const lines = [
      line(1, "contradicted", { instruction: 1, "rules alone: it was slow": 1 }, [claim, broken]),
      line(2, "supported", {}, [claim, open]),
    ];
    await writeFile(path, `${[JSON.stringify(header), ...lines].join("\n")}\n`);
    const after = await openTestService({ dataDir, engine: mixed });
    expect(await after.verifications.get(id)).toMatchObject({
      state: "stopped",
      done: 2,
      counts: { contradicted: 0, not_found: 0, supported: 1, not_checkable: 1 },
      form: { kept: 0, broken: 1 },
      rulesAlone: [{ problem: "it was slow", count: 1 }],
    });
    const { rows } = await after.results.page(id, 0, 2);
    const exported = (await readContent(after.results.exportLines(id))).trimEnd().split("\n");
    for (const [at, [verdict, form]] of (
      [
        ["supported", "broken"],
        ["not_checkable", null],
      ] as const
    ).entries()) {
      expect(rows[at]).toMatchObject({ verdict, form });
      expect(JSON.parse(exported[at] ?? "").verification).toMatchObject({ verdict, form });
    }
    expect(await after.results.page(id, 0, 9, { verdicts: ["contradicted"] })).toMatchObject({ total: 0 });
    await expect(after.verifications.resume(id)).rejects.toThrow("Start over");
    expect(await verify(after, id)).toMatchObject({ state: "done", done: 3 });
    expect(await readFile(path, "utf8")).toMatch(/^\{"version":4,/);
  });

  test("that did not count claims has them counted without reading its results, and a model goes on with it", async () => {
    const dataDir = await makeTempDir();
    const engine = createTestEngine((call) => answer(call, call.line === null ? judged : "It is so."));
    const before = await openTestService({ dataDir, engine });
    const { id } = await before.run(fileOf(4));
    const whole = await verify(before, id, byModel);
    await before.close();
    const path = join(dataDir, "verdicts", `${id}.jsonl`);
    const [header = "", first = "", second = ""] = (await readFile(path, "utf8")).trimEnd().split("\n");
    /** A line as that version wrote it; one of a claim that can't be read counts, too. */
    const write = (text: string, change: object, order: (result: object) => object = (result) => result) => {
      const { crc: _, tally, result, ...rest } = JSON.parse(text);
      return JSON.stringify({ ...rest, tally: {}, result: order({ ...result, ...change }) });
    };
    const then = { ...JSON.parse(header), version: 3, crc: undefined };
    const inOtherOrder = (result: object) => Object.fromEntries(Object.entries(result).toReversed());
    const texts = [
      JSON.stringify(then),
      write(first, { claims: ['of a later version,"counts":{}}'] }),
      write(second, {}, inOtherOrder),
    ];
    await writeFile(path, `${texts.join("\n")}\n`);
    const after = await openTestService({ dataDir, engine });
    expect(await after.verifications.get(id)).toMatchObject({
      ...{ state: "stopped", done: 2, counts: { supported: 2 } },
      claims: { ...whole?.claims, supported: 2 },
    });
    await after.verifications.resume(id);
    expect(await after.verifications.settled(id)).toEqual(whole);
    await after.close();
    // The lines that came then have their counts, and are not counted twice.
    const last = await openTestService({ dataDir, engine });
    expect(await last.verifications.get(id)).toEqual(whole);
    expect(await readFile(path, "utf8")).toMatch(/^\{"version":3,/);
    const both = JSON.stringify({ ...then, choice: { ...byModel, judge: "both" } });
    await last.close();
    await writeFile(path, `${[both, ...texts.slice(1)].join("\n")}\n`);
    const mixedJudges = await openTestService({ dataDir, engine });
    await expect(mixedJudges.verifications.resume(id)).rejects.toThrow("Start over");
  });

  test("lets batches have their turn beside it", async () => {
    const judge = createHeldJudge();
    const service = await openTestService({ engine: judge.engine });
    const { id } = await service.run(fileOf(60));
    await service.verifications.start({ batchId: id, choice: byModel, document: noDocument, strict: false });
    judge.let(2);
    await untilDone(service, id, 2);
    const second = await service.submit(fileOf(20));
    while (service.batches.get(second.id)?.status !== "in_progress")
      await new Promise((resolve) => setImmediate(resolve));
    judge.let(40);
    const batch = await service.batches.settled(second.id);
    expect(batch.counts.completed).toBe(20);
    expect(await service.verifications.get(id)).toMatchObject({ state: "running" });
    await service.verifications.cancel(id);
  });

  test("is refused once the service is closed", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(4));
    await verify(service, id);
    await service.close();
    await expect(verify(service, id)).rejects.toMatchObject({ code: "service_closing" });
  });
});

describe("an export", () => {
  test("has the verdict of each line that was verified, and is byte for byte the same before it", async () => {
    const service = await openTestService({ engine: mixed });
    const { id } = await service.run(fileOf(8));
    const plain = (await readContent(service.results.exportLines(id))).trimEnd().split("\n");
    await verify(service, id);
    const lines = (await readContent(service.results.exportLines(id))).trimEnd().split("\n");
    for (const [at, line] of lines.entries()) {
      const { verification, ...wire } = JSON.parse(line);
      expect(JSON.stringify(wire)).toBe(plain[at]);
      if (at % 4 === 3) expect(line).toBe(plain[at]);
      else expect(line.startsWith(plain[at]?.slice(0, -1) ?? "?")).toBe(true);
      if (at % 4 === 1) {
        expect(verification).toEqual({
          verdict: "contradicted",
          form: null,
          counts: { contradicted: 1, not_found: 0, supported: 0, not_checkable: 0, form: { kept: 0, broken: 0 } },
          is_hallucination: true,
          explanation: expect.any(String),
          claims: [
            {
              text: "2 + 2 = 5.",
              start: 0,
              end: 10,
              verdict: "contradicted",
              judge: "rules",
              findings: [{ kind: "sum", verdict: "contradicted", reason: "2 + 2 is 4, not 5." }],
            },
          ],
        });
      }
    }
  });
});

test("all of GSM8K's reference answers are verified exactly once", async () => {
  const count = 1_319;
  const service = await openTestService({
    engine: createTestEngine((call) => answer(call, "She has 16 - 3 - 4 = 9 eggs. 9 * 2 = 18 dollars.")),
  });
  const { id } = await service.run(fileOf(count));
  const run = await verify(service, id);
  expect(run).toMatchObject({ state: "done", done: count, total: count });
  const result: VerifyResult | null = await service.verifications.line(id, count);
  expect(result?.prompt).toBe(`What do you say, number ${count}?`);
});
