import type { HttpAppOptions } from "./app.ts";
import type { HttpApp, PrepareApp } from "./http-app.ts";

/** Begins to load the server's code while the service is opened. What fails is reported by whoever opens it. */
export function preloadHttpApp(): void {
  import("./app.ts").catch(() => {});
}

/**
 * The HTTP face of a service: all of `/v1` and `/health`. It does not listen yet. The server's code is loaded now.
 * Requests come over its server: `inject` reaches the routes of the core alone.
 * @param prepare is called with each app that answers requests: its hooks see them all
 * @throws ServiceError when the judge can't be had
 */
export async function openHttpApp(options: HttpAppOptions, prepare?: PrepareApp): Promise<HttpApp> {
  const { createHttpApp } = await import("./app.ts");
  const app = createHttpApp(options, prepare);
  const { webhooks = null, service } = options;
  if (webhooks === null) return app;
  const { startWebhooks } = await import("./webhooks.ts");
  const stop = startWebhooks(service, webhooks);
  app.addHook("onClose", (_app, closed) => {
    stop();
    closed();
  });
  return app;
}
