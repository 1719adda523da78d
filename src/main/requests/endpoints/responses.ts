import type { ResponseRequest } from "#contract";
import { beginResponse, createItems, endResponse, listOutput } from "./responses-answer.ts";
import { toResponseEvents } from "./responses-events.ts";
import { toChatRequest } from "./responses-request.ts";
import type { Translator } from "./translation.ts";

/** `/v1/responses`: items in place of messages. */
export const responsesTranslator: Translator<ResponseRequest> = {
  toChat: toChatRequest,
  fromChat([completion], request, facts) {
    const begun = beginResponse(request, facts);
    const [choice] = completion?.choices ?? [];
    if (completion === undefined || choice === undefined) return begun;
    const { message, logprobs, finish_reason: reason } = choice;
    const output = listOutput(message, logprobs?.content ?? null, reason, createItems(facts.id, request));
    return endResponse(begun, output, reason, completion.usage, facts.created);
  },
  async *fromChunks(chunks, request, facts) {
    for await (const event of toResponseEvents(chunks, request, facts)) yield { name: event.type, data: event };
  },
  fields: {
    messages: "input",
    max_completion_tokens: "max_output_tokens",
    response_format: "text.format",
    reasoning_effort: "reasoning.effort",
  },
};
