import { isAnswered } from "#main/answers";
import {
  anthropicErrorSchema,
  countPromptTokens,
  countTokensSchema,
  messageSchema,
  messagesRequestSchema,
  readMessagesRequest,
  tokenCountSchema,
  toMessage,
  toMessageEvents,
} from "#main/requests";
import type { Service } from "#main/service";
import { answerCalls, type CallReply } from "../calls.ts";
import { createTranslatedCheck } from "../check-translated.ts";
import type { HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import { compileVendorValidator } from "../validate.ts";

/** As Anthropic's own API. */
const bodyLimit = 32_000_000;

/** Anthropic's Messages API: requests are translated to chat completions, their answers back. */
export function addAnthropicRoutes(app: HttpApp, service: Service): void {
  const { engine } = service;
  const check = createTranslatedCheck(service);

  app.register((messages: HttpApp, _options, registered) => {
    messages.setValidatorCompiler(compileVendorValidator);
    const answer = answerCalls(messages, service);

    messages.post(
      "/v1/messages",
      {
        bodyLimit,
        schema: { body: messagesRequestSchema, response: answersOrEvents(messageSchema, anthropicErrorSchema) },
      },
      (httpRequest, reply) => {
        const request = check(readMessagesRequest(httpRequest.body));
        answer(httpRequest, reply, async (direct): Promise<CallReply> => {
          const call = { ...direct, request };
          if (request.stream !== true) {
            const given = await engine.complete(call);
            if (!isAnswered(given)) return given;
            const counted = { promptTokens: countPromptTokens(request.messages) };
            return { statusCode: 200, body: toMessage(given.body, "standard", counted) };
          }
          const given = await engine.stream(call);
          if (!("chunks" in given)) return given;
          return { events: toMessageEvents(given.chunks, countPromptTokens(request.messages)) };
        });
      },
    );
    registered();
  });

  app.register((counting: HttpApp, _options, registered) => {
    counting.setValidatorCompiler(compileVendorValidator);
    counting.post(
      "/v1/messages/count_tokens",
      { bodyLimit, schema: { body: countTokensSchema, response: answers(tokenCountSchema, anthropicErrorSchema) } },
      ({ body }, reply) => {
        reply.send({ input_tokens: countPromptTokens(readMessagesRequest(body).messages) });
      },
    );
    registered();
  });
}
