import { z } from "zod";
import { isAnswered } from "#main/answers";
import { createEndpointCaller, createEngineError } from "#main/engines";
import type { Model } from "#main/requests";
import {
  batchEmbedAnswerSchema,
  batchEmbedRequestSchema,
  countedTokensSchema,
  countPromptTokens,
  countRequestSchema,
  type EmbedRequest,
  embedAnswerSchema,
  embedRequestSchema,
  type GenerateRequest,
  geminiErrorSchema,
  geminiModelSchema,
  generateAnswerSchema,
  generateRequestSchema,
  readEmbedRequest,
  readGenerateRequest,
  toEmbedding,
  toGenerateAnswer,
  toGenerateEvents,
} from "#main/requests";
import type { Service } from "#main/service";
import { answerCalls, type CallReply, type DirectCall } from "../calls.ts";
import { createTranslatedCheck } from "../check-translated.ts";
import { geminiPageQuery, toGeminiPage } from "../gemini-pages.ts";
import { addApart, type HttpApp } from "../http-app.ts";
import { answers, answersOrEvents } from "../schemas.ts";
import { createGeminiValidator } from "../validate.ts";

/** A prompt with files in it may have 20 MB at Gemini's own API. */
const bodyLimit = 32_000_000;

const modelParams = z.object({ model: z.string() });
/** Names have colons and slashes in them (`joinModelName`). */
export const modelPath = "/v1beta/models/:model(^.+)";

/** Gemini's models and its generateContent: requests are translated to chat completions, their answers back. */
export function addGeminiRoutes(app: HttpApp, service: Service): void {
  const { engine, models } = service;
  const check = createTranslatedCheck(service);

  addApart(app, (calls) => {
    calls.setValidatorCompiler(createGeminiValidator(service));
    const answer = answerCalls(calls, service);
    const schema = { params: modelParams, body: generateRequestSchema };

    calls.post(
      `${modelPath}::generateContent`,
      { bodyLimit, schema: { ...schema, response: answers(generateAnswerSchema, geminiErrorSchema) } },
      (httpRequest, reply) => {
        const request = check(readGenerateRequest(httpRequest.body, httpRequest.params.model));
        answer(httpRequest, reply, async (call): Promise<CallReply> => {
          const given = await engine.complete({ ...call, request });
          if (!isAnswered(given)) return given;
          return { statusCode: 200, body: toGenerateAnswer(given.body, readOptions(httpRequest.body)) };
        });
      },
    );

    calls.post(
      `${modelPath}::streamGenerateContent`,
      { bodyLimit, schema: { ...schema, response: answersOrEvents(z.array(generateAnswerSchema), geminiErrorSchema) } },
      (httpRequest, reply) => {
        const isEvents = z.object({ alt: z.literal("sse") }).safeParse(httpRequest.query).success;
        const request = check(readGenerateRequest(httpRequest.body, httpRequest.params.model, isEvents));
        const options = readOptions(httpRequest.body);
        answer(httpRequest, reply, async (call): Promise<CallReply> => {
          if (isEvents) {
            const given = await engine.stream({ ...call, request });
            return "chunks" in given ? { events: toGenerateEvents(given.chunks, options) } : given;
          }
          // Without `alt=sse` the events are the entries of one array.
          const given = await engine.complete({ ...call, request });
          return isAnswered(given) ? { statusCode: 200, body: [toGenerateAnswer(given.body, options)] } : given;
        });
      },
    );
  });

  addApart(app, (embedding) => {
    embedding.setValidatorCompiler(createGeminiValidator(service));
    const answer = answerCalls(embedding, service);
    const caller = createEndpointCaller(embeddings, { ...service, catalog: models });

    /** Each is a request of its own: their dimensions may differ. The first that fails is the answer. */
    async function embed(requests: readonly EmbedRequest[], model: string, call: DirectCall): Promise<Embedded> {
      const found: Embedding[] = [];
      for (const request of requests) {
        const given = await caller.answer({ ...call, endpoint: embeddings, body: readEmbedRequest(request, model) });
        const vector = given.statusCode === 200 ? toEmbedding(given.body) : null;
        if (vector === null) return { failure: given.statusCode === 200 ? noVector : given };
        found.push(vector);
      }
      return { embeddings: found };
    }

    embedding.post(
      `${modelPath}::embedContent`,
      {
        bodyLimit,
        schema: {
          params: modelParams,
          body: embedRequestSchema,
          response: answers(embedAnswerSchema, geminiErrorSchema),
        },
      },
      (request, reply) => {
        answer(request, reply, async (call): Promise<CallReply> => {
          const found = await embed([request.body], request.params.model, call);
          return "failure" in found ? found.failure : { statusCode: 200, body: { embedding: found.embeddings[0] } };
        });
      },
    );
    embedding.post(
      `${modelPath}::batchEmbedContents`,
      {
        bodyLimit,
        schema: {
          params: modelParams,
          body: batchEmbedRequestSchema,
          response: answers(batchEmbedAnswerSchema, geminiErrorSchema),
        },
      },
      (request, reply) => {
        answer(request, reply, async (call): Promise<CallReply> => {
          const found = await embed(request.body.requests, request.params.model, call);
          return "failure" in found ? found.failure : { statusCode: 200, body: found };
        });
      },
    );
  });

  addApart(app, (counting) => {
    counting.setValidatorCompiler(createGeminiValidator(service));
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
        const tokens = countPromptTokens(
          readGenerateRequest(whole ?? { contents }, params.model).messages,
          params.model,
        );
        reply.send({ totalTokens: tokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }] });
      },
    );
  });

  const toWire = ({ id, limits }: { id: string; limits?: { context: number; output: number } }) => ({
    name: `models/${id}`,
    version: "1",
    displayName: id,
    ...(limits && { inputTokenLimit: limits.context, outputTokenLimit: limits.output }),
    supportedGenerationMethods: ["generateContent", "countTokens", "batchGenerateContent", "embedContent"],
  });
  const toWireModel = (model: Model) => toWire({ id: model.id, limits: models.limits(model) });

  const listSchema = z.object({ models: z.array(geminiModelSchema), nextPageToken: z.string().optional() });
  app.get(
    "/v1beta/models",
    { schema: { querystring: geminiPageQuery(50), response: answers(listSchema, geminiErrorSchema) } },
    (request, reply) => {
      // The models have no times: they keep their order.
      const { items, next } = toGeminiPage(models.list(), request.query, () => 0);
      reply.send({ models: items.map(toWireModel), ...next });
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

const embeddings = "/v1/embeddings";

type Embedding = NonNullable<ReturnType<typeof toEmbedding>>;
type Embedded = { readonly embeddings: Embedding[] } | { readonly failure: CallReply };

const noVector = createEngineError({
  status: 502,
  message: "The answer has no embedding.",
  code: "upstream_invalid_answer",
});

function readOptions({ generationConfig }: GenerateRequest): { withThoughts: boolean } {
  return { withThoughts: generationConfig?.thinkingConfig?.includeThoughts === true };
}
