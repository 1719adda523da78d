import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { createCallsInFlight } from "./calls-in-flight.ts";
import type { McpExchange } from "./endpoint.ts";

const cancelledSchema = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});
const withProgressSchema = z.object({
  params: z.object({ _meta: z.object({ progressToken: z.union([z.string(), z.number()]) }) }),
});

/**
 * Answers clients of the revisions up to 2025-11-25, each request with a server of its own. As in the current revision
 * the answer is one JSON body, and a stream only where something may be told before it.
 */
export function createLegacyEndpoint(createServer: () => McpServer) {
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
    return Promise.race([unanswered, transport.handleRequest(request, { parsedBody: body })]);
  };
}
