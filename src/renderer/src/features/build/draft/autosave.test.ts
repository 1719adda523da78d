import { ORPCError } from "@orpc/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDraftKeeper } from "./autosave.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A place to save to that answers when it is told to. */
function createSlowPlace() {
  const saved: string[] = [];
  const waiting: PromiseWithResolvers<number>[] = [];
  const screen = { text: "" };
  const save = () => {
    saved.push(screen.text);
    const answer = Promise.withResolvers<number>();
    waiting.push(answer);
    return answer.promise;
  };
  return { saved, waiting, screen, save };
}

test("keeps once, after the last change of a burst", async () => {
  const { saved, screen, save, waiting } = createSlowPlace();
  const keeper = createDraftKeeper(save, 5);
  expect(keeper.state.getState()).toEqual({ status: "kept", at: 5 });
  for (const text of ["a", "ab", "abc"]) {
    screen.text = text;
    keeper.touch();
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(saved).toEqual([]);
  expect(keeper.state.getState()).toEqual({ status: "keeping" });
  await vi.advanceTimersByTimeAsync(600);
  waiting[0]?.resolve(42);
  await vi.advanceTimersByTimeAsync(0);
  expect(saved).toEqual(["abc"]);
  expect(keeper.state.getState()).toEqual({ status: "kept", at: 42 });
});

test("never has two saves under way, and the latest state is kept last", async () => {
  const { saved, screen, save, waiting } = createSlowPlace();
  const keeper = createDraftKeeper(save, 0);
  screen.text = "one";
  keeper.touch();
  await vi.advanceTimersByTimeAsync(600);
  screen.text = "two";
  keeper.touch();
  await vi.advanceTimersByTimeAsync(600);
  expect(saved).toEqual(["one"]);
  waiting[0]?.resolve(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(saved).toEqual(["one", "two"]);
  expect(keeper.state.getState()).toEqual({ status: "keeping" });
  waiting[1]?.resolve(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(keeper.state.getState()).toEqual({ status: "kept", at: 2 });
});

test("says that it failed, and keeps everything when it is asked again", async () => {
  const { saved, screen, save, waiting } = createSlowPlace();
  const keeper = createDraftKeeper(save, 0);
  screen.text = "text";
  keeper.touch();
  const failed = keeper.flush();
  waiting[0]?.reject(new Error("down"));
  await failed;
  expect(keeper.state.getState()).toMatchObject({ status: "failed" });
  const again = keeper.flush();
  waiting[1]?.resolve(9);
  await again;
  expect(saved).toEqual(["text", "text"]);
  expect(keeper.state.getState()).toEqual({ status: "kept", at: 9 });
});

test("in a conflict nothing is saved until the user has decided for what is on screen", async () => {
  const { saved, screen, save, waiting } = createSlowPlace();
  const keeper = createDraftKeeper(save, 0);
  screen.text = "mine";
  keeper.touch();
  const refused = keeper.flush();
  waiting[0]?.reject(new ORPCError("CONFLICT"));
  await refused;
  screen.text = "mine, and more";
  keeper.touch();
  await keeper.flush();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keeper.state.getState()).toEqual({ status: "conflict" });
  expect(saved).toEqual(["mine"]);
  const overwritten = keeper.overwrite();
  waiting[1]?.resolve(9);
  await overwritten;
  expect(saved).toEqual(["mine", "mine, and more"]);
  expect(keeper.state.getState()).toEqual({ status: "kept", at: 9 });
});

test("in a conflict that ends with the other version, there is nothing left to keep", async () => {
  const { saved, save, waiting } = createSlowPlace();
  const keeper = createDraftKeeper(save, 0);
  keeper.touch();
  const refused = keeper.flush();
  waiting[0]?.reject(new ORPCError("CONFLICT"));
  await refused;
  keeper.settle(7);
  await keeper.flush();
  expect(saved).toHaveLength(1);
  expect(keeper.state.getState()).toEqual({ status: "kept", at: 7 });
});

test("flush saves nothing where nothing has changed", async () => {
  const { saved, save } = createSlowPlace();
  await createDraftKeeper(save, 0).flush();
  expect(saved).toEqual([]);
});

test("stop forgets what was not kept", async () => {
  const { saved, save } = createSlowPlace();
  const keeper = createDraftKeeper(save, 0);
  keeper.touch();
  keeper.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(saved).toEqual([]);
});
