import type { Socket } from "node:net";
import { chatCompletionSchema, chatRequestSchema } from "#contract";
import { createBodyCheck, createCheckRules } from "../../files/index.ts";
import type { EngineCall } from "../../ports.ts";
import type { Service } from "../../types.ts";
import type { HttpApp } from "../app.ts";
import { compileChatValidator } from "../chat-validator.ts";
import { sendEvents } from "../events.ts";
import { holdToLimits } from "../rate-limit.ts";
import { answersOrEvents } from "../schemas.ts";

/** The longest prompt that a model takes is well within. */
const bodyLimit = 10_000_000;

/** `POST /v1/chat/completions`: the answer as one JSON body, or piece by piece as server-sent events. */
export function addChatRoutes(app: HttpApp, service: Service): void {
  const { engine, logger, models, fileLimits } = service;
  const checkBody = createBodyCheck(createCheckRules(models, fileLimits));
  const schema = { body: chatRequestSchema, response: answersOrEvents(chatCompletionSchema) };

  app.register((chat: HttpApp, _options, registered) => {
    chat.setValidatorCompiler(compileChatValidator(checkBody));
    const admit = holdToLimits(chat, service);
    const watchClient = watchClients();
    chat.post("/v1/chat/completions", { bodyLimit, schema }, async ({ body: request, id: requestId, raw }, reply) => {
      admit(reply);
      const signal = watchClient(raw.socket);
      const call: EngineCall = { request, requestId, line: null, signal };
      try {
        const answer = await (request.stream === true ? engine.stream(call) : engine.complete(call));
        if ("chunks" in answer) return sendEvents(reply, answer.chunks, signal, logger);
        if ("headers" in answer) reply.headers(answer.headers ?? {});
        return reply.code(answer.statusCode).send(answer.body);
      } catch (error) {
        if (!signal.aborted) throw error;
        // Nobody is there to read an answer.
        return reply.hijack();
      }
    });
    registered();
  });
}

/**
 * Signals that are aborted when a client goes, so that nobody works on: one for each connection, which has one call under
 * way after the other.
 */
function watchClients(): (connection: Socket) => AbortSignal {
  const signals = new WeakMap<Socket, AbortSignal>();
  return (connection) => {
    const known = signals.get(connection);
    if (known !== undefined) return known;
    const gone = new AbortController();
    signals.set(connection, gone.signal);
    const onClose = () => gone.abort(new Error("The client has gone."));
    if (connection.destroyed) onClose();
    else connection.once("close", onClose);
    return gone.signal;
  };
}
