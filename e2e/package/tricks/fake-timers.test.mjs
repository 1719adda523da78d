// Fake timers of vitest, installed between the import and the first use.
import { test } from "sheaf/vitest";
import { afterAll, expect, vi } from "vitest";
import { asExpected, tryOut } from "./try-out.mjs";

vi.useFakeTimers();
afterAll(() => void vi.useRealTimers());

test("a server starts and answers under fake timers", async ({ sheaf }) => {
  expect(await tryOut(sheaf)).toEqual(asExpected);
});
