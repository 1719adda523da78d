import { expect, test } from "vitest";
import { composeWithOffsets, foldText, readAnswerText } from "./answer-text.ts";

test.each<[answer: string, text: string]>([
  ["The answer is 9.", "The answer is 9."],
  ["<think>7? No.</think>The answer is 9", "The answer is 9"],
  ["\n<thinking>\nA?\n</thinking>\n\nB", "B"],
  ["<Reasoning>a</Reasoning> b", "b"],
  ["<think></think><think>a</think>b", "b"],
  ["<think>a <think>b</think> c</think>d", "d"],
  ["Let me see: no.</think>\nYes", "Yes"],
  ['<think>It ends with "</think>" as always.</think>Yes', "Yes"],
  ['<think>It says "no"</think>"Yes"', '"Yes"'],
  ["A thought ends with `</think>`, which is a tag.", "A thought ends with `</think>`, which is a tag."],
  ["Write <think>a</think> first.", "Write <think>a</think> first."],
  ["<think>a</think>Write <think>a</think> first.", "Write <think>a</think> first."],
  ["<thinking>a</think>b</thinking>c", "c"],
  ["<thoughtful> b", "<thoughtful> b"],
  ['{"note":"It ends with </think> as always."}', '{"note":"It ends with </think> as always."}'],
  ['{"note":1}</think>{"note":2}', '{"note":2}'],
])("reasoning is taken off %j", (answer, text) => {
  const read = readAnswerText(answer);
  expect(read).toMatchObject({ text, isReasoningOnly: false });
  expect(answer.slice(read.start)).toBe(text);
});

test.each(["<think>It is 7", "<think>7</think>\n", "\ufeff<reasoning>7</reasoning>", "7?</think> "])(
  "%j is reasoning only",
  (answer) => {
    expect(readAnswerText(answer)).toEqual({ text: "", start: answer.length, isReasoningOnly: true });
  },
);

test("an empty answer has no reasoning", () => {
  expect(readAnswerText("")).toEqual({ text: "", start: 0, isReasoningOnly: false });
});

test("many tags are read in time that grows with their number", () => {
  for (const part of ["<think>", "</think>", "<think></think>", "<think>a</thinking>"]) {
    const answer = part.repeat(50_000);
    expect(readAnswerText(answer)).toEqual({ text: "", start: answer.length, isReasoningOnly: true });
  }
  const quoted = '"</think>"'.repeat(50_000);
  expect(readAnswerText(quoted)).toEqual({ text: quoted, start: 0, isReasoningOnly: false });
});

test("texts are folded to what people see, and values stay", () => {
  expect(foldText("5\u202f000\u00a0km\u3000far\u2009off")).toBe("5 000 km far off");
  expect(foldText("ca\u0301fe\u200b so\u00adft \u2067x\u2069")).toBe("cáfe soft x");
  expect(foldText("“It’s” «so» ‚a‘\r\nb\u2028c")).toBe('"It\'s" "so" \'a\'\nb\nc');
  expect(foldText("10² ½ ① ﬁ Ａ")).toBe("10² ½ ① ﬁ Ａ");
});

test.each([
  "plain",
  "cafe\u0301 is cafe\u0301.",
  "a\u200bb\u00ad\ufeffc 5 \u212b",
  "각 \u1112\u1161\u11ab",
  "e\u0323\u0302 o\u0302",
  "\u0301x",
])("places in the composed %j point into the original", (original) => {
  const { text, toOriginal } = composeWithOffsets(original);
  expect(text).toBe(original.normalize("NFC").replaceAll(/[\u200b\u00ad\ufeff]/g, ""));
  expect([toOriginal(0), toOriginal(text.length)]).toEqual([0, original.length]);
  for (const word of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const found = original.slice(toOriginal(word.index), toOriginal(word.index + word[0].length));
    expect(found.normalize("NFC").replaceAll(/[\u200b\u00ad\ufeff]/g, "")).toBe(word[0]);
  }
});
