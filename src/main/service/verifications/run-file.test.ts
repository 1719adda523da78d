import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { injectDiskFaults } from "../io/testing/inject-disk-faults.ts";
import { makeBatchRecord, makeTempDir } from "../testing/index.ts";
import { createRunFiles } from "./run-file.ts";

test("a reading that fails takes no run away that began after it", async () => {
  const files = createRunFiles({
    folder: join(await makeTempDir(), "runs"),
    headerSchema: z.object({}),
    marks: ["good"],
    resultSchema: z.unknown(),
  });
  const batch = makeBatchRecord();
  let isFirst = true;
  const putBack = await injectDiskFaults(({ name, path }) => {
    if (name !== "open" || !path.endsWith("batch_1.jsonl") || !isFirst) return null;
    isFirst = false;
    return "EMFILE";
  });
  onTestFinished(putBack);
  const reading = expect(files.get(batch)).rejects.toThrow("EMFILE");
  const begun = await files.begin(batch, {});
  onTestFinished(() => begun.close());
  await reading;
  expect(await files.get(batch)).toBe(begun);
});
