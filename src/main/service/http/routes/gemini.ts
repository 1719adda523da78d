import { z } from "zod";
import type { ChatRequest } from "#contract";
import { connectionRules, createBodyCheck } from "../../files/index.ts";
import type { Model } from "../../model-catalog.ts";
import type { Service } from "../../service.ts";
import { countPromptTokens } from "../../tokens/index.ts";
import {
  countedTokensSchema,
  countRequestSchema,
  type GenerateRequest,
  geminiErrorSchema,
  geminiModelSchema,
  generateAnswerSchema,
  generateRequestSchema,
  readGenerateRequest,
  toGenerateAnswer,
  toGenerateEvents,
} from "../../vendors/index.ts";
import { answerCalls, type CallReply } from "../calls.ts";
import { geminiPageQuery, toGeminiPage } from "../gemini-pages.ts";
import type { HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import { compileGeminiValidator, createProblemFinder } from "../validate.ts";

/** A prompt with files in it may have 20 MB at Gemini's own API. */
const bodyLimit = 32_000_000;

const modelParams = z.object({ model: z.string() });
/** Names have colons and slashes in them (`moveModelTogether`). */
export const modelPath = "/v1beta/models/:model(^.+)";

/** Gemini's models and its generateContent: requests are translated to chat completions, their answers back. */
export function addGeminiRoutes(app: HttpApp, service: Service): void {
  const { engine, models } = service;
  const findProblem = createProblemFinder(createBodyCheck(connectionRules));

  function translate(body: GenerateRequest, model: string, isStreamed: boolean): ChatRequest {
    const request = readGenerateRequest(body, model, isStreamed);
    const problem = findProblem(request);
    if (problem !== null) throw problem;
    return request;
  }

  app.register((calls: HttpApp, _options, registered) => {
    calls.setValidatorCompiler(compileGeminiValidator);
    const answer = answerCalls(calls, service);
    const schema = { params: modelParams, body: generateRequestSchema };

    calls.post(
      `${modelPath}::generateContent`,
      { bodyLimit, schema: { ...schema, response: answers(generateAnswerSchema, geminiErrorSchema) } },
      (httpRequest, reply) => {
        const request = translate(httpRequest.body, httpRequest.params.model, false);
        answer(httpRequest, reply, async (call): Promise<CallReply> => {
          const given = await engine.complete({ ...call, request });
          if (!("choices" in given.body)) return given;
          return { statusCode: 200, body: toGenerateAnswer(given.body, readOptions(httpRequest.body)) };
        });
      },
    );

    calls.post(
      `${modelPath}::streamGenerateContent`,
      { bodyLimit, schema: { ...schema, response: answersOrEvents(z.array(generateAnswerSchema), geminiErrorSchema) } },
      (httpRequest, reply) => {
        const isEvents = z.object({ alt: z.literal("sse") }).safeParse(httpRequest.query).success;
        const request = translate(httpRequest.body, httpRequest.params.model, isEvents);
        const options = readOptions(httpRequest.body);
        answer(httpRequest, reply, async (call): Promise<CallReply> => {
          if (isEvents) {
            const given = await engine.stream({ ...call, request });
            return "chunks" in given ? { events: toGenerateEvents(given.chunks, options) } : given;
          }
          // Without `alt=sse` the events are the entries of one array.
          const given = await engine.complete({ ...call, request });
          return "choices" in given.body ? { statusCode: 200, body: [toGenerateAnswer(given.body, options)] } : given;
        });
      },
    );
    registered();
  });

  app.register((counting: HttpApp, _options, registered) => {
    counting.setValidatorCompiler(compileGeminiValidator);
    counting.post(
      `${modelPath}::countTokens`,
      {
        bodyLimit,
        schema: {
          params: modelParams,
          body: countRequestSchema,
          response: answers(countedTokensSchema, geminiErrorSchema),
        },
      },
      ({ body: { contents = [], generateContentRequest: whole }, params }, reply) => {
        const tokens = countPromptTokens(readGenerateRequest(whole ?? { contents }, params.model).messages);
        reply.send({ totalTokens: tokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }] });
      },
    );
    registered();
  });

  const toWire = ({ id, limits }: { id: string; limits?: { context: number; output: number } }) => ({
    name: `models/${id}`,
    version: "1",
    displayName: id,
    ...(limits && { inputTokenLimit: limits.context, outputTokenLimit: limits.output }),
    supportedGenerationMethods: ["generateContent", "countTokens", "batchGenerateContent"],
  });
  const toWireModel = (model: Model) => toWire({ id: model.id, limits: models.limits(model) });

  const listSchema = z.object({ models: z.array(geminiModelSchema), nextPageToken: z.string().optional() });
  app.get(
    "/v1beta/models",
    { schema: { querystring: geminiPageQuery(50), response: answers(listSchema, geminiErrorSchema) } },
    (request, reply) => {
      const { items, nextPageToken } = toGeminiPage(models.list().map(toWireModel), request.query);
      reply.send({ models: items, ...(nextPageToken === null ? {} : { nextPageToken }) });
    },
  );

  app.get(
    "/v1beta/models/:model",
    { schema: { params: modelParams, response: answers(geminiModelSchema, geminiErrorSchema) } },
    ({ params: { model: id } }, reply) => {
      const model = models.find(id);
      reply.send(model === undefined ? toWire({ id }) : toWireModel(model));
    },
  );
}

function readOptions({ generationConfig }: GenerateRequest): { withThoughts: boolean } {
  return { withThoughts: generationConfig?.thinkingConfig?.includeThoughts === true };
}
