/** Answers as services send them, whose forms differ from the API's own; each has the text `Four.` or a call of `look`. */

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
const head = { id: "a1", object: "chat.completion", created: 1_793_900_000, model: "m" };
const message = { role: "assistant", content: "Four." };

const answer = (choice: object, more: object = {}) => ({
  ...head,
  choices: [{ index: 0, message, finish_reason: "stop", ...choice }],
  usage,
  ...more,
});

const token = (logprob: number) => ({ token: "Four", logprob, bytes: [70] });

/** What a body is written as: Python's JSON has infinite numbers. */
export const writeBody = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (part === Number.NEGATIVE_INFINITY ? "%-Infinity%" : part)).replaceAll(
    /"%(.*?)%"/g,
    "$1",
  );

export const answersInText: Readonly<Record<string, object>> = {
  "Mistral, SGLang: tool_calls null": answer({ message: { ...message, tool_calls: null, prefix: false } }),
  "SGLang: nulls and matched_stop": answer({
    message: { ...message, reasoning_content: null, tool_calls: null },
    logprobs: null,
    matched_stop: 151_645,
  }),
  "vLLM: empty lists, nulls and members of its own": answer(
    {
      message: { ...message, refusal: null, annotations: null, audio: null, function_call: null, tool_calls: [] },
      stop_reason: null,
      token_ids: null,
    },
    { prompt_logprobs: null, kv_transfer_params: null, service_tier: null },
  ),
  "vLLM: reasoning": answer({ message: { ...message, reasoning: "2 + 2", reasoning_content: "2 + 2" } }),
  "llama.cpp: timings, and a created with decimals": answer({}, { created: 1_793_900_000.5, timings: { prompt_n: 9 } }),
  "LM Studio: stats": answer({ logprobs: null }, { stats: {}, system_fingerprint: "qwen" }),
  "OpenRouter: native reasons, reasoning details": answer(
    {
      native_finish_reason: "STOP",
      message: {
        ...message,
        refusal: null,
        reasoning: "2 + 2",
        reasoning_details: [{ type: "reasoning.text", text: "2 + 2" }],
      },
    },
    { provider: "x", error: null },
  ),
  "Mistral: parts with reasoning": answer({
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "2 + 2" }] },
        { type: "text", text: "Four." },
      ],
      tool_calls: null,
    },
  }),
  "a role that is null": answer({ message: { role: null, content: "Four." } }),
  "a finish reason of its own": answer({ finish_reason: "eos_token" }),
  "no finish reason": answer({ finish_reason: null }),
  "an id that is a number": answer({}, { id: 17 }),
  "no usage": answer({}, { usage: null }),
  "a usage as text": answer({}, { usage: { prompt_tokens: "9", completion_tokens: "3", total_tokens: "12" } }),
  "only what can't be missing": { choices: [{ message: { content: "Four." } }] },
  "an infinite logprob": answer({
    logprobs: { content: [{ ...token(-0.5), top_logprobs: [token(-0.5), token(Number.NEGATIVE_INFINITY)] }] },
  }),
  "logprobs of an older form": answer({ logprobs: { tokens: ["Four"], token_logprobs: [-0.5] } }),
  "a text in place of a message": answer({ message: undefined, text: "Four." }),
};

const called = (call: object) =>
  answer({ message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" });

export const answersWithCalls: Readonly<Record<string, object>> = {
  "arguments that are an object": called({
    id: "c",
    type: "function",
    function: { name: "look", arguments: { at: 1 } },
  }),
  "a call without id and type": called({ function: { name: "look", arguments: '{"at":1}' } }),
  "a call with nulls": called({ id: null, type: null, index: 0, function: { name: "look", arguments: '{"at":1}' } }),
};

const chunk = (delta: object | null, finish_reason: string | null = null, more: object = {}) => ({
  ...head,
  object: "chat.completion.chunk",
  choices: delta === null ? [] : [{ index: 0, delta, finish_reason, logprobs: null }],
  ...more,
});

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

/** Streams as services send them, each of the text `Four.` and with a usage. */
export const streams: Readonly<Record<string, string>> = {
  "SGLang: nulls in each chunk": [
    chunk({ role: "assistant", content: "", reasoning_content: null, tool_calls: null }, null, { usage: null }),
    chunk({ role: null, content: null, reasoning_content: "2 + 2", tool_calls: null }, null, { usage: null }),
    chunk({ role: null, content: "Fo", reasoning_content: null, tool_calls: null }, null, { usage: null }),
    chunk({ role: null, content: "ur.", reasoning_content: null, tool_calls: null }, "stop", { usage: null }),
    chunk(null, null, { usage }),
  ]
    .map(event)
    .join("")
    .concat("data: [DONE]\n\n"),
  "a comment first, the usage with the last chunk, no [DONE]": [
    ": OPENROUTER PROCESSING\n\n",
    event(chunk({ role: "assistant", content: "Four" })),
    event(chunk({ content: "." }, "stop", { usage })),
  ].join(""),
  "the end without its empty line": `${event(chunk({ content: "Four." }, "stop", { usage }))}data: [DONE]`,
};

/** Errors that came with success, with half an answer or without; each asks to be told `Out of memory`. */
export const failedAnswers: Readonly<
  Record<string, { readonly body: object; readonly text: string; readonly paid: boolean }>
> = {
  "an error in its place": { body: { error: { message: "Out of memory", code: 429 } }, text: "", paid: false },
  "an error without a code": { body: { error: { message: "Out of memory" } }, text: "", paid: false },
  "an error that is a sentence": { body: { error: "Out of memory" }, text: "", paid: false },
  "an error of another with a usage": {
    body: { error: { message: "Out of memory", code: 401 }, usage },
    text: "",
    paid: true,
  },
  "an error of its choice": {
    body: answer({
      finish_reason: "error",
      message: { role: "assistant", content: "Fo" },
      error: { message: "Out of memory", code: 502 },
    }),
    text: "Fo",
    paid: true,
  },
  "an error of its choice that is finished": {
    body: answer({ message: { role: "assistant", content: "Fo" }, error: { message: "Out of memory" } }),
    text: "Fo",
    paid: true,
  },
  "an error next to the answer": {
    body: answer(
      { message: { role: "assistant", content: "Fo" } },
      { error: { message: "Out of memory", code: "oom" } },
    ),
    text: "Fo",
    paid: true,
  },
};

/** A stream that nobody asked for, with an error in its middle. */
export const failedStream = [
  event(chunk({ role: "assistant", content: "Fo" })),
  event({ error: { message: "Out of memory", code: 503 }, usage }),
].join("");
