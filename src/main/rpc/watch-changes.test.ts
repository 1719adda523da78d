import { expect, test } from "vitest";
import { createFakeMachine } from "../service/testing/index.ts";
import { watchChanges } from "./watch-changes.ts";
import { watchRuns } from "./watch-runs.ts";

test("a thing that moves is sent again while nothing of it changes, until it moves no more", async () => {
  const machine = createFakeMachine();
  const things = new Map([
    ["a", 1],
    ["b", 1],
    ["c", 1],
  ]);
  let tell: (id: string) => void = () => {};
  const seen: string[] = [];
  const end = new AbortController();
  const changes = watchChanges<string, string>(
    {
      subscribe(listener) {
        tell = listener;
        return () => {};
      },
      idOf: (id) => id,
      toView: (id) => `${id}${things.get(id)}`,
      silent: { machine, moving: () => ["c"], current: (id) => (id !== "b" && things.has(id) ? id : null) },
    },
    end.signal,
  );
  const reading = (async () => {
    for await (const view of changes) seen.push(view);
  })();
  const pass = async (milliseconds: number) => {
    await machine.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
    return seen.splice(0);
  };
  // It was silent before anyone watched.
  expect(await pass(2_000)).toEqual(["c1"]);
  things.delete("c");
  expect(await pass(2_000)).toEqual([]);
  tell("a");
  tell("b");
  expect(await pass(0)).toEqual(["a1", "b1"]);
  expect(await pass(2_000)).toEqual([]);
  things.set("a", 2);
  expect(await pass(4_000)).toEqual(["a2", "a2"]);
  things.delete("a");
  expect(await pass(10_000)).toEqual([]);
  end.abort();
  await reading;
});

test("a run over a batch that was silent before the page was opened is sent again, with its time left", async () => {
  const machine = createFakeMachine();
  let timeLeft = 60;
  const view = () => ({ batchId: "a", state: "running", timeLeft });
  const end = new AbortController();
  const runs = { get: async () => view(), subscribe: () => () => {}, listRunning: () => [view()] };
  const next = watchRuns(runs, machine, end.signal).next();
  timeLeft = 90;
  await machine.advance(2_000);
  expect(await next).toEqual({ done: false, value: view() });
  end.abort();
});
