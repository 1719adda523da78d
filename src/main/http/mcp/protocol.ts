import {
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpServer,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { answerTextArguments, completeMessage, describeParams, hasTextArguments } from "./tolerance.ts";
import { createToolServer, type ToolDeps } from "./tools.ts";

/** One HTTP request to the endpoint. */
export interface McpExchange {
  /** Those that begin with `mcp-`. */
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: unknown;
  /** Where it came from, as well as that is known. */
  readonly client: string;
  /** Aborted when the exchange is over, with its answer or without. */
  readonly over: AbortSignal;
}

export interface ProtocolEndpoint {
  answer(exchange: McpExchange): Promise<Response>;
  /** Ends what would stay open for as long as its client listens; calls come to their end. */
  close(): void;
}

/** The endpoint on the protocol's own library. */
export function createProtocolEndpoint(parts: ToolDeps): ProtocolEndpoint {
  const current = createMcpHandler(() => createToolServer(parts, "current"), {
    legacy: "reject",
    // The client hears of a refusal. What is in it is not for the log.
    onerror: ({ name }) => parts.logger.debug("mcp request refused", { error: name }),
  });
  const legacy = createLegacyEndpoint(() => createToolServer(parts, "legacy"));

  const closing = new AbortController();

  return {
    async answer(given) {
      const exchange = { ...given, body: completeMessage(given.body) };
      const { body, over } = exchange;
      if (hasTextArguments(body)) return answerTextArguments(body);
      // The types have been seen to, and the path plays no part in the protocol.
      const headers = new Headers(exchange.headers);
      headers.set("accept", "application/json, text/event-stream");
      headers.set("content-type", "application/json");
      const signal = isListening(body) ? AbortSignal.any([over, closing.signal]) : over;
      const request = new Request("http://localhost/v1/mcp", { method: "POST", headers, signal });
      const isLegacy = await isLegacyRequest(request, body);
      return await describeParams(
        await (isLegacy ? legacy(request, exchange) : current.fetch(request, { parsedBody: body })),
      );
    },
    close: () => closing.abort(),
  };
}

/** Whether it asks to hear of changes, of which there are none. */
function isListening(body: unknown): boolean {
  return isJSONRPCRequest(body) && body.method === "subscriptions/listen";
}

const cancelledSchema = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});
const withProgressSchema = z.object({
  params: z.object({ _meta: z.object({ progressToken: z.union([z.string(), z.number()]) }) }),
});

/**
 * Answers clients of the revisions up to 2025-11-25, each request with a server of its own. As in the current revision
 * the answer is one JSON body, and a stream only where something may be reported before it.
 */
function createLegacyEndpoint(createServer: () => McpServer) {
  const inFlight = createCallsInFlight();

  return async (request: Request, { body, client, over }: McpExchange): Promise<Response> => {
    const cancelled = isJSONRPCNotification(body) ? cancelledSchema.safeParse(body).data : undefined;
    if (cancelled !== undefined) inFlight.cancel(client, cancelled.params.requestId);

    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      // A list of messages was part of the protocol once.
      enableJsonResponse: ![body].flat().some((message) => withProgressSchema.safeParse(message).success),
    });
    await server.connect(transport);
    const { promise: unanswered, resolve: leaveUnanswered } = Promise.withResolvers<Response>();

    /** A call that was cancelled, or whose client has gone, gets no answer (2025-11-25, Cancellation). */
    function end(): void {
      forget();
      leaveUnanswered(new Response(null, { status: 202 }));
      server.close().catch(() => undefined);
    }
    const forget = isJSONRPCRequest(body) ? inFlight.add(client, body.id, end) : () => undefined;
    if (over.aborted) end();
    else over.addEventListener("abort", end, { once: true });
    const answer = await Promise.race([unanswered, transport.handleRequest(request, { parsedBody: body })]);
    return Array.isArray(body) && answer.ok ? toList(answer) : answer;
  };
}

/** A list of messages is answered with a list (JSON-RPC 2.0, 6), also where only one of them has an answer. */
async function toList(answer: Response): Promise<Response> {
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return answer;
  const text = await answer.text();
  return new Response(text.startsWith("[") ? text : `[${text}]`, answer);
}

/** Calls that a later request may cancel. */
interface CallsInFlight {
  /** Notes a call of a client. The answer forgets it. */
  add(client: string, id: RequestId, cancel: () => void): () => void;
  cancel(client: string, id: RequestId): void;
}

/**
 * In revisions up to 2025-11-25 a client cancels with a request of its own, which without sessions names nothing but the
 * id of the call, counted from 0 by every client. So a call is known by its id and by where it came from; where two fit,
 * neither is cancelled: a call that continues costs little, an answer that never comes costs its client a lot.
 */
function createCallsInFlight(): CallsInFlight {
  const calls = new Map<string, Set<() => void>>();
  const toKey = (client: string, id: RequestId) => JSON.stringify([client, id]);

  return {
    add(client, id, cancel) {
      const key = toKey(client, id);
      const found = calls.get(key) ?? new Set();
      calls.set(key, found.add(cancel));
      return () => {
        found.delete(cancel);
        if (found.size === 0 && calls.get(key) === found) calls.delete(key);
      };
    },
    cancel(client, id) {
      const [cancel, ...others] = calls.get(toKey(client, id)) ?? [];
      if (others.length === 0) cancel?.();
    },
  };
}
