import { expect, it } from "vitest";
import { createFakeMachine } from "../service/testing/index.ts";
import { createLineRetries, mostTries } from "./line-retries.ts";

const serverError = { statusCode: 500, mayBeItsOwn: true, retryAfter: 0 };
const limit = { statusCode: 429, mayBeItsOwn: true, retryAfter: 6_000 };

it("waits as long as the service asks when it limits all, and then sends one call", async () => {
  const machine = createFakeMachine();
  const retries = createLineRetries(machine, false);
  const calls = [1, 2, 3].map(retries.start);
  for (const call of calls) expect(retries.fail(call, limit)).toBe("again");
  expect(retries.isStopped).toBe(true);
  await machine.advance(5_999);
  expect(retries.mayStart()).toBe(false);
  expect(retries.nextWait(true)).toBe(1);
  await machine.advance(1);
  expect(retries.mayStart()).toBe(true);
  const probe = retries.start(4);
  expect(retries.mayStart()).toBe(false);
  retries.succeed(probe);
  expect([retries.isStopped, retries.mayStart(), retries.size]).toEqual([false, true, 3]);
});

it("goes on at once when others are answered after a line's failure, and asks it again in its own time", async () => {
  const machine = createFakeMachine();
  const retries = createLineRetries(machine, true);
  const [bad, good] = [retries.start(1), retries.start(2)];
  retries.fail(bad, serverError);
  retries.succeed(good);
  expect([retries.mayStart(), retries.due(true)]).toEqual([true, null]);
  await machine.advance(2_000);
  expect(retries.due(true)).toBe(1);
});

it("a key that is refused in the middle fails no line, however often it is tried", async () => {
  const machine = createFakeMachine();
  const retries = createLineRetries(machine, true);
  for (let time = 0; time < 3 * mostTries; time++) {
    expect(retries.fail(retries.start(1), { statusCode: 401, mayBeItsOwn: true, retryAfter: 0 })).toBe("again");
    await machine.advance(10 * 60_000);
  }
  expect(retries.due(false)).toBe(1);
});

it("a request that is refused twice while others are answered in between fails", async () => {
  const machine = createFakeMachine();
  const retries = createLineRetries(machine, true);
  const refusal = { statusCode: 403, mayBeItsOwn: true, retryAfter: 0 };
  expect(retries.fail(retries.start(1), refusal)).toBe("again");
  retries.succeed(retries.start(2));
  await machine.advance(2_000);
  expect(retries.fail(retries.start(1), refusal)).toBe("fails");
});

it("while a server is down new lines try it, so that no line uses up its tries", async () => {
  const machine = createFakeMachine();
  const retries = createLineRetries(machine, true);
  for (let line = 1; line <= 50; line++) {
    expect(retries.due(true)).toBeNull();
    expect(retries.fail(retries.start(line), serverError)).toBe("again");
    await machine.advance(5 * 60_000);
  }
});
