import { expect, test, vi } from "vitest";
import { step } from "./print.mjs";

const ending = { code: 1, signal: null, output: "npm error", problem: null, timedOut: false, interrupted: false };

test.each([
  [{}, /failed after/, "\nnpm error\n\nCheck the network."],
  [{ interrupted: true }, /interrupted after/, "Run the command again: it does this step anew."],
  [{ code: null, signal: "SIGINT" as const }, /interrupted after/, "Run the command again: it does this step anew."],
])("a step that ends with %o says what happened and what to do", async (change, line, message) => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await expect(
    step("Installing packages", "Check the network.", async () => ({ ...ending, ...change })),
  ).rejects.toThrow(new RegExp(`^${message}$`));
  const lines = written.mock.calls.join("");
  written.mockRestore();
  expect(lines).toMatch(line);
});
