import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeTempDir } from "../../service/testing/index.ts";
import { ask } from "../testing/test-engine.ts";
import { createSchemaThread } from "./schema-thread.ts";

/** A thread that echoes questions, but takes all the memory there is for one of them. */
async function openThread() {
  const entry = join(await makeTempDir(), "worker.mjs");
  const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  await writeFile(
    entry,
    `import { os } from ${JSON.stringify(import.meta.resolve("@orpc/server"))};
    import { serveWorker } from ${urlOf("../../storage/io/worker-thread.ts")};
    const answer = ({ question }) => {
      for (const all = []; question === "huge"; ) all.push(new Array(1_000_000).fill(all.length));
      return { choices: [], usage: { prompt_tokens: question.length, completion_tokens: 0, total_tokens: 0 } };
    };
    const withCount = (count) => (answer) => ({ ...answer, usage: { ...answer.usage, total_tokens: count } });
    serveWorker({ answer: os.handler(({ input }) => input.map(answer).map(withCount(input.length))) });`,
  );
  const thread = createSchemaThread(pathToFileURL(entry));
  onTestFinished(() => thread.close());
  return (question: string, signal = new AbortController().signal) =>
    thread.answer({ question, start: 1, reasons: false }, ask("?", { tools: [] }), signal);
}

test("the request that needs more memory than there is fails, and those that wait with it are answered", async () => {
  const answer = await openThread();
  const answers = await Promise.all(["first", "a", "huge", "abc"].map((question) => answer(question)));
  expect(answers).toMatchObject([
    { usage: { prompt_tokens: 5 } },
    { usage: { prompt_tokens: 1 } },
    { statusCode: 400, body: { error: { message: expect.stringContaining("too much memory") } } },
    { usage: { prompt_tokens: 3 } },
  ]);
});

test("requests go to the thread together as far as they are short, and long ones alone", async () => {
  const answer = await openThread();
  const lengths = [1, ...Array.from({ length: 20 }, () => 10), 150_000, 150_000, 500_000, 10];
  const answers = await Promise.all(lengths.map((length) => answer("x".repeat(length))));
  const together = answers.map((given) => ("usage" in given ? given.usage.total_tokens : 0));
  // The first is sent at once.
  expect(together).toEqual([1, ...Array(16).fill(16), ...Array(5).fill(5), 1, 1, 1]);
});

test("a request that is taken back rejects with the reason, and the others are answered", async () => {
  const answer = await openThread();
  const reason = new Error("gone");
  const given = answer("a", AbortSignal.abort(reason));
  const other = answer("ab");
  await expect(given).rejects.toBe(reason);
  expect(await other).toMatchObject({ usage: { prompt_tokens: 2 } });
});
