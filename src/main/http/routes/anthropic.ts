import { createChunkJoiner, isAnswered, type JsonObject } from "#main/answers";
import type { EngineCall } from "#main/base";
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
import { addApart, type HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import type { OpenThread } from "../threads.ts";
import { createVendorValidator } from "../validate.ts";

/** As Anthropic's own API. */
const bodyLimit = 32_000_000;

/** Anthropic's Messages API: requests are translated to chat completions, their answers back. */
export function addAnthropicRoutes(app: HttpApp, service: Service): void {
  const { engine } = service;
  const check = createTranslatedCheck(service);

  async function ask(call: EngineCall, thread: OpenThread): Promise<CallReply> {
    const { request } = call;
    const counted = { promptTokens: countPromptTokens(request.messages, request.model) };
    if (request.stream === true) {
      const given = await engine.stream(call);
      if (!("chunks" in given)) return fail(given);
      const keep = (completion: JsonObject) => thread.keep(toMessage(completion, "standard", counted));
      const chunks = thread.isKept ? keepWhole(given.chunks, keep) : given.chunks;
      return { events: toMessageEvents(chunks, counted.promptTokens) };
    }
    const given = await engine.complete(call);
    if (!isAnswered(given)) return fail(given);
    const body = toMessage(given.body, "standard", counted);
    thread.keep(body);
    return { statusCode: 200, body };

    function fail<T>(error: T): T {
      thread.release();
      return error;
    }
  }

  addApart(app, (messages) => {
    messages.setValidatorCompiler(createVendorValidator(service));
    const answer = answerCalls(messages, service);

    messages.post(
      "/v1/messages",
      {
        bodyLimit,
        schema: { body: messagesRequestSchema, response: answersOrEvents(messageSchema, anthropicErrorSchema) },
      },
      (httpRequest, reply) => {
        const thread = httpRequest.scope.threads.open(httpRequest.body);
        // Before an answer is out: clients that get an error send the same again at once.
        const releaseAndThrow = (error: unknown): never => {
          thread.release();
          throw error;
        };
        reply.raw.once("close", thread.release);
        try {
          const request = check(readMessagesRequest(thread.request));
          answer(httpRequest, reply, (direct) => ask({ ...direct, request }, thread).catch(releaseAndThrow));
        } catch (error) {
          releaseAndThrow(error);
        }
      },
    );
  });

  addApart(app, (counting) => {
    counting.setValidatorCompiler(createVendorValidator(service));
    counting.post(
      "/v1/messages/count_tokens",
      { bodyLimit, schema: { body: countTokensSchema, response: answers(tokenCountSchema, anthropicErrorSchema) } },
      ({ body }, reply) => {
        reply.send({ input_tokens: countPromptTokens(readMessagesRequest(body).messages, body.model) });
      },
    );
  });
}

/** Passes chunks on, and the whole that they make once they have ended: before the client gets their end. */
async function* keepWhole(
  chunks: AsyncIterable<JsonObject>,
  keep: (completion: JsonObject) => void,
): AsyncGenerator<JsonObject, void> {
  const joiner = createChunkJoiner();
  for await (const chunk of chunks) {
    joiner.add(chunk);
    yield chunk;
  }
  const whole = joiner.answer();
  if (whole !== null) keep(whole);
}
