import { expect, it } from "vitest";
import { isDoneWithin } from "./within.ts";

it("says that work was done in time", async () => {
  expect(await isDoneWithin(60_000, Promise.resolve())).toBe(true);
});

it("does not wait for work that takes longer than the limit", async () => {
  expect(await isDoneWithin(1, new Promise(() => {}))).toBe(false);
});

it("passes the work's failure on", async () => {
  await expect(isDoneWithin(60_000, Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
});
