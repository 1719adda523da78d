import { expect, test } from "vitest";
import { textOfMessage } from "./line-conversation.tsx";

test("a message is one text, whether it came in parts or not", () => {
  expect(textOfMessage({ content: "Two plus two?" })).toBe("Two plus two?");
  expect(
    textOfMessage({
      content: [
        { type: "text", text: "Two " },
        { type: "text", text: "plus two?" },
      ],
    }),
  ).toBe("Two plus two?");
  expect(textOfMessage({ content: null })).toBe("");
});
