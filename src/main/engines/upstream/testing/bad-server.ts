import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** One request that a server for tests got. */
export interface Asked {
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage["headers"];
  readonly url: string | undefined;
  /** Resolves when the client has closed the connection. */
  readonly closed: Promise<void>;
}

export type Behaviour = (response: ServerResponse, asked: Asked, count: number) => unknown;

/** A server whose every request is answered by a behaviour of the test. */
export async function startBadServer(behave: Behaviour): Promise<{ url: URL; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    const body = (await json(request)) as Record<string, unknown>;
    const entry = { body, headers: request.headers, url: request.url, closed };
    asked.push(entry);
    await behave(response, entry, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: new URL(`http://127.0.0.1:${port}/v1`), asked };
}

/** Sends a JSON body. */
export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A chat completion with the text. */
export function completion(content: string, more: Record<string, unknown> = {}) {
  return {
    id: "chatcmpl-upstream",
    object: "chat.completion",
    created: 1_767_225_600,
    model: "their-model",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    ...more,
  };
}
