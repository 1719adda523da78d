import { expect, test } from "vitest";
import { readBill } from "./read-bill.ts";

const none = { cacheWriteTokens: 0, cacheWrite1hTokens: 0, cost: null, tier: null };

test.each<[string, object, object | undefined]>([
  [
    "the usual tiers have no bill",
    { service_tier: "default", usage: { prompt_tokens: 3, service_tier: "flex" } },
    undefined,
  ],
  ["a batch is no tier", { usage: { service_tier: "batch", inference_geo: "global", speed: "standard" } }, undefined],
  ["another tier", { service_tier: "Priority" }, { ...none, tier: "priority" }],
  ["a place with another price", { usage: { inference_geo: "us" } }, { ...none, tier: "us" }],
  ["a faster answer", { usage: { speed: "fast" } }, { ...none, tier: "fast" }],
  ["searches", { usage: { server_tool_use: { web_search_requests: 2 } } }, { ...none, tier: "web search" }],
  ["sound", { usage: { completion_tokens_details: { audio_tokens: 2 } } }, { ...none, tier: "audio" }],
  [
    "OpenRouter",
    { usage: { cost: 0.0125, prompt_tokens_details: { cache_write_tokens: 70 } } },
    { ...none, cacheWriteTokens: 70, cost: 0.0125 },
  ],
  ["a cost of nothing", { usage: { cost: 0 } }, { ...none, cost: 0 }],
  ["a cost in parts", { usage: { cost: { input_tokens_cost: 1, total_cost: 1.5 } } }, { ...none, cost: 1.5 }],
  [
    "a key of the user's own",
    { usage: { cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } } },
    { ...none, cost: 0.75 },
  ],
  ["the same without the other's cost", { usage: { cost: 0.01, is_byok: true } }, undefined],
  ["no amount", { usage: { cost: -1 } }, undefined],
  [
    "Anthropic's own words",
    { usage: { cache_creation_input_tokens: 9, cache_creation: { ephemeral_1h_input_tokens: 4 } } },
    { ...none, cacheWriteTokens: 9, cacheWrite1hTokens: 4 },
  ],
  ["LiteLLM's", { usage: { prompt_tokens_details: { cache_creation_tokens: 8 } } }, { ...none, cacheWriteTokens: 8 }],
])("of an answer is read what its price depends on: %s", (_, body, expected) => {
  expect(readBill(body as Record<string, unknown>)).toEqual(expected);
});
