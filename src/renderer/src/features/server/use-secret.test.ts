import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSecretHolder, shownFor } from "./use-secret.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const value = "sk-sheaf-1234";

test("a value is shown for half a minute, then it is forgotten", async () => {
  const holder = createSecretHolder(
    async () => value,
    () => 5,
  );
  await holder.show();
  expect(holder.state.getState()).toEqual({ status: "shown", value, until: 5 + shownFor });
  vi.advanceTimersByTime(shownFor - 1);
  expect(holder.state.getState().status).toBe("shown");
  vi.advanceTimersByTime(1);
  expect(holder.state.getState()).toEqual({ status: "hidden" });
});

test("it is forgotten at once when it is hidden", async () => {
  const holder = createSecretHolder(async () => value);
  await holder.show();
  holder.hide();
  expect(JSON.stringify(holder.state.getState())).not.toContain(value);
});

test("a value that comes after it was hidden is not taken", async () => {
  const answer = Promise.withResolvers<string>();
  const holder = createSecretHolder(() => answer.promise);
  const shown = holder.show();
  expect(holder.state.getState()).toEqual({ status: "asking" });
  holder.hide();
  answer.resolve(value);
  await shown;
  expect(holder.state.getState()).toEqual({ status: "hidden" });
});

test("one that can't be had says so, and is asked for anew", async () => {
  const error = new Error("locked");
  const read = vi.fn<() => Promise<string>>().mockRejectedValueOnce(error).mockResolvedValueOnce(value);
  const holder = createSecretHolder(read);
  await holder.show();
  expect(holder.state.getState()).toEqual({ status: "failed", error });
  await holder.show();
  expect(holder.state.getState()).toMatchObject({ status: "shown", value });
});
