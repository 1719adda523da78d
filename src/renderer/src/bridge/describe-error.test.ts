import { ORPCError } from "@orpc/client";
import { expect, test } from "vitest";
import { ConnectionLostError } from "./connection.ts";
import { describeError } from "./describe-error.ts";

test("a refusal of the contract is shown in its own words, with its code in the details", () => {
  const error = new ORPCError("CONFLICT", {
    status: 409,
    data: { message: "The batch has ended already.", code: "batch_not_cancellable" },
  });
  const { message, details } = describeError(error);
  expect(message).toBe("The batch has ended already.");
  expect(details).toContain("CONFLICT (409)");
  expect(details).toContain("batch_not_cancellable");
});

test("a fault of the service gets a general sentence and keeps its internals in the details", () => {
  const { message, details } = describeError(new ORPCError("INTERNAL_SERVER_ERROR"));
  expect(message).toBe("The service could not do this. Try again.");
  expect(details).toContain("INTERNAL_SERVER_ERROR (500)");
});

test("a lost connection says what to do", () => {
  expect(describeError(new ConnectionLostError("The connection is down.")).message).toBe("The connection is down.");
});

test("a call that was cut off says so", () => {
  const error = Object.assign(new Error("Queue[1] was closed"), { name: "AbortError" });
  const { message, details } = describeError(error);
  expect(message).toContain("was lost before it answered");
  expect(details).toBe("AbortError: Queue[1] was closed");
});

test("anything else still has details to copy", () => {
  expect(describeError(new TypeError("x is not a function")).details).toBe("TypeError: x is not a function");
  expect(describeError("odd").details).toBe("odd");
});
