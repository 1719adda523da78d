import { expect, test } from "vitest";
import { countClaims, type Verification } from "#contract";
import { createVerifyRun } from "./verify-run.ts";

const verification: Verification = {
  id: "verification_1",
  at: 1,
  choice: { judge: "rules", model: null, preset: "general" },
  strict: false,
  isEarlier: false,
  document: null,
  milliseconds: 1,
  result: {
    prompt: "",
    response: "",
    is_hallucination: false,
    explanation: "Nothing could be checked: the response is empty.",
    claims: [],
    counts: countClaims([]),
    search_results: [],
    usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
  },
};

test("a run is under way until it answers", async () => {
  const run = createVerifyRun(() => 7);
  const answer = Promise.withResolvers<Verification>();
  const ended = run.start(() => answer.promise);
  expect(run.state.getState()).toEqual({ status: "running", since: 7 });
  answer.resolve(verification);
  expect(await ended).toBe(verification);
  expect(run.state.getState()).toEqual({ status: "idle" });
});

test("a failure is kept until it is forgotten", async () => {
  const run = createVerifyRun();
  const error = new Error("no");
  expect(await run.start(() => Promise.reject(error))).toBeNull();
  expect(run.state.getState()).toEqual({ status: "failed", error });
  run.cancel();
  expect(run.state.getState()).toEqual({ status: "idle" });
});

test("a cancelled run is aborted, and what it answers all the same is passed over", async () => {
  const run = createVerifyRun();
  const answer = Promise.withResolvers<Verification>();
  let signal: AbortSignal | undefined;
  const ended = run.start((given) => {
    signal = given;
    return answer.promise;
  });
  run.cancel();
  expect(signal?.aborted).toBe(true);
  answer.resolve(verification);
  expect(await ended).toBeNull();
  expect(run.state.getState()).toEqual({ status: "idle" });
});

test("a second run takes the place of the first", async () => {
  const run = createVerifyRun();
  const first = run.start(
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const second = run.start(() => Promise.resolve(verification));
  expect(await first).toBeNull();
  expect(await second).toBe(verification);
  expect(run.state.getState()).toEqual({ status: "idle" });
});
