import { expect, test } from "vitest";
import { createFakeMachine } from "../base/clock/fake-machine.ts";
import { whilePending } from "./while-pending.ts";

const never = new AbortController().signal;

test("progress is reported ten times a second until the work ends, and not at all where it ends before", async () => {
  const machine = createFakeMachine();
  const work = Promise.withResolvers<void>();
  const reports = whilePending(work.promise, machine, never);
  for (const period of [1, 2, 3]) {
    const report = reports.next();
    await machine.advance(100);
    expect((await report).done, `after ${period} periods`).toBe(false);
  }
  const last = reports.next();
  work.resolve();
  expect((await last).done).toBe(true);
  expect(await Array.fromAsync(whilePending(Promise.resolve(), machine, never))).toEqual([]);
  expect(machine.pending).toBe(0);
});

test("a failure of the work is passed on, and an abort ends the reports", async () => {
  const machine = createFakeMachine();
  const failing = Array.fromAsync(whilePending(Promise.reject(new Error("no disk")), machine, never));
  await expect(failing).rejects.toThrow("no disk");
  const aborted = AbortSignal.abort();
  expect(await Array.fromAsync(whilePending(Promise.reject(new Error("late")), machine, aborted))).toEqual([]);
});
