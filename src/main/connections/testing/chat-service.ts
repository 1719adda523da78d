import { z } from "zod";
import { nextTurn } from "#main/base";
import { type StandIn, startStandIn } from "./stand-in.ts";

/** A stand-in for a chat-completion server. */
export interface ChatService extends StandIn {
  /** The questions that it was asked, repeats included. */
  readonly asked: string[];
}

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.string() })).min(1),
});

/** Starts it; it accepts one key, answers in a later turn of the event loop, fails on the question `poison`, and flags `insult`. */
export async function startChatService(key: string): Promise<ChatService> {
  const asked: string[] = [];
  const standIn = await startStandIn(async ({ method, headers, body }) => {
    if (headers.authorization !== `Bearer ${key}`) {
      return { status: 401, body: { error: { message: `wrong key: ${headers.authorization}` } } };
    }
    if (method === "GET") return { body: { object: "list", data: [{ id: "some-model", object: "model" }] } };
    const { model, messages } = requestSchema.parse(JSON.parse(body.toString("utf8")));
    const question = messages[0]?.content ?? "";
    asked.push(question);
    await nextTurn();
    if (question === "poison") return { status: 500, body: { error: { message: "I choke on that." } } };
    if (question === "insult") return { status: 403, body: { error: { message: "Your input was flagged." } } };
    const message = { role: "assistant", content: `You said ${question}` };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model, choices, usage } };
  });
  return { ...standIn, asked };
}
