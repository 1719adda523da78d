import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { finalStatuses } from "#contract";
import { createMoments, createTestFolder, submitQuestions, until } from "./testing/open-service.ts";
import { services } from "./testing/services.ts";

/*
 * A batch whose service is stopped hard again and again, through the real files: `npm run soak` has the same with 10,000
 * lines and killed processes.
 */

const key = "sk-0123456789abcdef";
const lines = 240;
const kills = 6;
const concurrency = 4;

it.concurrent.for(Object.keys(services) as (keyof typeof services)[])(
  "%s: stopped at seeded moments, each line has one state, no batch is created twice, and only calls in flight are asked again",
  async (kind, { onTestFinished }) => {
    const standIn = await services[kind](key);
    const folder = await createTestFolder();
    const open = async () => {
      const service = await folder.open();
      onTestFinished(service.stop);
      return service;
    };
    onTestFinished(() => standIn.close());
    onTestFinished(() => folder.remove());
    const { adapter, preset, url } = standIn;
    const limits = { lines: 100, bytes: null };
    const { id: connection } = await folder.store.save({ name: kind, adapter, preset, url, concurrency, limits }, key);
    const questions = Array.from({ length: lines }, (_, at) => `question ${at + 1}`);
    let service = await open();
    const { id } = await submitQuestions(service, connection, questions);
    for (const [kill, moment] of createMoments(7, kills, 60).entries()) {
      await until(() => service.batches.get(id)?.status !== "validating", kind);
      await wait(moment);
      await service.stop();
      service = await open();
      if (kill === 3) standIn.end();
    }
    const isDone = () => finalStatuses.has(service.batches.get(id)?.status ?? "validating");
    await until(() => {
      if (service.batches.get(id)?.remote?.every(({ batchId }) => batchId !== null)) standIn.end();
      return isDone();
    }, kind);
    const done = await service.batches.settled(id);
    expect(done.counts).toEqual({ total: lines, completed: lines, failed: 0 });
    await service.stop();
    const output = await readFile(`${folder.path}/files/${done.outputFileId}`, "utf8");
    const answered = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).custom_id);
    expect(answered.toSorted()).toEqual(questions.map((_, at) => `q-${at + 1}`).toSorted());
    if (kind === "chat") expect(standIn.received.length).toBeLessThanOrEqual(lines + kills * concurrency);
    else expect(standIn.batches.map((batch) => batch.lines).toSorted()).toEqual([100, 100, 40]);
  },
);
