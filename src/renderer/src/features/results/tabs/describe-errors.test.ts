import { expect, test } from "vitest";
import { adviceOf } from "./describe-errors.ts";

test("a status without a code has the advice of the code that means the same", () => {
  const titles = ["http_401", "http_402", "http_429", "http_422", "http_503"].map((code) => adviceOf(code).title);
  expect(titles).toEqual([
    "The key was refused",
    "The account has no credit left",
    "The service was asked too fast",
    "The service refused the request",
    "The service failed",
  ]);
});
