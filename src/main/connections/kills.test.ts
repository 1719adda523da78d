import { expect, it } from "vitest";
import { createMoments } from "./testing/open-service.ts";
import { openStoppable } from "./testing/open-stoppable.ts";
import { services } from "./testing/services.ts";

/*
 * A batch whose service is stopped hard again and again, through the real files: `npm run soak` has the same with 10,000
 * lines and killed processes.
 */

const lines = 240;
const kills = 6;
const concurrency = 4;

it.concurrent.for(Object.keys(services) as (keyof typeof services)[])(
  "%s: stopped at seeded moments, each line has one state, no batch is created twice, and only calls in flight are asked again",
  async (kind, context) => {
    const { standIn, ...service } = await openStoppable(kind, { concurrency, partLines: 100 }, context);
    const questions = Array.from({ length: lines }, (_, at) => `question ${at + 1}`);
    const { id } = await service.submit(questions);
    await service.stopAt(id, createMoments(7, kills, 60), (stop) => {
      if (stop === 3) standIn.end();
    });
    const done = await service.finish(id);
    expect(done.counts).toEqual({ total: lines, completed: lines, failed: 0 });
    expect(await service.readIds(done)).toEqual(questions.map((_, at) => `q-${at + 1}`).toSorted());
    if (kind === "chat") expect(standIn.received.length).toBeLessThanOrEqual(lines + kills * concurrency);
    else expect(standIn.batches.map((batch) => batch.lines).toSorted()).toEqual([100, 100, 40]);
  },
);
