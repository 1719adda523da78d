import { z } from "zod";
import { usageSchema } from "./chat.ts";

/** The body of a request to `/v1/completions`: a prompt in place of messages. Unknown parameters are problems. */
export const completionRequestSchema = z.looseObject({
  model: z.string(),
  prompt: z.union([z.string(), z.array(z.string()).min(1).max(2_048)]),
  best_of: z.int().min(1).max(20).nullish(),
  echo: z.boolean().nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  logprobs: z.int().min(0).max(5).nullish(),
  max_tokens: z.int().min(0).nullish(),
  n: z.int().min(1).max(128).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  suffix: z.string().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  user: z.string().nullish(),
});
export type CompletionRequest = z.infer<typeof completionRequestSchema>;

/** How likely each token of a completion was, as this endpoint has it: lists of the same length. */
const tokenListsSchema = z.looseObject({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()),
  text_offset: z.array(z.int()),
});
export type TokenLists = z.infer<typeof tokenListsSchema>;

/** The answer of `/v1/completions`, and each piece of a streamed one, of which the last may have the usage. */
export const textCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal("text_completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      text: z.string(),
      logprobs: tokenListsSchema.nullable(),
      finish_reason: z.enum(["stop", "length", "content_filter"]).nullable(),
    }),
  ),
  usage: usageSchema.nullish(),
});
export type TextCompletion = z.infer<typeof textCompletionSchema>;
