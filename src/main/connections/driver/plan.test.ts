import { expect, test } from "vitest";
import { createPartPlanner, type PartLimits } from "./plan.ts";

const noLimits: PartLimits = { lines: null, bytes: null, tokens: null };

/** Plans lines that take so many bytes each, the line end included; one of 0 can't be sent. */
function plan(bytes: readonly number[], limits: Partial<PartLimits>) {
  const adapter = {
    encode: ({ line }: { readonly line: number }) => {
      const size = bytes[line - 1] ?? 0;
      return size === 0 ? { problems: [{ param: "n", message: "No." }] } : { text: "x".repeat(size - 1) };
    },
  };
  const planner = createPartPlanner(adapter, { ...noLimits, ...limits });
  bytes.forEach((_, at) => {
    const request = { model: "m", messages: [{ role: "user" as const, content: "one two three" }] };
    planner.add({ line: at + 1, customId: `${at}`, request });
  });
  return planner.parts({ from: 1, to: bytes.length });
}

test("a job over the limits is cut into as few parts as they allow, in the order of its lines", () => {
  const bytes = [3, 3, 3, 10, 1, 1, 1];
  expect(plan(bytes, { bytes: 9 })).toEqual([
    { from: 1, to: 3, bytes: 9, tokens: 0 },
    { from: 4, to: 4, bytes: 10, tokens: 0 },
    { from: 5, to: 7, bytes: 3, tokens: 0 },
  ]);
  expect(plan(bytes, { lines: 3 }).map(({ to }) => to)).toEqual([3, 6, 7]);
  const [first, ...others] = plan(bytes, { tokens: 20 });
  expect(first?.tokens).toBeGreaterThan(0);
  expect(others.length).toBeGreaterThan(0);
  expect(plan([], { lines: 3 })).toEqual([]);
});

test("lines that are not sent take no room, and are in a part all the same", () => {
  expect(plan([0, 2, 0, 2, 0], { lines: 1 }).map(({ from, to }) => [from, to])).toEqual([
    [1, 3],
    [4, 5],
  ]);
  expect(plan([0, 0], { lines: 1 })).toEqual([{ from: 1, to: 2, bytes: 0, tokens: 0 }]);
});
