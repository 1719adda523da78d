import { expect, test } from "vitest";
import { samplePictures } from "../testing/sample-pictures.ts";
import { countLineTokens, createTokenSample } from "./token-sample.ts";

function lineOf(model: string, padding: number, text = "What is it?"): string {
  // Bytes behind a picture change no size.
  const data = Buffer.concat([samplePictures.png, Buffer.alloc(padding)]).toString("base64");
  const content = [
    { type: "text", text },
    { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
  ];
  return JSON.stringify({ custom_id: "a", body: { model, messages: [{ role: "user", content }] } });
}

test("a picture of many bytes counts by its size, in a line that is too long to be counted whole", () => {
  for (const model of ["gpt-4o", "claude-haiku-4-5"]) {
    const [small, large] = [lineOf(model, 0), lineOf(model, 3_000_000)];
    const sample = createTokenSample(2);
    for (const line of [small, large]) sample.add(line, line.length + 1);
    const tokens = countLineTokens(small) ?? 0;
    expect(tokens).toBeLessThan(300);
    expect(sample.estimate()).toBe(2 * tokens);
    expect(sample.groups()).toEqual([{ lines: 2, promptTokens: 2 * tokens, model }]);
    expect(sample.isExact()).toBe(true);
  }
});

test("a line whose text is long is estimated from its bytes, whatever pictures it has", () => {
  const sample = createTokenSample(1);
  const line = lineOf("gpt-4o", 0, "word ".repeat(60_000));
  sample.add(line, line.length);
  expect(sample.isExact()).toBe(false);
  expect(sample.estimate()).toBe(Math.round(line.length * 0.25));
});
