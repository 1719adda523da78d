import { expect, onTestFinished, test } from "vitest";
import { openStore } from "#main/storage";
import { createSilentLogger } from "../base/logger.ts";
import { createFakeMachine, makeBatchRecord } from "../service/testing/index.ts";
import { askDeadlineRest } from "./deadline-rest.ts";

const logger = createSilentLogger();

test("a retry of failed lines from before the deadline is not taken for one of the rest", async () => {
  const store = await openStore({ ephemeral: true }, { logger, machine: createFakeMachine() });
  onTestFinished(() => store.close());
  const batch = makeBatchRecord({ status: "cancelled", endedBy: "deadline" });
  const root = { ...batch, times: { ...batch.times, created: 1, cancelled: 5 } };
  const told: string[] = [];
  const ask = () =>
    askDeadlineRest(
      {
        ...{ store, logger, connectionRuntime: null },
        setNotice: (notice) => told.push(notice),
        noteAsked: () => told.push("asked"),
        retry: () => Promise.reject(new Error("Nothing can be sent.")),
      },
      root,
    );
  const addRetry = (id: string, created: number, deletedAt: number | null) => {
    const link = { kind: "retry", root: root.id } as const;
    store.batches.put(makeBatchRecord({ id, link, deletedAt, times: { ...batch.times, created } }));
  };
  store.batches.put(root);
  addRetry("batch_before", 4, null);
  await ask();
  addRetry("batch_after", 5, 9);
  await ask();
  expect(told).toEqual([expect.stringContaining("its connection was removed"), "asked"]);
});
