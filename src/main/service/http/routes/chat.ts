import { chatCompletionSchema, chatRequestSchema } from "#contract";
import { createBodyCheck, createCheckRules } from "../../files/index.ts";
import type { EngineStream } from "../../ports.ts";
import type { Service } from "../../service.ts";
import { answerCalls, type CallReply, toDataEvents } from "../calls.ts";
import type { HttpApp } from "../http-app.ts";
import { answersOrEvents } from "../schemas.ts";
import { compileChatValidator } from "../validate.ts";

/** The longest prompt that a model takes is well within. */
const bodyLimit = 10_000_000;

/** `POST /v1/chat/completions`: the answer as one JSON body, or piece by piece as server-sent events. */
export function addChatRoutes(app: HttpApp, service: Service): void {
  const { engine, models, fileLimits } = service;
  const checkBody = createBodyCheck(createCheckRules(models, fileLimits));
  const schema = { body: chatRequestSchema, response: answersOrEvents(chatCompletionSchema) };

  app.register((chat: HttpApp, _options, registered) => {
    chat.setValidatorCompiler(compileChatValidator(checkBody));
    const answer = answerCalls(chat, service);
    chat.post("/v1/chat/completions", { bodyLimit, schema }, (httpRequest, reply) => {
      answer(httpRequest, reply, (direct) => {
        const { body: request } = httpRequest;
        const call = { ...direct, request };
        return request.stream === true ? engine.stream(call).then(toEvents) : engine.complete(call);
      });
    });
    registered();
  });
}

function toEvents(answer: EngineStream): CallReply {
  return "chunks" in answer ? { events: toDataEvents(answer.chunks) } : answer;
}
