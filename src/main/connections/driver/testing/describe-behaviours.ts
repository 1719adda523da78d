import { describe, expect, it } from "vitest";
import { behavioursOf } from "../../testing/scenarios/batch-behaviours.ts";
import type { Kind } from "../../testing/scenarios/kinds.ts";
import { playJob } from "./play-job.ts";

/** Behaviours of calls, not of batches. */
const isOfCalls = /^(models|lm studio)/;

/** Every behaviour that a kind of service can have, on the bill of its stand-in. */
export function describeBehaviours(kind: Exclude<Kind, "chat">): void {
  describe(`a batch at ${kind} is paid once and loses no answer`, () => {
    it.each(behavioursOf(kind).filter((name) => !isOfCalls.test(name)))("%s", { timeout: 120_000 }, async (name) => {
      const { scenario, answers, states } = await playJob(kind, [name]);
      expect(scenario.bill.audit(answers)).toMatchObject({ paidTwice: [], lost: [], strange: [] });
      expect(scenario.elsewhere).toEqual([]);
      expect(states.size).toBe(20);
      // What the service counted and never hands out is not called missing.
      const { withheld } = scenario.bill.audit(answers);
      const outcomes = withheld.map((question) => states.get(scenario.bill.line(question).ids[0] ?? ""));
      expect(outcomes.filter((state) => !/result_(awaited|unreadable)/.test(state ?? ""))).toEqual([]);
    });
  });
}
