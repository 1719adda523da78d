import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findEntry } from "#app-paths";
import { fileOf, makeTempDir } from "../../service/testing/index.ts";
import { createModelCatalog } from "../model-catalog.ts";
import { createFileChecker, createValidationThread } from "./file-checker.ts";
import { createCheckRules } from "./rules.ts";

const rules = createCheckRules(createModelCatalog("standard"), {
  bytes: 100_000_000,
  requests: 500_000,
  lineBytes: 16_000_000,
});

function openChecker(worker = findEntry("validation-worker")) {
  const thread = createValidationThread(worker);
  onTestFinished(() => thread.close());
  return { ...createFileChecker(thread, () => rules), close: thread.close };
}

async function writeInput(content: string): Promise<string> {
  const path = join(await makeTempDir(), "input.jsonl");
  await writeFile(path, content);
  return path;
}

/** Takes longer to check than the time between two reports of progress. */
const largeFile = fileOf(60_000);

test("several files are checked at a time, each with its own report", async () => {
  const checker = openChecker();
  const paths = await Promise.all([3, 5, 0].map((count) => writeInput(fileOf(count))));
  const checks = await Promise.all(paths.map((path) => checker.check(path)));
  expect(checks.map(({ report }) => report.requests)).toEqual([3, 5, 0]);
  expect(checks.map(({ lineStarts }) => lineStarts.length)).toEqual([4, 6, 1]);
});

test("a file that can't be read rejects, and the next is checked", async () => {
  const checker = openChecker();
  await expect(checker.check("/nowhere/input.jsonl")).rejects.toThrow("ENOENT");
  expect((await checker.check(await writeInput(fileOf(1)))).report.requests).toBe(1);
});

test("a check tells of its progress and can be stopped", async () => {
  const checker = openChecker();
  const path = await writeInput(largeFile);
  const stop = new AbortController();
  const seen: [number, number][] = [];
  const check = checker.check(path, {
    signal: stop.signal,
    onProgress: (bytes, total) => {
      seen.push([bytes, total]);
      stop.abort(new Error("enough"));
    },
  });
  await expect(check).rejects.toThrow("enough");
  const [first] = seen;
  expect(first?.[0]).toBeGreaterThan(0);
  expect(first?.[0]).toBeLessThan(first?.[1] ?? 0);
});

test("a check that is stopped before it starts does nothing", async () => {
  const checker = openChecker();
  await expect(checker.check("/nowhere", { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
});

test("when the thread dies its checks reject, and the next check has a new thread", async () => {
  const dir = await makeTempDir();
  const broken = join(dir, "worker.mjs");
  await writeFile(broken, 'throw new Error("broken entry");');
  const checker = openChecker(new URL(`file://${broken}`));
  const path = await writeInput(largeFile);
  await expect(checker.check(path)).rejects.toThrow("broken entry");
  // A small file needs no thread.
  expect((await checker.check(await writeInput(fileOf(2)))).report.requests).toBe(2);

  const real = findEntry("validation-worker").href;
  await writeFile(broken, `import ${JSON.stringify(real)};`);
  expect((await checker.check(path)).report.requests).toBe(60_000);
});

test("closing ends the checks that run", async () => {
  const checker = openChecker();
  const path = await writeInput(largeFile);
  const check = checker.check(path);
  const closed = expect(check).rejects.toThrow("The service was closed.");
  await checker.close();
  await closed;
  await expect(checker.check(path)).rejects.toThrow("The service was closed.");
});
