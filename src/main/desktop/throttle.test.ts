import { expect, it } from "vitest";
import { createFakeMachine } from "../service/testing/index.ts";
import { createThrottle } from "./throttle.ts";

it("runs at once, then at most once a second, and never misses the last change", async () => {
  const machine = createFakeMachine();
  let runs = 0;
  const run = createThrottle(machine, 1_000, () => {
    runs += 1;
  });
  run();
  expect(runs).toBe(1);
  run();
  run();
  await machine.advance(999);
  expect(runs).toBe(1);
  await machine.advance(1);
  expect(runs).toBe(2);
  await machine.advance(5_000);
  expect(runs).toBe(2);
  run();
  expect(runs).toBe(3);
});
