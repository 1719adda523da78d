import fc from "fast-check";
import { expect, test } from "vitest";
import { type Attempt, type AttemptState, attemptStates, chooseAttempt, createAttemptMatcher } from "./merged.ts";

const states = fc.constantFrom<AttemptState>("waiting", "skipped", "failed", "answered");

/** A root of some lines, and retries that ask some of them again in any order, each line with the result of it. */
const retryGroups = fc.integer({ min: 1, max: 12 }).chain((total) =>
  fc.record({
    root: fc.array(states, { minLength: total, maxLength: total }),
    retries: fc.array(
      fc
        .uniqueArray(fc.integer({ min: 0, max: total - 1 }))
        .chain((lines) => fc.tuple(...lines.map((line) => fc.tuple(fc.constant(line), states)))),
      { maxLength: 4 },
    ),
  }),
);

test("each custom_id is there once, with its newest answer, else the newest of the most telling outcome", () => {
  fc.assert(
    fc.property(retryGroups, ({ root, retries }) => {
      const batches = [root.map((state, at) => [at, state] as const), ...retries];
      const customIdOf = ({ batch, line }: Attempt) => `q-${batches[batch]?.[line - 1]?.[0]}`;
      const stateOf = ({ batch, line }: Attempt) => batches[batch]?.[line - 1]?.[1] ?? "none";
      const matcher = createAttemptMatcher();
      for (const [at, lines] of retries.entries()) {
        for (const [line, [request]] of lines.entries()) {
          matcher.addRetryLine(`q-${request}`, { batch: at + 1, line: line + 1 });
        }
      }
      for (const at of root.keys()) matcher.addRootLine(`q-${at}`, at + 1);

      const places = Array.from(root.keys(), (at) => {
        const line = at + 1;
        return chooseAttempt(matcher.attempts.get(line) ?? [{ batch: 0, line }], stateOf);
      });
      expect(places.map(customIdOf)).toEqual(Array.from(root.keys(), (at) => `q-${at}`));

      for (const [at, place] of places.entries()) {
        const all = batches.flatMap((lines, batch) =>
          lines.flatMap(([request, state], line) => (request === at ? [{ batch, line: line + 1, state }] : [])),
        );
        const best = Math.max(...all.map(({ state }) => attemptStates.indexOf(state)));
        const newest = all.findLast(({ state }) => attemptStates.indexOf(state) === best);
        expect({ ...place, state: stateOf(place) }).toEqual(newest);
      }
    }),
  );
});
