import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { noDurability } from "../io/index.ts";
import { createLogger } from "../logger.ts";
import type { StoredFolder } from "../store/index.ts";
import { createFakeMachine, makeBatchRecord, makeTempDir } from "../testing/index.ts";
import { createIndexCache } from "./index-cache.ts";
import { scanRequests } from "./request-lines.ts";

test("a reading that fails takes no index away that was made after it began", async () => {
  const folder = await makeTempDir();
  const input = join(folder, "input");
  await writeFile(input, "{}\n{}\n");
  const batch = makeBatchRecord({ status: "in_progress" });
  const store: StoredFolder = {
    pathOf: () => input,
    ledgerOf: (id) => ({ path: join(folder, "ledger"), folder: "f", batch: id }),
    timingsOf: () => join(folder, "timings"),
    indexOf: () => join(folder, "index"),
    // No record of its input: it can't be read.
    files: { get: () => undefined },
    batches: { get: () => batch, list: () => [batch] },
  };
  const machine = createFakeMachine();
  const logger = createLogger({ machine, level: "error", write: () => {} });
  const indexes = createIndexCache({ store, own: store, durability: noDurability, machine, logger });
  onTestFinished(() => indexes.close());

  const requests = await scanRequests(input);
  const reading = expect(indexes.get(batch)).rejects.toThrow("input file");
  const index = indexes.create(batch.id, requests);
  await reading;
  expect(await indexes.get(batch)).toBe(index);
});
