import { describe, expect, it } from "vitest";
import { behavioursOf, mixtureOf } from "../../testing/scenarios/batch-behaviours.ts";
import type { Kind } from "../../testing/scenarios/kinds.ts";
import { playJob } from "./play-job.ts";

/** Behaviours of calls, not of batches. */
const isOfCalls = /^(models|lm studio)/;

/** Every behaviour that a kind of service can have, or only `names`, on the bill of its stand-in. */
export function describeBehaviours(kind: Exclude<Kind, "chat">, names = behavioursOf(kind)): void {
  describe(`a batch at ${kind} is paid once and loses no answer`, () => {
    it.each(names.filter((name) => !isOfCalls.test(name)))("%s", async (name) => {
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

/** A batch that didn't complete, at a service that doesn't count, is read twice: what comes only after both is given up. */
function isUndecidable(kind: Kind, names: readonly string[]): boolean {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const isUncounted =
    has(/^state: .*no counts/) || (kind === "together" && has(/^state: (expired|cancelled|failed|err|abort)/));
  return isUncounted && has(/^(download: (short|empty|cut)|file: )/);
}

/** Seeded mixtures of behaviours, in which the process is killed now and then. */
export function describeMixtures(kind: Exclude<Kind, "chat">, seeds: readonly number[]): void {
  it.each(seeds.filter((seed) => !isUndecidable(kind, mixtureOf(kind, seed))))(
    `a batch at ${kind} is paid once and loses no answer, whatever is mixed and killed: %i`,
    async (seed) => {
      const names = mixtureOf(kind, seed);
      const { scenario, answers, states } = await playJob(kind, names, { kills: drawKills(seed) });
      const { paidTwice, lost } = scenario.bill.audit(answers);
      expect({ paidTwice, lost }, names.join(", ")).toEqual({ paidTwice: [], lost: [] });
      expect(scenario.elsewhere).toEqual([]);
      expect(states.size).toBe(20);
    },
  );
}

/** At which calls of the service a process ends: a few of the first dozen, and one later. */
function drawKills(seed: number): readonly number[] {
  return [1 + (seed % 6), 4 + (seed % 5), 8 + (seed % 7), 20 + (seed % 11)];
}
