import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { finalStatuses, type ResultLine } from "#contract";
import { createMoments, createTestFolder, submitQuestions, until } from "./testing/open-service.ts";
import { services } from "./testing/services.ts";

const key = "sk-0123456789abcdef";
const kills = 5;
const concurrency = 4;
const question = (number: number) => `question ${number}`;

it.concurrent.for(["chat", "openai"] as const)(
  "%s: stopped at seeded moments, each line has one state, and what was answered before is not asked again",
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
    const limits = { lines: 50, bytes: null };
    const { id: connection } = await folder.store.save({ name: kind, adapter, preset, url, concurrency, limits }, key);
    let service = await open();
    const finish = async (id: string) => {
      const isDone = () => finalStatuses.has(service.batches.get(id)?.status ?? "validating");
      await until(() => {
        const { remote = [] } = service.batches.get(id) ?? {};
        if (remote?.every(({ batchId }) => batchId !== null)) standIn.end();
        return isDone();
      }, kind);
      return service.batches.settled(id);
    };

    // Every third of 150 questions, before: and each of the others is asked twice later.
    const before = Array.from({ length: 50 }, (_, at) => question(3 * at + 1));
    const first = await submitQuestions(service, connection, before);
    await finish(first.id);
    const receivedBefore = standIn.received.length;
    const sentBefore = standIn.batches.length;

    const questions = Array.from({ length: 250 }, (_, at) => question((at % 150) + 1));
    const saving = { reuse: true, onceIdentical: true };
    const { id } = await submitQuestions(service, connection, questions, saving);
    for (const moment of createMoments(11, kills, 25)) {
      await until(() => service.batches.get(id)?.status !== "validating", kind);
      await wait(moment);
      await service.stop();
      service = await open();
    }
    const done = await finish(id);
    expect(done.counts).toEqual({ total: 250, completed: 250, failed: 0 });
    // 100 of them come twice, known or not.
    expect([done.reused?.lines, done.copied?.lines]).toEqual([50, 100]);
    await service.stop();
    const output = await readFile(`${folder.path}/files/${done.outputFileId}`, "utf8");
    const lines: ResultLine[] = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ custom_id }) => custom_id).toSorted()).toEqual(
      questions.map((_, at) => `q-${at + 1}`).toSorted(),
    );
    if (kind === "chat") {
      expect(standIn.received.length - receivedBefore).toBeLessThanOrEqual(100 + kills * concurrency);
    } else {
      const sent = standIn.batches.slice(sentBefore).map((batch) => batch.lines);
      expect(sent).toEqual([50, 50]);
    }
  },
);
