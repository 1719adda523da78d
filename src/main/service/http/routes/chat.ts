import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { chatCompletionSchema, chatRequestSchema } from "#contract";
import { createBodyCheck, createCheckRules } from "../../files/index.ts";
import type { EngineCall, EngineError } from "../../ports.ts";
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
  const checkBody = createBodyCheck(createCheckRules(service.models, service.fileLimits));
  const schema = { body: chatRequestSchema, response: answersOrEvents(chatCompletionSchema) };

  app.register((chat: HttpApp, _options, registered) => {
    chat.setValidatorCompiler(compileChatValidator(checkBody));
    const admit = holdToLimits(chat, service);
    chat.post("/v1/chat/completions", { bodyLimit, schema }, async (request, reply) => {
      admit(reply);
      const signal = watchClient(reply.raw);
      try {
        return await answer(service, { request: request.body, requestId: request.id, line: null, signal }, reply);
      } catch (error) {
        if (!signal.aborted) throw error;
        // Nobody is there to read an answer.
        return reply.hijack();
      }
    });
    registered();
  });
}

async function answer({ engine, logger }: Service, call: EngineCall, reply: FastifyReply): Promise<FastifyReply> {
  if (call.request.stream === true) {
    const stream = await engine.stream(call);
    return "chunks" in stream ? sendEvents(reply, stream.chunks, call.signal, logger) : sendFailure(reply, stream);
  }
  const { body, ...rest } = await engine.complete(call);
  return "choices" in body ? reply.send(body) : sendFailure(reply, { ...rest, body });
}

function sendFailure(reply: FastifyReply, { statusCode, headers = {}, body }: EngineError): FastifyReply {
  return reply.code(statusCode).headers(headers).send(body);
}

/** Aborted when the client goes before it has its answer, so that nobody works on. */
function watchClient(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) gone.abort(new Error("The client has gone."));
  };
  if (response.closed) onClose();
  else response.once("close", onClose);
  return gone.signal;
}
