import { expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";

it("reads text in parts, and counts that are text", () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "Four." },
  ];
  const usage = { prompt_tokens: "1000", completion_tokens: "-5", total_tokens: "995" };
  expect(readAnswer({ choices: [{ message: { content }, finish_reason: "stop" }], usage })).toMatchObject({
    answer: "Four.",
    promptTokens: 1_000,
    completionTokens: null,
  });
  expect(readAnswer({ choices: [{ message: { content: null }, finish_reason: "length" }] }).answer).toBe("");
});

it("reads what is no text: calls, a refusal and other choices", () => {
  const call = { id: "1", type: "function", function: { name: "f", arguments: { city: "Oslo" } } };
  const custom = { id: "2", type: "custom", custom: { name: "run", input: "ls" } };
  const read = (...messages: object[]) => readAnswer({ choices: messages.map((message) => ({ message })) });
  expect(read({ content: null, tool_calls: [call, custom] })).toMatchObject({
    answer: 'f({"city":"Oslo"})\nrun(ls)',
    calls: [
      { name: "f", input: '{"city":"Oslo"}' },
      { name: "run", input: "ls" },
    ],
  });
  expect(read({ content: null, refusal: "No." }, { content: "Yes." })).toMatchObject({
    answer: "No.",
    end: "refused",
    otherChoices: ["Yes."],
  });
  expect(read({ content: "Text.", refusal: "" })).toMatchObject({ answer: "Text.", calls: [], otherChoices: [] });
  const output = [
    { type: "message", content: [{ type: "refusal", refusal: "No." }] },
    { type: "function_call", name: "f", arguments: "{}" },
    { type: "custom_tool_call", name: "run", input: "ls" },
  ];
  expect(readAnswer({ object: "response", status: "completed", output })).toMatchObject({
    answer: "No.",
    calls: [
      { name: "f", input: "{}" },
      { name: "run", input: "ls" },
    ],
  });
});

it("how an answer ended is told by its service's word, and by what there is of it", () => {
  const endOf = (message: object, reason: string | null) =>
    readAnswer({ choices: [{ message, finish_reason: reason }] }).end;
  const call = { type: "function", id: "1", function: { name: "f", arguments: "{}" } };
  const text = { content: "Four." };
  const cases: [string, object, string | null][] = [
    ["complete", text, "stop"],
    ["complete", text, "end_turn"],
    ["complete", { content: null, audio: { id: "a" } }, "stop"],
    ["complete", { content: "", images: [{ image_url: { url: "https://a/b.png" } }] }, "stop"],
    ["calls", { content: null, tool_calls: [call] }, "stop"],
    ["calls", { content: null, function_call: call.function }, "function_call"],
    ["calls", text, "tool_calls"],
    ["empty", { content: null, tool_calls: [] }, "tool_calls"],
    ["empty", { content: " \n" }, "stop"],
    ["empty", { content: "", reasoning_content: "hm" }, "stop"],
    ["empty", {}, null],
    ["cut", text, "length"],
    ["cut", text, "model_length"],
    ["cut", { content: "" }, "MAX_TOKENS"],
    ["refused", { content: null }, "SAFETY"],
    ["refused", { content: null, refusal: "No." }, "stop"],
    ["refused", text, "content_filter"],
    ["other", text, "abort"],
    ["other", text, "pause_turn"],
    ["other", text, null],
  ];
  for (const [end, message, reason] of cases)
    expect([message, reason, endOf(message, reason)]).toEqual([message, reason, end]);

  const response = (status: string, content: object[], reason?: string) =>
    readAnswer({ object: "response", status, output: [{ content }], incomplete_details: reason && { reason } }).end;
  const part = { type: "output_text", text: "Four." };
  expect(response("completed", [part])).toBe("complete");
  expect(response("completed", [])).toBe("empty");
  expect(response("completed", [{ type: "refusal", refusal: "No." }])).toBe("refused");
  expect(response("incomplete", [part], "max_output_tokens")).toBe("cut");
  expect(readAnswer({ data: [{ embedding: [1] }] }).end).toBe("complete");
});
