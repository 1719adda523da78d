import type { preValidationHookHandler } from "fastify";
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
import { createEndpointCaller } from "#main/engines";
import { listForeign } from "#main/requests";
import type { Service } from "#main/service";
import { answerCalls } from "../calls.ts";
import { noteDropped } from "../dropped.ts";
import { describeMiss } from "../errors.ts";
import { addApart, type HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import { createProblemFinder, isJsonObject, noObject } from "../validate.ts";

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
  const { clock, ids, engine, responses, models: catalog } = service;
  for (const endpoint of batchEndpoints) {
    addApart(app, (calls) => {
      // Bodies are checked by a hook, which knows whose request it is. What it reads is what the engine gets.
      calls.setValidatorCompiler(() => (value) => ({ value }));
      const findProblem = createProblemFinder(service, endpoint);
      const mayPassOn = (body: unknown, scope: string) =>
        isJsonObject(body) && engine.passingOn?.takes({ endpoint, body, scope }) === true;
      const preValidation: preValidationHookHandler = ({ body, scope }, _reply, done) => {
        const problem = isJsonObject(body) ? findProblem(body) : noObject();
        const isPassedOn = mayPassOn(body, scope.name);
        if (problem !== null && !isPassedOn) return done(problem);
        if (isLenient() && !isPassedOn && isJsonObject(body)) noteDropped(body, listForeign(endpoint, body));
        done();
      };
      const isLenient = () => service.readStrictness() === "lenient";
      const answer = answerCalls(calls, service);
      const caller = createEndpointCaller(endpoint, { clock, ids, engine, responses, catalog });
      calls.post(endpoint, { bodyLimit, schema: schemas[endpoint], preValidation }, (request, reply) => {
        const body: Readonly<Record<string, unknown>> = request.body;
        answer(request, reply, (direct) => {
          const call = { ...direct, endpoint, body };
          const passed = caller.pass(call);
          if (passed !== null) return passed;
          if (body.stream === true) return caller.stream(call);
          return request.scope.creations.once(request, body, () => caller.answer(call), isAnswer);
        });
      });
    });
  }
}

function isAnswer({ statusCode }: { readonly statusCode: number }): boolean {
  return statusCode === 200;
}

/**
 * Passes on what no route of ours takes, to an upstream that may have such an endpoint.
 * @returns whether a request to an unknown path may be passed on
 */
export function passUnknownEndpoints(app: HttpApp, service: Service): (method: string, path: string) => boolean {
  const { engine } = service;
  addApart(app, (unknown) => {
    const answer = answerCalls(unknown, service);
    app.setNotFoundHandler((request, reply) => {
      const [endpoint = ""] = request.url.split("?");
      const { body } = request;
      const { passingOn } = engine;
      const about = isJsonObject(body) ? { endpoint, body, scope: request.scope.name } : null;
      if (about === null || passingOn?.takes(about) !== true) throw describeMiss(request);
      answer(request, reply, (direct) => passingOn.answer({ ...direct, ...about }));
    });
  });
  return (method, path) => method === "POST" && path.startsWith("/v1/") && engine.passingOn !== undefined;
}
