import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createValidationThread } from "#main/requests";
import { createJudgeThread } from "#main/verifications";
import { fileOf, makeTempDir, openTestService, upload } from "./testing/index.ts";

/** The entry of a thread that takes calls and never answers. */
async function writeStuckWorker(): Promise<URL> {
  const entry = join(await makeTempDir(), "stuck.mjs");
  await writeFile(entry, "for (;;);");
  return pathToFileURL(entry);
}

test("threads that don't answer delay neither the end of the service nor the next start", async () => {
  const dataDir = await makeTempDir();
  const stuck = await writeStuckWorker();
  const [validation, judge] = [createValidationThread(stuck), createJudgeThread(stuck)];
  onTestFinished(async () => void (await Promise.all([validation.close(), judge.close()])));
  const first = await openTestService({ dataDir });
  const done = await first.run(fileOf(3));
  await first.close();

  const service = await openTestService({ dataDir, validation, judge, search: undefined, searchWorker: stuck });
  const { id } = await upload(service.files, fileOf(2));
  const window = { endpoint: "/v1/chat/completions", completionWindow: "24h" } as const;
  const batch = await service.batches.create({ inputFileId: id, ...window });
  const choice = { judge: "rules", model: null, preset: "general" } as const;
  await service.verifications.start({ batchId: done.id, choice, document: { from: "none" }, strict: false });
  const search = expect(service.results.numbers(done.id, { search: "x" })).rejects.toThrow("closed");
  await service.close(60_000);
  await search;

  const again = await openTestService({ dataDir });
  expect(await again.batches.settled(batch.id)).toMatchObject({ status: "completed", counts: { completed: 2 } });
});
