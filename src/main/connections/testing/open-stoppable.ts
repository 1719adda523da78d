import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { TestContext } from "vitest";
import { finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import type { CreateBatch } from "../../batches/deps.ts";
import { createTestFolder, submitQuestions, until } from "./open-service.ts";
import { services } from "./services.ts";

const key = "sk-0123456789abcdef";

/** A service with a connection to a stand-in, in a folder of its own, that is stopped hard and opened anew. */
export async function openStoppable(
  kind: keyof typeof services,
  { concurrency, partLines }: { readonly concurrency: number; readonly partLines: number },
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
) {
  const standIn = await services[kind](key);
  const folder = await createTestFolder();
  const open = async () => {
    const opened = await folder.open();
    onTestFinished(opened.stop);
    return opened;
  };
  onTestFinished(() => standIn.close());
  onTestFinished(() => folder.remove());
  const { adapter, preset, url } = standIn;
  const limits = { lines: partLines, bytes: null };
  const { id: connection } = await folder.store.save({ name: kind, adapter, preset, url, concurrency, limits }, key);
  let service = await open();

  async function settle(id: string, batchId: string | undefined): Promise<void> {
    const choice = batchId === undefined ? { kind: "send_again" as const } : { kind: "use" as const, batchId };
    // The create may have been settled meanwhile.
    await service.batches.settleCreate(id, choice).catch(() => {});
  }

  return {
    standIn,
    submit: (questions: readonly string[], saving?: Pick<CreateBatch, "reuse" | "onceIdentical">) =>
      submitQuestions(service, connection, questions, saving),
    /** Stops it so many milliseconds after it has checked the batch; `opened` is called with the number of the stop, from 0. */
    async stopAt(id: string, moments: readonly number[], opened: (stop: number) => void = () => {}): Promise<void> {
      for (const [stop, moment] of moments.entries()) {
        await until(() => service.batches.get(id)?.status !== "validating", kind);
        await wait(moment);
        await service.stop();
        service = await open();
        opened(stop);
      }
    },
    /** Resolves when the batch has ended; once all of it is at the stand-in, that answers. */
    async finish(id: string): Promise<BatchRecord> {
      await until(() => {
        const { remote, status = "validating" } = service.batches.get(id) ?? {};
        if (remote?.every(({ batchId }) => batchId !== null)) standIn.end();
        // Stopped before a create reached the service, or before its answer came back.
        const [candidate] = remote?.find(({ candidates }) => candidates !== null)?.candidates ?? [null];
        if (candidate !== null) void settle(id, candidate?.id);
        return finalStatuses.has(status);
      }, kind);
      return await service.batches.settled(id);
    },
    /** Closes it, and returns the ids of the lines in the batch's file, sorted. */
    async readIds({ outputFileId }: BatchRecord): Promise<string[]> {
      await service.stop();
      const output = await readFile(`${folder.path}/files/${outputFileId}`, "utf8");
      const ids = output
        .trimEnd()
        .split("\n")
        .map((line): string => JSON.parse(line).custom_id);
      return ids.toSorted();
    },
  };
}
