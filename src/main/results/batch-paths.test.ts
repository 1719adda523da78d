import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BatchRecord } from "#main/storage";
import { makeBatchRecord, makeFileRecord, makeTempDir } from "../service/testing/index.ts";
import { pathsOf } from "./batch-paths.ts";

test("the answers of a batch are found by a record of it from before the first one", async () => {
  const folder = await makeTempDir();
  for (const name of ["in", "out"]) await writeFile(join(folder, name), "");
  const before = makeBatchRecord({ inputFileId: "in", outputFileId: null, errorFileId: null });
  let now: BatchRecord = before;
  const paths = pathsOf(before, {
    pathOf: (id) => join(folder, id),
    ledgerOf: (batch) => ({ path: join(folder, "ledger"), folder: "f", batch }),
    pricesOf: async () => null,
    timingsOf: () => join(folder, "timings"),
    indexOf: () => join(folder, "index"),
    files: { get: (id) => (id === "gone" ? undefined : makeFileRecord({ id })) },
    batches: { get: () => now, list: () => [now] },
  });
  expect(paths).toMatchObject({ output: null, error: null });
  now = { ...before, outputFileId: "out" };
  expect(paths).toMatchObject({ input: join(folder, "in"), output: join(folder, "out"), error: null });
  now = { ...before, outputFileId: "gone" };
  expect(() => paths.output).toThrow("has been deleted");
});
