import { expect, test } from "vitest";
import { shortModelName } from "./model-name.ts";

test.each([
  ["klusterai/Meta-Llama-3.3-70B-Instruct-Turbo", "Llama 3.3 70B"],
  ["klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", "Llama 3.1 8B"],
  ["deepseek-ai/DeepSeek-R1", "DeepSeek R1"],
  ["my-model", "my model"],
  ["instruct", "instruct"],
])("%s is called %s", (id, name) => expect(shortModelName(id)).toBe(name));
