import type { ChatCompletion } from "#contract";

type Usage = ChatCompletion["usage"];

/** Token counts with the details that the compatible API always has. Those that are there stay. */
export function detailUsage(usage: Usage): Usage {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion, ...counts } = usage;
  return {
    ...counts,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0, ...(prompt as object | undefined) },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
      ...(completion as object | undefined),
    },
  };
}
