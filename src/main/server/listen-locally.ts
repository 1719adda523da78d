import type { Machine } from "#main/base";
import type { HttpApp } from "#main/http";

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
 * Lets programs on this machine reach the app, and no one else. Port 0 is any free one.
 * @throws ServerError with the next step when the port can't be had
 */
export async function listenLocally(app: HttpApp, port: number, machine: Machine): Promise<LocalServer> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw toServerError(error, port);
  }
  const address = app.server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () => closeHttpApp(app, grace, machine),
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

const sweepEvery = 50;

/** Stops to accept, and resolves when the requests in flight have ended; after `grace` milliseconds they are cut off. */
export async function closeHttpApp(app: HttpApp, grace: number, machine: Machine): Promise<void> {
  // A connection whose request has just ended stays open for the next one: no one needs to wait for that.
  const stopSweeping = machine.every(sweepEvery, () => app.server.closeIdleConnections());
  const cancelCutOff = machine.after(grace, () => app.server.closeAllConnections());
  try {
    await app.close();
  } finally {
    stopSweeping();
    cancelCutOff();
  }
}

export type ServerErrorKind = "refused" | "not_found";

/** A failure that the user can do something about. The message is shown as it is: what happened, and the next step. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly kind: ServerErrorKind;

  constructor(kind: ServerErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
