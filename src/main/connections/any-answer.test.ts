import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Service } from "#main/service";
import {
  answersInText,
  answersWithCalls,
  failedAnswers,
  writeBody,
} from "../engines/upstream/testing/service-answers.ts";
import { createTestFolder, submitQuestions, type TestFolder, until } from "./testing/open-service.ts";
import { startOpenaiService } from "./testing/openai-service.ts";
import { type Reply, startStandIn } from "./testing/stand-in.ts";

/*
 * What a service answered with success may have been paid: whatever its form, each line is asked once. Servers here answer as
 * services do, and count their calls.
 */

const key = "sk-0123456789abcdef";
let folder: TestFolder;
let service: Service & { stop(): Promise<void> };

beforeAll(async () => {
  folder = await createTestFolder();
  service = await folder.open();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const requestSchema = z.object({ messages: z.array(z.object({ content: z.string() })) });

/** A chat server that answers each question with what `answer` returns for it, and a connection to it. */
async function connect(name: string, answer: (question: string, call: number) => Reply, concurrency = 2) {
  const asked: string[] = [];
  const standIn = await startStandIn(({ body }) => {
    const question = requestSchema.parse(JSON.parse(body.toString())).messages[0]?.content ?? "";
    asked.push(question);
    return answer(question, asked.length);
  });
  onTestFinished(() => standIn.close());
  const prices = { input: 1_000_000, output: 1_000_000 };
  const settings = { name, adapter: "chat" as const, preset: null, url: `${standIn.url}/v1`, concurrency, prices };
  const connection = await folder.store.save(settings, key);
  return { asked, connection };
}

const json = (body: string): Reply => ({ headers: { "content-type": "application/json" }, body });
const page: Reply = { headers: { "content-type": "text/html" }, body: "<html>Welcome to nginx</html>" };
const good = json(JSON.stringify({ choices: [{ message: { content: "Four." } }] }));

const storedBody = (raw: string | null) =>
  z.object({ response: z.object({ body: z.record(z.string(), z.unknown()) }) }).parse(JSON.parse(raw ?? "")).response
    .body;

const asSent = (body: object) => JSON.parse(writeBody(body).replaceAll("-Infinity", '"-Infinity"'));

describe("a chat server", () => {
  it("has its answers stored as they came, whatever their form, and is asked once for each", async () => {
    const all: Record<string, object> = { ...answersInText, ...answersWithCalls };
    const { asked, connection } = await connect("Forms", (question) => json(writeBody(all[question])));
    const questions = Object.keys(all);
    const { id } = await submitQuestions(service, connection.id, questions);
    const done = await service.batches.settled(id);
    expect(done.counts).toEqual({ total: questions.length, completed: questions.length, failed: 0 });
    expect(asked.toSorted()).toEqual(questions.toSorted());
    for (const [at, question] of questions.entries()) {
      const { answer, rawResponse, promptTokens } = await service.results.line(id, at + 1);
      expect(storedBody(rawResponse), question).toEqual(asSent(all[question] ?? {}));
      expect(answer, question).toBe(question in answersInText ? "Four." : 'look({"at":1})');
      const isCounted = question !== "no usage" && question !== "only what can't be missing";
      expect(promptTokens, question).toBe(isCounted ? 9 : null);
    }
  });

  it("has an error in its success as a failed line, asked once, with the text and the cost of what it had written", async () => {
    const { asked, connection } = await connect("Errors", (question) =>
      json(writeBody(failedAnswers[question]?.body ?? {})),
    );
    const questions = Object.keys(failedAnswers);
    const { id } = await submitQuestions(service, connection.id, questions);
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ waiting: null, counts: { completed: 0, failed: questions.length } });
    expect(asked.toSorted()).toEqual(questions.toSorted());
    const paid = Object.values(failedAnswers).filter((failed) => failed.paid).length;
    for (const [at, question] of questions.entries()) {
      const line = await service.results.line(id, at + 1);
      const { text, paid: isPaid } = failedAnswers[question] ?? {};
      expect(line, question).toMatchObject({ state: "failed", partial: text || null, promptTokens: isPaid ? 9 : null });
      expect(line.answer, question).toContain("Out of memory");
    }
    expect(done.usage).toMatchObject({ prompt: 9 * paid, completion: 3 * paid });
  });

  it("that sends nonsense among answers has that as failed lines with the text, asked once", async () => {
    const { asked, connection } = await connect(
      "Nonsense",
      (question) => (question.startsWith("bad") ? page : good),
      1,
    );
    const { id } = await submitQuestions(service, connection.id, ["a", "bad 1", "b", "bad 2"]);
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ waiting: null, counts: { completed: 2, failed: 2 } });
    expect(asked).toHaveLength(4);
    const line = await service.results.line(id, 2);
    expect(line).toMatchObject({ state: "failed", errorCode: "upstream_invalid_answer", partial: page.body });
  });

  it("that counted tokens is this API: what can't be read of it is a failed line", async () => {
    const body = JSON.stringify({ output: "Four.", usage: { input_tokens: 9, output_tokens: 3 } });
    const { asked, connection } = await connect("Other", () => json(body));
    const { id } = await submitQuestions(service, connection.id, ["a", "b", "c"]);
    const done = await service.batches.settled(id);
    expect(done).toMatchObject({ waiting: null, counts: { completed: 0, failed: 3 } });
    expect(asked).toHaveLength(3);
  });
});

describe("an address that is not this API", () => {
  const questions = ["a", "b", "c", "d", "e", "f"];

  it("is asked for one more line at a time, for none twice, and when all were asked they failed", async () => {
    const waits: (string | null)[] = [];
    const open = { calls: 0, most: 0 };
    const { asked, connection } = await connect("Page", (_, call) => {
      if (call <= 2) return page;
      return (response) => {
        open.calls += 1;
        open.most = Math.max(open.most, open.calls);
        setTimeout(() => {
          open.calls -= 1;
          response.writeHead(200, { "content-type": "text/html" }).end(page.body);
        }, 20);
      };
    });
    const { id } = await submitQuestions(service, connection.id, questions);
    const unsubscribe = service.batches.subscribe((batch) => {
      if (batch.id === id) waits.push(batch.waiting);
      if (batch.id === id && batch.status === "in_progress") expect(batch.counts.completed).toBe(0);
    });
    onTestFinished(unsubscribe);
    const done = await service.batches.settled(id);
    expect(asked.toSorted()).toEqual(questions);
    expect(open.most).toBe(1);
    expect(waits).toContainEqual(
      expect.stringContaining("Page answered with something that is not this API. Check the address"),
    );
    expect(done.counts).toEqual({ total: 6, completed: 0, failed: 6 });
    const line = await service.results.line(id, 6);
    expect(line).toMatchObject({ state: "failed", partial: page.body });
  });

  it("that answers in the end has sent its first lines in vain: they failed, and are not asked again", async () => {
    const { asked, connection } = await connect("Late", (_, call) => (call <= 2 ? page : good));
    const { id } = await submitQuestions(service, connection.id, questions);
    const done = await service.batches.settled(id);
    expect(done.counts).toEqual({ total: 6, completed: 4, failed: 2 });
    expect(asked.toSorted()).toEqual(questions);
  });

  it("keeps what it was asked over a restart, and is asked again when its user says so", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `question ${at}`);
    let answer: Reply = page;
    // One at a time: a second call could be cut by the stop before its answer has come.
    const { asked, connection } = await connect("Restart", () => answer, 1);
    const { id } = await submitQuestions(service, connection.id, many);
    await until(() => service.batches.get(id)?.waiting != null);
    await service.stop();
    const before = asked.length;
    service = await folder.open();
    await until(() => asked.length > before);
    expect(new Set(asked).size).toBe(asked.length);
    answer = good;
    // As "Try again now" does.
    folder.store.announce(connection.id);
    const done = await service.batches.settled(id);
    expect(done.counts).toEqual({ total: 30, completed: 30, failed: 0 });
    expect(asked.length).toBeGreaterThan(30);
  });
});

describe("results of a batch service", () => {
  it("are stored as they came; an error in a success is a failed line with its text and usage", async () => {
    const standIn = await startOpenaiService("openai", key);
    onTestFinished(() => standIn.close());
    const settings = { name: "Results", adapter: "openai-batch" as const, preset: "openai", url: standIn.url };
    const connection = await folder.store.save(settings, key);
    const all: Record<string, object> = {
      ...answersInText,
      ...answersWithCalls,
      ...Object.fromEntries(Object.entries(failedAnswers).map(([name, { body }]) => [name, body])),
      nonsense: { hello: 1 },
    };
    const names = Object.keys(all);
    const lines = names.map((name, at) =>
      writeBody({
        id: `r${at}`,
        custom_id: `q-${at + 1}`,
        response: { status_code: 200, body: all[name] },
        error: null,
      }),
    );
    standIn.inject("GET", /content$/, { body: `${lines.join("\n")}\n` });
    const { id } = await submitQuestions(service, connection.id, names);
    await until(() => standIn.batches.length === 1);
    standIn.end();
    const done = await service.batches.settled(id);
    const failing = Object.keys(failedAnswers).length + 1;
    expect(done.counts).toEqual({ total: names.length, completed: names.length - failing, failed: failing });
    for (const [at, name] of names.entries()) {
      const line = await service.results.line(id, at + 1);
      const failed = failedAnswers[name];
      if (name === "nonsense") expect(line).toMatchObject({ state: "failed", partial: '{"hello":1}' });
      else if (failed === undefined) expect(storedBody(line.rawResponse), name).toEqual(asSent(all[name] ?? {}));
      else {
        const promptTokens = failed.paid ? 9 : null;
        expect(line, name).toMatchObject({ state: "failed", partial: failed.text || null, promptTokens });
      }
    }
    expect(standIn.batches).toHaveLength(1);
  });
});
