import { expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";
import { readCompletion } from "./read-completion.ts";

const read = (message: unknown) => readCompletion({ choices: [{ message }] }).choices[0]?.message;

it("finds reasoning under the names that services use", () => {
  for (const message of [
    { content: "Four.", reasoning_content: "hm" },
    { content: "Four.", reasoning_content: null, reasoning: "hm" },
    { content: "Four.", thinking: "hm" },
    { content: "Four.", reasoning_details: [{ type: "reasoning.text", text: "hm" }] },
    {
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Four." },
      ],
    },
    {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
        { type: "text", text: "Four." },
      ],
    },
  ]) {
    expect(read(message)).toMatchObject({ content: "Four.", reasoning_content: "hm" });
    expect(readAnswer({ choices: [{ message }] })).toMatchObject({ answer: "Four.", reasoning: "hm" });
  }
  expect(read({ content: "Four." })?.reasoning_content).toBeNull();
});

it("finds pictures in parts and next to the text", () => {
  const url = "data:image/png;base64,AA==";
  for (const message of [
    { content: "Here.", images: [{ type: "image_url", image_url: { url } }] },
    {
      content: [
        { type: "text", text: "Here." },
        { type: "image_url", image_url: url },
      ],
    },
    {
      content: [
        { type: "text", text: "Here." },
        { type: "image", source: { media_type: "image/png", data: "AA==" } },
      ],
    },
  ]) {
    expect(read(message)).toMatchObject({ content: "Here.", pictures: [url] });
  }
});

it("reads a content of any kind, and counts that make sense alone", () => {
  expect(read({ content: { score: 4 } })?.content).toBe('{"score":4}');
  expect(read({ content: 4 })?.content).toBe("4");
  expect(read(null)?.content).toBeNull();
  const usageOf = (usage: unknown) => readCompletion({ choices: [], usage }).usage;
  expect(usageOf({ prompt_tokens: "9", completion_tokens: 2.6 })).toMatchObject({
    prompt_tokens: 9,
    completion_tokens: 3,
  });
  expect(usageOf({ input_tokens: 9, output_tokens: 3 })).toMatchObject({ total_tokens: 12 });
  expect(usageOf({ prompt_tokens: 9, total_tokens: 12 })).toMatchObject({ completion_tokens: 3 });
  for (const usage of [
    null,
    {},
    { prompt_tokens: 9 },
    { prompt_tokens: -1, completion_tokens: 3 },
    { prompt_tokens: 1e18, completion_tokens: 1 },
  ])
    expect(usageOf(usage)).toBeNull();
});
