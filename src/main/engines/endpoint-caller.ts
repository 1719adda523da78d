import { batchEndpoint, type ChatRequest, type ResponseRequest } from "#contract";
import { findError, isAnswered, parseBody, type ReadCompletion, readChunks, readCompletion } from "#main/answers";
import {
  type Clock,
  defaultScope,
  type EndpointCall,
  type EndpointReply,
  type Engine,
  type EngineCall,
  type EngineError,
  type IdKind,
  type Ids,
  isObject,
  type PassedReply,
} from "#main/base";
import {
  type AnswerFacts,
  completionsTranslator,
  createBodyCheck,
  createCheckRules,
  dropForeign,
  isChatRequest,
  type JsonObject,
  type ModelCatalog,
  resolveModel,
  responsesTranslator,
  type StreamEvent,
  type TranslationProblem,
  type Translator,
} from "#main/requests";
import { isNestedTooDeep } from "#main/storage";
import { createEngineError, noEndpoint } from "./engine-error.ts";
import type { StoredResponses } from "./stored-responses.ts";
import { describeFailedAnswer, describeUnreadable } from "./upstream/failures.ts";
import { StreamError, writeChunk } from "./upstream/read-answer.ts";
import { isLastEvent, usualEnd, writeEvent } from "./upstream/server-events.ts";

/** An answer as server-sent events, or an error before the first of them. */
type EventReply = { readonly events: AsyncIterable<string> } | EngineError;

/** Has requests to an endpoint answered, each in the endpoint's own shape. Their bodies have been checked. */
export interface EndpointCaller {
  /** Passes a request on as it came, whatever our checks find; null for one that is answered here. */
  pass(call: EndpointCall): Promise<PassedReply | EngineError> | null;
  /** At once, where the engine answers at once. */
  answer(call: EndpointCall): EndpointReply | Promise<EndpointReply>;
  stream(call: EndpointCall): Promise<EventReply>;
}

interface CallerDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly catalog: ModelCatalog;
  readonly responses: StoredResponses;
}

/** Has an engine answer what comes to `endpoint`. */
export function createEndpointCaller(endpoint: string, parts: CallerDeps): EndpointCaller {
  const { engine } = parts;
  const caller = chooseCaller(endpoint, parts);

  function pass(call: EndpointCall): Promise<PassedReply | EngineError> | null {
    const { passingOn } = engine;
    if (passingOn === undefined || !passingOn.takes(call)) return null;
    // The engine reads chat completions itself: it counts their tokens and puts right what their answers lack.
    return endpoint === batchEndpoint && isChatRequest(call.body) ? null : passingOn.answer(call);
  }

  return {
    pass,
    stream: caller.stream,
    answer(call) {
      const passed = pass(call);
      if (passed !== null) return passed.then(readJson);
      return findLineProblem(call) ?? caller.answer(call);
    },
  };

  /** Where some requests are passed on, lines are checked only when it is clear that they are not. */
  function findLineProblem({ line, body, scope }: EndpointCall): EngineError | null {
    const { passingOn } = engine;
    if (
      line === null ||
      passingOn === undefined ||
      passingOn.takes({ endpoint, body, ...(scope !== undefined && { scope }) })
    )
      return null;
    return findProblem(createBodyCheck(createCheckRules(parts.catalog, noLimits, endpoint)), body);
  }
}

/** Of the file, which has been checked. */
const noLimits = {
  bytes: Number.MAX_SAFE_INTEGER,
  requests: Number.MAX_SAFE_INTEGER,
  lineBytes: Number.MAX_SAFE_INTEGER,
};

function findProblem(checkBody: ReturnType<typeof createBodyCheck>, body: JsonObject): EngineError | null {
  let found: EngineError | null = null;
  checkBody(body, (code, param, message) => {
    const status = code === "model_not_found" ? 404 : 400;
    const wireCode = code === "invalid_request" ? "invalid_value" : code;
    found ??= createEngineError({ status, message, param: param?.replace("body.", ""), code: wireCode });
  });
  return found;
}

/** For a line of a batch, an answer has to be JSON; an error in it is one, though it came with success. */
async function readJson(reply: PassedReply | EngineError): Promise<EndpointReply> {
  if (!("bytes" in reply)) return reply;
  const text = Buffer.concat(await Array.fromAsync(reply.bytes)).toString();
  const body = parseBody(text);
  if (!isObject(body) || isNestedTooDeep(body)) return describeUnreadable(text, reply.headers["content-type"]);
  const error = findError(body);
  return error === null ? { statusCode: 200, body } : describeFailedAnswer(error, body);
}

type OwnCaller = Omit<EndpointCaller, "pass">;

function chooseCaller(endpoint: string, parts: CallerDeps): OwnCaller {
  switch (endpoint) {
    case "/v1/completions":
      return createTranslatedCaller("/v1/completions", completionsTranslator, "text_completion", parts);
    case "/v1/responses":
      return createResponsesCaller(parts);
    case "/v1/embeddings":
    case "/v1/moderations":
      return createOwnCaller(parts);
    default:
      return createChatCaller(parts);
  }
}

function createChatCaller({ engine, catalog }: CallerDeps): OwnCaller {
  const toCall = ({ body, ...call }: EndpointCall): EngineCall => ({
    ...call,
    request: resolveModel(asChecked<ChatRequest>(dropForeign(batchEndpoint, body)), catalog),
  });
  return {
    answer: (call) => engine.complete(toCall(call)),
    async stream(call) {
      const given = await engine.stream(toCall(call));
      return "chunks" in given ? { events: writeChunks(given.chunks) } : given;
    },
  };
}

/** Each as it came, also what a server sent in place of the next one, and after it. */
async function* writeChunks(chunks: AsyncIterable<JsonObject>): AsyncGenerator<string, void> {
  let last = "";
  try {
    for await (const chunk of chunks) {
      last = writeChunk(chunk);
      yield last;
    }
    if (!isLastEvent(last)) yield usualEnd;
  } catch (error) {
    if (!(error instanceof StreamError) || error.events.length === 0) throw error;
    yield* error.events;
  }
}

/** Passes requests to the engine's own answers, for endpoints that can't be answered by a chat completion. */
function createOwnCaller({ engine, catalog }: CallerDeps): OwnCaller {
  return {
    answer(call) {
      const given = dropForeign(call.endpoint, call.body);
      const { model } = given;
      const body = typeof model === "string" ? resolveModel({ ...given, model }, catalog) : given;
      return engine.answerEndpoint?.({ ...call, body }) ?? noEndpoint(call);
    },
    stream: async () =>
      createEngineError({
        status: 400,
        message: "The answer can't be streamed.",
        code: "invalid_value",
        param: "stream",
      }),
  };
}

/** Requests that are translated to chat completions, one for each prompt, and the answers back. */
function createTranslatedCaller<Request extends TranslatedRequest>(
  endpoint: string,
  translator: Translator<Request>,
  idKind: IdKind,
  { engine, clock, ids, catalog }: CallerDeps,
): OwnCaller {
  // What is foreign here was refused by the check, unless that is lenient.
  const readRequest = (body: JsonObject) => resolveModel(asChecked<Request>(dropForeign(endpoint, body)), catalog);
  const { toChat, fromChat, fromChunks, fields } = translator;
  const createFacts = (): AnswerFacts => ({ id: ids.create(idKind), created: Math.floor(clock.now() / 1_000) });

  return {
    async answer({ body, ...call }) {
      const request = readRequest(body);
      const translated = toChat(request);
      if ("problems" in translated) return describeProblem(translated.problems);
      const replies = await Promise.all(translated.requests.map((chat) => engine.complete({ ...call, request: chat })));
      const completions: ReadCompletion[] = [];
      for (const reply of replies) {
        if (!isAnswered(reply)) return renameParam(reply, fields);
        completions.push(readCompletion(reply.body));
      }
      return { statusCode: 200, body: fromChat(completions, request, createFacts()) };
    },
    async stream({ body, ...call }) {
      const request = readRequest(body);
      const translated = toChat(request);
      if ("problems" in translated) return describeProblem(translated.problems);
      const given = await engine.stream({ ...call, request: translated.requests[0] });
      if (!("chunks" in given)) return renameParam(given, fields);
      return { events: writeEvents(fromChunks(readChunks(given.chunks), request, createFacts())) };
    },
  };
}

type TranslatedRequest = JsonObject & { readonly model: string };

function describeProblem([problem]: readonly TranslationProblem[]): EngineError {
  const { message = "The request can't be answered here.", param = null } = problem ?? {};
  return createEngineError({ status: 400, message, code: "invalid_value", param });
}

/** An engine names the fields of a chat completion. */
function renameParam(given: EngineError, fields: Readonly<Record<string, string>>): EngineError {
  const { error } = given.body;
  const param = error.param === null ? null : (fields[error.param] ?? error.param);
  return { ...given, body: { ...given.body, error: { ...error, param } } };
}

/** Responses are stored, so that the next one can begin where they end. */
function createResponsesCaller(parts: CallerDeps): OwnCaller {
  const { responses } = parts;

  /** Translates a request with all that it refers to, and stores its answer. */
  function callerFor(scope: string, request: ResponseRequest): OwnCaller {
    const add = (body: unknown) => responses.add(scope, request, body);
    const storing: Translator<ResponseRequest> = {
      ...responsesTranslator,
      fromChat(...answer) {
        const body = responsesTranslator.fromChat(...answer);
        add(body);
        return body;
      },
      async *fromChunks(...answer) {
        for await (const event of responsesTranslator.fromChunks(...answer)) {
          if (event.name === "response.completed" || event.name === "response.incomplete")
            add(typeof event.data === "string" ? null : event.data.response);
          yield event;
        }
      },
    };
    return createTranslatedCaller("/v1/responses", storing, "response", parts);
  }

  function expand(call: EndpointCall): { caller: OwnCaller; call: EndpointCall } | EngineError {
    const { scope = defaultScope } = call;
    const { request, error } = responses.expand(scope, asChecked<ResponseRequest>(call.body));
    if (error !== undefined) return error;
    return { caller: callerFor(scope, request), call: { ...call, body: request } };
  }

  return {
    answer(call) {
      const expanded = expand(call);
      return "caller" in expanded ? expanded.caller.answer(expanded.call) : expanded;
    },
    async stream(call) {
      const expanded = expand(call);
      return "caller" in expanded ? expanded.caller.stream(expanded.call) : expanded;
    },
  };
}

/** A body that has passed the check of its endpoint, which is the same as the schema's. */
function asChecked<T extends JsonObject>(body: JsonObject): T {
  return body as T;
}

async function* writeEvents(events: AsyncIterable<StreamEvent>): AsyncGenerator<string, void> {
  for await (const { name, data } of events) {
    const text = writeEvent(typeof data === "string" ? data : JSON.stringify(data));
    yield name === undefined ? text : `event: ${name}\n${text}`;
  }
}
