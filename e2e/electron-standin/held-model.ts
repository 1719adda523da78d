import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";
import type { Client } from "./page-client.ts";

const requestSchema = z.object({ model: z.string(), messages: z.array(z.object({ content: z.string() })) });

/** A chat server that answers at once up to a number of calls, and holds the others until they are released. */
export interface HeldModel {
  /** The prompts of all calls, in the order in which they came. */
  readonly asked: readonly string[];
  /** While it is set, connections are cut, and nothing is asked. */
  isDown: boolean;
  /** Answers what is held, and at once from now on. */
  release(): void;
  /** Adds a connection to it; the answer is its id. */
  connect(client: Client): Promise<string>;
  close(): Promise<void>;
}

export async function startHeldModel(answersAtOnce: number): Promise<HeldModel> {
  const asked: string[] = [];
  const held: { readonly response: ServerResponse; readonly model: string }[] = [];
  let atOnce = answersAtOnce;
  const answer = ({ response, model }: (typeof held)[number]) => {
    const message = { role: "assistant", content: "An answer.", refusal: null };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message, finish_reason: "stop", logprobs: null }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model, choices, usage }));
  };
  const server = createServer((request, response) => {
    if (model.isDown) {
      request.socket.destroy();
      return;
    }
    void json(request).then((body) => {
      const { model: name, messages } = requestSchema.parse(body);
      asked.push(messages.at(-1)?.content ?? "");
      const call = { response, model: name };
      if (asked.length <= atOnce) answer(call);
      else held.push(call);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const model: HeldModel = {
    asked,
    isDown: false,
    release() {
      atOnce = Number.POSITIVE_INFINITY;
      held.splice(0).forEach(answer);
    },
    async connect({ connections }) {
      const url = `http://127.0.0.1:${port}/v1`;
      const connection = { name: "Held", adapter: "chat" as const, preset: null, url, concurrency: 8 };
      return (await connections.save({ connection })).id;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return model;
}
