import { fail } from "./kinds.ts";
import { always, type Outcome, seconds, type Table, times, wait, writeDuration } from "./line-behaviour.ts";
import { geminiLines } from "./vendor-lines.ts";

/** OpenAI's words: openai/openai-node issue 1108, daveshap/Medical_Intake 9, BuilderIO/micro-agent 86, Aider 3265 (Groq). */
const limited = (left: number): string =>
  `Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in ${writeDuration(left)}. Visit https://platform.openai.com/account/rate-limits to learn more.`;
const tooLarge =
  "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45411. The input or output tokens must be reduced in order to run successfully. Visit https://platform.openai.com/account/rate-limits to learn more.";
const tokensCode = { type: "tokens", code: "rate_limit_exceeded" };
/** What servers do that speak OpenAI's language. */
export const openaiLines: Table = {
  // Azure sends both (simonkurtz-MSFT/python-openai-loadbalancer issue 14).
  "wait: retry-after-ms": wait("openai", 1_500, (left) => ({
    headers: { "retry-after-ms": String(left), "retry-after": seconds(left) },
  })),
  "wait: retry-after-ms alone": wait("openai", 1_500, (left) => ({ headers: { "retry-after-ms": String(left) } })),
  // https://platform.openai.com/docs/guides/rate-limits, console.groq.com/docs/rate-limits
  "wait: x-ratelimit-reset-requests": wait("openai", 6_000, (left) => ({
    headers: {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": writeDuration(left),
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "6ms",
    },
  })),
  "wait: x-ratelimit-reset-tokens": wait("openai", 62_500, (left) => ({
    headers: {
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": writeDuration(left),
    },
  })),
  "wait: try again in 6s": wait("openai", 6_000, (left) => ({ message: limited(left), details: tokensCode })),
  "wait: try again in 644ms": wait("openai", 644, (left) => ({ message: limited(left), details: tokensCode })),
  "wait: try again in 1m2.5s": wait("openai", 62_500, (left) => ({ message: limited(left), details: tokensCode })),
  "wait: retry after 33 seconds": wait("openai", 33_000, (left) => ({
    message: `Requests to the ChatCompletions_Create Operation have exceeded token rate limit. Please retry after ${seconds(left)} seconds.`,
    details: { code: "429" },
  })),
  // Gemini's own error through its address for OpenAI clients: google-gemini/gemini-cli issues 6454 and 14831.
  "wait: RetryInfo in a list": {
    isDirect: true,
    answer: (ask) => {
      const outcome = geminiLines["wait: RetryInfo"]?.answer(ask);
      return typeof outcome === "object" && "body" in outcome ? { ...outcome, body: [outcome.body] } : {};
    },
  },
  "429: Requested above Limit": always(fail("openai", 429, tooLarge, tokensCode)),
  // cottongeeks/podscript issue 20: Groq answers 413.
  "413: Requested above Limit": always(
    fail(
      "openai",
      413,
      "Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 10338, please reduce your message size and try again.",
      tokensCode,
    ),
  ),
  "429: Requested above Limit, in the body": always(
    fail("openai", 429, "Request too large.", { ...tokensCode, limit: 30_000, requested: 45_411 }),
  ),
  "429: Requested below Limit, three times": times(3, () => fail("openai", 429, limited(644), tokensCode)),
  "429: no credit": always(
    fail("openai", 429, "You exceeded your current quota, please check your plan and billing details.", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
  ),
  "loading for 20 seconds": {
    isDirect: true,
    // llama.cpp: tools/server/README.md, `/health`.
    answer: ({ elapsed }): Outcome =>
      elapsed < 20_000
        ? { status: 503, body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } }, waits: 0 }
        : {},
  },
  // netease-youdao/QAnything issue 555
  "model not found: Ollama": {
    answer: ({ model }) =>
      fail("openai", 404, `model "${model}" not found, try pulling it first`, { type: "api_error" }),
  },
  "model not found: OpenAI": {
    answer: ({ model }) =>
      fail("openai", 404, `The model \`${model}\` does not exist or you do not have access to it.`, {
        code: "model_not_found",
      }),
  },
  // vLLM's ErrorResponse before and since it has an `error` member.
  "model not found: vLLM": {
    answer: ({ model }) =>
      fail("openai", 404, `The model \`${model}\` does not exist.`, {
        type: "NotFoundError",
        param: "model",
        code: 404,
      }),
  },
  "model not found: vLLM, flat": {
    answer: ({ model }) => ({
      status: 404,
      body: { object: "error", message: `The model \`${model}\` does not exist.`, type: "NotFoundError", code: 404 },
    }),
  },
  "error in a list": always({ status: 400, body: [fail("gemini", 400, "Invalid value at 'messages'.").body] }),
  // https://fastapi.tiangolo.com/tutorial/handling-errors/
  "FastAPI: detail as text": always({ status: 400, body: { detail: "Prompt is longer than this server allows." } }),
  "FastAPI: detail as a list": always({
    status: 422,
    body: { detail: [{ type: "missing", loc: ["body", "messages"], msg: "Field required", input: {} }] },
  }),
  // openai/openai-dotnet issue 55, compl-ai issue 20
  "Azure: innererror": always(
    fail(
      "openai",
      400,
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry. To learn more about our content filtering policies please read our documentation: https://go.microsoft.com/fwlink/?linkid=2198766",
      {
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: {
          code: "ResponsibleAIPolicyViolation",
          content_filter_result: {
            hate: { filtered: false, severity: "safe" },
            jailbreak: { filtered: false, detected: false },
            self_harm: { filtered: false, severity: "safe" },
            sexual: { filtered: false, severity: "safe" },
            violence: { filtered: true, severity: "medium" },
          },
        },
      },
    ),
  ),
  "type: null": always(fail("openai", 400, "Unsupported value for temperature.", { type: null })),
  "error as text": always({ status: 400, body: { error: "Only one system message is allowed." } }),
  "message alone": always({ status: 400, body: { message: "Invalid request: temperature is above 1." } }),
  "a page": always({
    status: 502,
    headers: { "content-type": "text/html" },
    body: "<html><h1>502 Bad Gateway</h1></html>",
  }),
  "no body": always({ status: 400, body: "" }),
  // oobabooga/textgen issue 7257: the status on the wire is 200.
  "200 with an error": always({
    status: 200,
    body: {
      error: {
        code: 400,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14_429,
        n_ctx: 8_192,
      },
    },
  }),
  "no content": always({ text: null }),
  refusal: always({ text: null, message: { refusal: "I can't help with that." } }),
  "finish: tool_calls": always({
    finish: "tool_calls",
    text: null,
    message: {
      tool_calls: [{ id: "call_1", type: "function", function: { name: "look_up", arguments: '{"word":"sheaf"}' } }],
    },
  }),
  "finish: missing": always({ choice: { finish_reason: undefined } }),
  "finish: null": always({ finish: null }),
};
/*
 * `stop` to `function_call` and `eos` are in the vendors' clients. `abort` is vLLM's, `model_length` and `error` are
 * Mistral's, `insufficient_system_resource` DeepSeek's, `load` Ollama's; Gemini's own words come through proxies
 * (lbjlaq/Antigravity-Manager issue 1559).
 */
for (const word of [
  ...["stop", "length", "content_filter", "function_call", "eos", "abort", "model_length", "error"],
  ...["insufficient_system_resource", "load", "end_turn", "max_tokens", "MALFORMED_FUNCTION_CALL", "cancelled", ""],
])
  openaiLines[`finish: ${word === "" ? "empty text" : word}`] = always({ finish: word });
