import type { HttpApp } from "#service";
import { closeHttpApp } from "./close-http-app.ts";
import { ServerError } from "./server-error.ts";

const host = "127.0.0.1";

/** How long requests in flight may take to end, in milliseconds. */
const grace = 1_000;

export interface LocalServer {
  readonly port: number;
  /** Takes no more requests; cuts off what has not ended after a second. */
  close(): Promise<void>;
}

/** The address of a port of this machine, without a slash at the end. */
export function toLocalUrl(port: number): string {
  return `http://${host}:${port}`;
}

/**
 * Lets programs on this machine reach the app, and nobody else. Port 0 is any free one.
 * @throws ServerError with the next step when the port can't be had
 */
export async function listenLocally(app: HttpApp, port: number): Promise<LocalServer> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw toServerError(error, port);
  }
  const address = app.server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () => closeHttpApp(app, grace),
  };
}

function toServerError(error: unknown, port: number): unknown {
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return new ServerError(
        "refused",
        `Port ${port} is in use by another program. Choose another port, or 0 for any free one, and start again.`,
      );
    case "EACCES":
      return new ServerError("refused", `Port ${port} is not open to this user. Choose one from 1024 up.`);
    default:
      return error;
  }
}
