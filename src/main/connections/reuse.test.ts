import { expect, it } from "vitest";
import { createMoments } from "./testing/open-service.ts";
import { openStoppable } from "./testing/open-stoppable.ts";

const kills = 5;
const concurrency = 4;
const question = (number: number) => `question ${number}`;

it.concurrent.for(["chat", "openai"] as const)(
  "%s: stopped at seeded moments, each line has one state, and what was answered before is not asked again",
  async (kind, context) => {
    const { standIn, ...service } = await openStoppable(kind, { concurrency, partLines: 50 }, context);

    // Every third of 150 questions, before: and each of the others is asked twice later.
    const before = Array.from({ length: 50 }, (_, at) => question(3 * at + 1));
    await service.finish((await service.submit(before)).id);
    const receivedBefore = standIn.received.length;
    const sentBefore = standIn.batches.length;

    const questions = Array.from({ length: 250 }, (_, at) => question((at % 150) + 1));
    const { id } = await service.submit(questions, { reuse: true, onceIdentical: true });
    await service.stopAt(id, createMoments(11, kills, 25));
    const done = await service.finish(id);
    expect(done.counts).toEqual({ total: 250, completed: 250, failed: 0, reused: 150 });
    // 100 of the questions come twice, whether answered before or not.
    expect([done.reused?.lines, done.copied?.lines]).toEqual([50, 100]);
    expect(await service.readIds(done)).toEqual(questions.map((_, at) => `q-${at + 1}`).toSorted());
    if (kind === "chat") {
      expect(standIn.received.length - receivedBefore).toBeLessThanOrEqual(100 + kills * concurrency);
    } else {
      const sent = standIn.batches.slice(sentBefore).map((batch) => batch.lines);
      expect(sent).toEqual([50, 50]);
    }
  },
);
