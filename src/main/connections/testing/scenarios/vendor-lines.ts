import { fail } from "./kinds.ts";
import { always, seconds, type Table, times, wait } from "./line-behaviour.ts";

const toolUse = { type: "tool_use", id: "toolu_1", name: "look_up", input: { word: "sheaf" } };
/** What Anthropic does. */
export const anthropicLines: Table = {
  // The message as in FoundationAgents/OpenManus issue 746, the headers as in https://platform.claude.com/docs/en/api/rate-limits
  "wait: anthropic-ratelimit-requests-reset": wait("anthropic", 6_000, (left, now) => ({
    message: "This request would exceed the rate limit for your organization of 50 requests per minute.",
    headers: {
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": new Date(now + left).toISOString(),
      "retry-after": seconds(left),
    },
  })),
  "529 overloaded, three times": times(3, () => ({
    status: 529,
    body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_1" },
  })),
  "model not found": { answer: ({ model }) => fail("anthropic", 404, `model: ${model}`) },
  "400: no credit": always(
    fail("anthropic", 400, "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."),
  ),
  "finish: tool_use": always({ finish: "tool_use", message: { content: [toolUse] } }),
  "finish: refusal": always({
    finish: "refusal",
    message: { stop_details: { type: "refusal", category: "cyber", explanation: "It could enable cyber harm." } },
  }),
  "finish: null": always({ finish: null }),
};
// All of `StopReason` in @anthropic-ai/sdk, and a word that isn't there.
for (const word of [
  ...["end_turn", "max_tokens", "stop_sequence", "pause_turn", "model_context_window_exceeded", "compaction"],
])
  anthropicLines[`finish: ${word}`] = always({ finish: word });

/** What Gemini does. */
export const geminiLines: Table = {
  // googleapis/python-genai issue 1875, dcdpr/jp pull request 1061
  "wait: RetryInfo": wait("gemini", 45_838, (left) => ({
    message: `You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. Please retry in ${left / 1_000}s.`,
    details: {
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [{ quotaId: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier", quotaValue: "10" }],
        },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${left / 1_000}s` },
      ],
    },
  })),
  "model not found": {
    answer: ({ model }) =>
      fail(
        "gemini",
        404,
        `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      ),
  },
  "tool call": always({
    text: null,
    message: { content: { role: "model", parts: [{ functionCall: { name: "look_up", args: { word: "sheaf" } } }] } },
  }),
  "prompt blocked": always({
    choice: { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, candidates: undefined },
  }),
  // googleapis/python-aiplatform issue 4472
  "finish: MALFORMED_FUNCTION_CALL": always({
    finish: "MALFORMED_FUNCTION_CALL",
    text: null,
    message: { finishMessage: "Malformed function call: print(157.3 * 1.04)" },
  }),
  "finish: null": always({ finish: null }),
};
// All of `FinishReason` in @google/genai, and a word that isn't there.
for (const word of [
  ...["STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED", "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST"],
  ...["PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "NO_IMAGE"],
  ...["IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "IMAGE_OTHER", "CONTINUATION", "MODEL_ARMOR"],
])
  geminiLines[`finish: ${word}`] = always({ finish: word });
