import type { ChatRequest, CompletionRequest, FinishReason, TextCompletion, TokenLists, TokenLogprob } from "#contract";
import type { ReadUsage } from "#main/answers";
import {
  isSet,
  listUnknown,
  pickSet,
  type StreamEvent,
  type TranslationProblem,
  type Translator,
} from "./translation.ts";

/** Parameters that mean the same to a chat completion. */
const sameMeaning = [
  "model",
  "frequency_penalty",
  "logit_bias",
  "n",
  "presence_penalty",
  "seed",
  "stop",
  "stream",
  "stream_options",
  "temperature",
  "top_p",
  "user",
] as const;
export const completionFields = new Set<string>([
  ...sameMeaning,
  "prompt",
  "best_of",
  "echo",
  "logprobs",
  "max_tokens",
  "suffix",
]);

/** What the compatible API writes where no `max_tokens` is given. */
const defaultTokens = 16;

/** `/v1/completions`: each prompt is the message of a user. */
export const completionsTranslator: Translator<CompletionRequest> = {
  toChat(request) {
    const problems = findProblems(request);
    if (problems.length > 0) return { problems };
    const { logprobs, max_tokens: limit } = request;
    const common = {
      ...pickSet(request, sameMeaning),
      model: request.model,
      max_tokens: limit ?? defaultTokens,
      ...(isSet(logprobs) ? { logprobs: true, top_logprobs: logprobs } : {}),
    };
    const [first = "", ...rest] = promptsOf(request);
    const ask = (content: string): ChatRequest => ({ ...common, messages: [{ role: "user", content }] });
    return { requests: [ask(first), ...rest.map(ask)] };
  },
  fromChat(completions, request, facts) {
    const prompts = promptsOf(request);
    const choices = completions.flatMap((completion, at) =>
      completion.choices.map(({ index, message, finish_reason, logprobs }) => ({
        text: `${request.echo ? prompts[at] : ""}${message.content ?? ""}`,
        index: at * (request.n ?? 1) + index,
        logprobs: toTokenLists(logprobs?.content ?? null),
        finish_reason: toReason(finish_reason),
      })),
    );
    const usage = sumUsage(completions.map((completion) => completion.usage));
    return { ...head(request, facts), choices, ...(usage !== null && { usage }) };
  },
  async *fromChunks(chunks, request, facts) {
    const [prompt = ""] = promptsOf(request);
    const write = (part: object): StreamEvent => ({ data: { ...head(request, facts), ...part } });
    const withUsage = request.stream_options?.include_usage === true;
    const begun = new Set<number>();
    for await (const { choices, usage } of chunks) {
      for (const { index, delta, finish_reason, logprobs } of choices) {
        const text = `${request.echo && !begun.has(index) ? prompt : ""}${delta.content ?? ""}`;
        begun.add(index);
        if (text === "" && finish_reason === null) continue;
        const choice = {
          text,
          index,
          logprobs: toTokenLists(logprobs?.content ?? null),
          finish_reason: toReason(finish_reason),
        };
        yield write({ choices: [choice], ...(withUsage ? { usage: null } : {}) });
      }
      if (withUsage && usage) yield write({ choices: [], usage: sumUsage([usage]) });
    }
    yield { data: "[DONE]" };
  },
  fields: { messages: "prompt" },
};

function findProblems(request: CompletionRequest): TranslationProblem[] {
  const { best_of: best, n, suffix, echo, logprobs } = request;
  const problems = listUnknown(request, completionFields).map((param) => ({
    param,
    message: `Unknown parameter: '${param}'.`,
  }));
  const report = (param: string, message: string) => problems.push({ param, message });
  if (isSet(suffix)) report("suffix", "Text can't be inserted before a suffix: this server's models write to an end.");
  if (isSet(best) && best !== (n ?? 1))
    report("best_of", "Each answer is returned: best_of can only be the same as n.");
  if (echo === true && isSet(logprobs)) report("logprobs", "The tokens of an echoed prompt have no likelihoods here.");
  if (request.stream === true && promptsOf(request).length > 1)
    report("prompt", "One prompt can be streamed at a time.");
  return problems;
}

function promptsOf({ prompt }: CompletionRequest): readonly string[] {
  return typeof prompt === "string" ? [prompt] : prompt;
}

function head({ model }: CompletionRequest, { id, created }: { id: string; created: number }) {
  return { id, object: "text_completion", created, model } as const;
}

type Reason = TextCompletion["choices"][number]["finish_reason"];

function toReason(reason: FinishReason | null): Reason {
  return reason === "tool_calls" || reason === "function_call" ? "stop" : reason;
}

function toTokenLists(tokens: readonly TokenLogprob[] | null): TokenLists | null {
  if (tokens === null) return null;
  let offset = 0;
  const offsets = tokens.map(({ token }) => {
    const start = offset;
    offset += token.length;
    return start;
  });
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(({ top_logprobs: top }) =>
      Object.fromEntries(top.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  };
}

/** Null where the service left out that of a prompt. */
function sumUsage(usages: readonly (ReadUsage | null)[]) {
  const known = usages.filter((usage) => usage !== null);
  if (known.length < usages.length) return null;
  const sum = (read: (usage: ReadUsage) => number) => known.reduce((total, usage) => total + read(usage), 0);
  return {
    prompt_tokens: sum((usage) => usage.prompt_tokens),
    completion_tokens: sum((usage) => usage.completion_tokens),
    total_tokens: sum((usage) => usage.total_tokens),
  };
}
