import { expect, test } from "vitest";
import { systemTextOf, toPrompt, toVerifyInput } from "./line-texts.ts";

const user = { role: "user", content: "What is 2 + 2?" } as const;
const system = { role: "system", content: "Answer with a number." } as const;

test("a single user message is the prompt as it is", () => {
  expect(toPrompt([user])).toBe("What is 2 + 2?");
  const parts = [{ type: "text", text: "What is " } as const, { type: "text", text: "2 + 2?" } as const];
  expect(toPrompt([{ role: "user", content: parts }])).toBe("What is 2 + 2?");
});

test("several messages stand under the names of their roles", () => {
  const assistant = { role: "assistant", content: "4" } as const;
  expect(toPrompt([system, user, assistant, { role: "user", content: "And 3 + 3?" }])).toBe(
    "System: Answer with a number.\n\nUser: What is 2 + 2?\n\nAssistant: 4\n\nUser: And 3 + 3?",
  );
});

test("the system message alone can be the document", () => {
  expect(systemTextOf([system, user])).toBe("Answer with a number.");
  expect(systemTextOf([user])).toBeNull();
  const detail = { messages: [system, user], state: "answered" as const, answer: "4" };
  const choice = { document: { from: "system_message" }, strict: true, cell: null } as const;
  expect(toVerifyInput(detail, choice)).toEqual({
    prompt: "What is 2 + 2?",
    response: "4",
    document: "Answer with a number.",
    strict: true,
  });
});
