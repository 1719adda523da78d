import { expect, test } from "vitest";
import { describeModels } from "./model-name.ts";

test("a batch of several models names the first", () => {
  expect(describeModels([])).toBe("");
  expect(describeModels(["deepseek-ai/DeepSeek-R1", "a", "b"])).toBe("DeepSeek R1 and 2 more");
});
