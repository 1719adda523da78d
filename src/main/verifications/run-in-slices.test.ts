import { expect, test } from "vitest";
import { runInSlices } from "./run-in-slices.ts";

test("a small call gets its turn between the slices of a large one", async () => {
  const order: string[] = [];
  function* work(name: string, steps: number, size: number): Generator<number, string> {
    for (let step = 0; step < steps; step += 1) {
      order.push(name);
      yield size;
    }
    return name;
  }
  const large = runInSlices(work("large", 10, 30_000));
  const small = runInSlices(work("small", 3, 100));
  expect(await Promise.race([large, small])).toBe("small");
  expect(order.filter((name) => name === "large").length).toBeLessThan(3);
  expect(await large).toBe("large");
  expect(order).toHaveLength(13);
});

test("work that its signal ends goes no further than its slice", async () => {
  const controller = new AbortController();
  let steps = 0;
  function* work(): Generator<number, void> {
    for (;;) {
      steps += 1;
      if (steps === 3) controller.abort(new Error("no longer wanted"));
      yield 1_000_000;
    }
  }
  await expect(runInSlices(work(), controller.signal)).rejects.toThrow("no longer wanted");
  expect(steps).toBe(3);
});
