import type { HttpApp } from "#service";

const sweepEvery = 50;

/** Stops to accept, and resolves when the requests in flight have ended; after `grace` milliseconds they are cut off. */
export async function closeHttpApp(app: HttpApp, grace: number): Promise<void> {
  // A connection whose request has just ended stays open for the next one: nobody needs to wait for that.
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepEvery);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), grace);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cutOff);
  }
}
