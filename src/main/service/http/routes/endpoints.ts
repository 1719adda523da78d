import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
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
import { createBodyCheck, createCheckRules } from "../../files/index.ts";
import type { Service } from "../../service.ts";
import { answerCalls } from "../calls.ts";
import type { HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import { createBodyValidator } from "../validate.ts";

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
      calls.setValidatorCompiler(compileEndpointValidator(service, endpoint));
      const answer = answerCalls(calls, service);
      const { clock, ids, engine, responses, models: catalog } = service;
      const caller = createEndpointCaller(endpoint, { clock, ids, engine, responses, catalog });
      calls.post(endpoint, { bodyLimit, schema: schemas[endpoint] }, (request, reply) => {
        const body: Readonly<Record<string, unknown>> = request.body;
        answer(request, reply, (direct) => {
          const call = { ...direct, endpoint, body };
          return body.stream === true ? caller.stream(call) : caller.answer(call);
        });
      });
      registered();
    });
  }
}

/** Checks bodies as the lines of a batch are checked, within the limits that hold now. */
function compileEndpointValidator(
  { models, fileLimits, readTier, readDialect }: Service,
  endpoint: string,
): FastifySchemaCompiler<z.ZodType> {
  const create = () => ({
    tier: readTier(),
    dialect: readDialect(),
    validate: createBodyValidator(createBodyCheck(createCheckRules(models, fileLimits, endpoint))),
  });
  let current = create();
  return () => (body: unknown) => {
    if (current.tier !== readTier() || current.dialect !== readDialect()) current = create();
    return current.validate(body);
  };
}
