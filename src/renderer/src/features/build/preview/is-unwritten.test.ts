import { expect, test } from "vitest";
import { isUnwritten } from "./is-unwritten.ts";

test("a draft whose only problem is that it has no prompt is unwritten", () => {
  expect(isUnwritten([{ code: "no_prompt", line: null }])).toBe(true);
});

test.each([
  [[]],
  [[{ code: "no_prompt", line: 3 } as const]],
  [[{ code: "no_prompt", line: null } as const, { code: "template_error", line: null } as const]],
])("anything else is not (%#)", (problems) => {
  expect(isUnwritten(problems)).toBe(false);
});
