import { expect, it } from "vitest";
import { afterRejection, describeRejection, nameError } from "./main-errors.ts";

it("shows the first error of a run that nothing waited for, notes some more, and then none", () => {
  const decisions = Array.from({ length: 12 }, (_, before) => afterRejection(before));
  expect(decisions).toEqual(["tell", ...Array(9).fill("note"), "ignore", "ignore"]);
});

it("names the kind of an error, and nothing that anybody has written into it", () => {
  class KeyError extends Error {
    override readonly name = "KeyError";
  }
  const forged = Object.assign(new Error("x"), { name: "sk-123 of ada" });
  expect([new TypeError("sk-123"), new KeyError(), forged, "sk-123", null].map(nameError)).toEqual([
    "TypeError",
    "KeyError",
    "Error",
    "Error",
    "Error",
  ]);
});

it("says where it was, where that is known", () => {
  expect(describeRejection("TypeError", "readRows index.js:10:5").detail).toContain(
    "TypeError in readRows index.js:10:5. Sheaf goes on",
  );
  expect(describeRejection("Error", undefined).detail).toContain("Sheaf did not handle an error: Error. Sheaf goes on");
});
