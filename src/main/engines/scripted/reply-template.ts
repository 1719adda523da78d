import { messageText } from "#contract";
import type { EngineCall, EngineError } from "#main/base";
import { secretHeaders } from "#main/base";
import { createEngineError } from "../engine-error.ts";
import type { Reply } from "./rule-schema.ts";
import { createTemplateFiller, explainTemplateError, templateFields } from "./templates.ts";

/** A reply whose texts are filled from the call. An error where one of them can't be filled, or has no end. */
export async function fillReply(reply: Reply, call: EngineCall, now: number): Promise<Reply | EngineError> {
  const fill = await createTemplateFiller(createTemplateScope(call, now));
  try {
    const filled = templateFields.flatMap((field) =>
      reply[field] === undefined ? [] : [[field, fillTexts(reply[field], fill)] as const],
    );
    return { ...reply, ...Object.fromEntries(filled) };
  } catch (error) {
    const message = `The template of the rule can't be filled: ${explainTemplateError(error)}.`;
    return createEngineError({ status: 500, message, code: "template_failed" });
  }
}

/** Every text in a value; keys are left as they are. */
function fillTexts(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => fillTexts(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillTexts(inner, fill)]));
}

/** What a template sees. The content of each message is its text; what came with it is in `parts`. */
function createTemplateScope(
  { request, line, headers = {}, endpoint = "/v1/chat/completions" }: EngineCall,
  now: number,
) {
  const messages = request.messages.map((message) => ({
    ...message,
    content: messageText(message),
    parts: Array.isArray(message.content) ? message.content : [],
  }));
  const shown = Object.entries(headers).filter(([name]) => !secretHeaders.has(name));
  return {
    request: { ...request, messages },
    custom_id: line?.customId ?? null,
    line: line?.number ?? null,
    metadata: { ...line?.metadata, ...readObject(request.metadata) },
    headers: Object.fromEntries(shown),
    endpoint,
    now: new Date(now).toISOString(),
  };
}

function readObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
