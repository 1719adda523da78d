import { expect, test } from "vitest";
import { chatRequestSchema } from "#contract";
import { fromAnthropic, toAnthropic } from "./translate-anthropic.ts";

const hour = { type: "ephemeral", ttl: "1h" };
const short = { type: "ephemeral" };

test("what is to be cached is passed on to Anthropic wherever its API has a place for it", () => {
  const text = (content: string, control?: object) => ({
    type: "text",
    text: content,
    ...(control && { cache_control: control }),
  });
  const url = "data:image/png ;base64,AAAA";
  const request = chatRequestSchema.parse({
    model: "claude",
    max_tokens: 9,
    cache_control: short,
    messages: [
      { role: "system", content: [text("Long rules.", hour), text("More.")] },
      { role: "system", content: "And these." },
      {
        role: "user",
        content: [text("A document.", short), { type: "image_url", image_url: { url }, cache_control: hour }],
      },
      { role: "assistant", content: "Yes.", cache_control: short },
    ],
    tools: [{ type: "function", function: { name: "find", parameters: { type: "object" } }, cache_control: hour }],
  });
  expect(toAnthropic(request)).toEqual({
    params: {
      model: "claude",
      max_tokens: 9,
      cache_control: short,
      system: [text("Long rules.", hour), text("More."), text("And these.")],
      messages: [
        {
          role: "user",
          content: [
            text("A document.", short),
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" }, cache_control: hour },
          ],
        },
        { role: "assistant", content: [text("Yes.", short)] },
      ],
      tools: [{ name: "find", input_schema: { type: "object" }, cache_control: hour }],
    },
  });
});

test("what Anthropic wrote to its cache, and its tier, are read with the tokens of the prompt", () => {
  const usageOf = (usage: object) => {
    const content = [{ type: "text", text: "Yes." }];
    const { usage: read, service_tier } = fromAnthropic({ content, stop_reason: "end_turn", usage }, 1) ?? {};
    return { read, service_tier };
  };
  const cache_creation = { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 100 };
  const counts = { input_tokens: 2_048, cache_read_input_tokens: 1_800, output_tokens: 503, cache_creation };
  const read = {
    prompt_tokens: 2_048 + 1_800 + 556,
    completion_tokens: 503,
    total_tokens: 2_048 + 1_800 + 556 + 503,
    prompt_tokens_details: { cached_tokens: 1_800, cache_write_tokens: 556, cache_write_1h_tokens: 100 },
  };
  expect(usageOf({ ...counts, cache_creation_input_tokens: 556, service_tier: "batch" })).toEqual({
    read,
    service_tier: "batch",
  });
  expect(usageOf(counts).read).toEqual(read);
});
