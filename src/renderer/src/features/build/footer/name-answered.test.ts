import { expect, test } from "vitest";
import { nameAnswered } from "./name-answered.ts";

test("what can be reused has another name when a batch ends, changes or goes, and at no other time", () => {
  const ended = { id: "a", status: "completed", counts: { completed: 5 } } as const;
  const running = { ...ended, id: "b", status: "in_progress" } as const;
  const before = nameAnswered([running, ended]);
  expect(nameAnswered([{ ...running, counts: { completed: 9 } }, ended])).toBe(before);
  const others = [
    nameAnswered([{ ...running, status: "completed" }, ended]),
    nameAnswered([running, { ...ended, counts: { completed: 6 } }]),
    nameAnswered([running]),
  ];
  expect(new Set([before, ...others]).size).toBe(4);
});
