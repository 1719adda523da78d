import {
  batchEndpoints,
  chatCompletionSchema,
  chatRequestSchema,
  completionRequestSchema,
  embeddingListSchema,
  embeddingRequestSchema,
  moderationRequestSchema,
  moderationSchema,
  responseRequestSchema,
  responseSchema,
  textCompletionSchema,
} from "#contract";
import { createEndpointCaller } from "../../endpoint-caller.ts";
import type { Service } from "../../service.ts";
import { answerCalls } from "../calls.ts";
import type { HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import { compileBodyValidator, createProblemFinder } from "../validate.ts";

/** The longest prompt that a model takes is well within. */
const bodyLimit = 10_000_000;

const schemas = {
  "/v1/chat/completions": { body: chatRequestSchema, response: answersOrEvents(chatCompletionSchema) },
  "/v1/completions": { body: completionRequestSchema, response: answersOrEvents(textCompletionSchema) },
  "/v1/responses": { body: responseRequestSchema, response: answersOrEvents(responseSchema) },
  "/v1/embeddings": { body: embeddingRequestSchema, response: answers(embeddingListSchema) },
  "/v1/moderations": { body: moderationRequestSchema, response: answers(moderationSchema) },
} as const;

/** All that an engine answers in the shapes of the compatible API: as one JSON body, or piece by piece as server-sent events. */
export function addEndpointRoutes(app: HttpApp, service: Service): void {
  for (const endpoint of batchEndpoints) {
    app.register((calls: HttpApp, _options, registered) => {
      calls.setValidatorCompiler(compileBodyValidator(createProblemFinder(service, endpoint)));
      const answer = answerCalls(calls, service);
      const { clock, ids, engine, responses, models: catalog } = service;
      const caller = createEndpointCaller(endpoint, { clock, ids, engine, responses, catalog });
      calls.post(endpoint, { bodyLimit, schema: schemas[endpoint] }, (request, reply) => {
        const body: Readonly<Record<string, unknown>> = request.body;
        answer(request, reply, (direct) => {
          const call = { ...direct, endpoint, body };
          if (body.stream === true) return caller.stream(call);
          return request.scope.creations.once(request, body, () => caller.answer(call), isAnswer);
        });
      });
      registered();
    });
  }
}

function isAnswer({ statusCode }: { readonly statusCode: number }): boolean {
  return statusCode === 200;
}
