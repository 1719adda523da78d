import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

export interface TokenProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Passes every request on to an MCP endpoint as it is, with its token: for tools that can't be given one. */
export async function startTokenProxy(endpointUrl: string, token: string): Promise<TokenProxy> {
  const proxy = createServer((request, response) => {
    const { method, headers } = request;
    const onward = httpRequest(endpointUrl, { method, headers: { ...headers, authorization: `Bearer ${token}` } });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/mcp`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
