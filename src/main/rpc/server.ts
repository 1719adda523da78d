import type { ServerView } from "#contract";
import type { ServerSwitch } from "../server/index.ts";
import { os } from "./base.ts";

const never = new AbortController().signal;

/**
 * The server as it is, then as it is after each change. A reader that is slow gets the latest, not all that it missed.
 * Ends, and stops listening, when the signal is aborted or the reader goes.
 */
function watchServer(server: ServerSwitch, signal: AbortSignal): AsyncGenerator<ServerView> {
  let wake = Promise.withResolvers<void>();
  wake.resolve();
  let unsubscribe: (() => void) | null = server.subscribe(() => wake.resolve());
  const end = () => {
    unsubscribe?.();
    unsubscribe = null;
    wake.resolve();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });

  return (async function* () {
    try {
      while (unsubscribe !== null) {
        await wake.promise;
        wake = Promise.withResolvers();
        if (unsubscribe !== null) yield await server.view();
      }
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  })();
}

export const server = os.server.router({
  get: os.server.get.handler(({ context }) => context.server.view()),
  watch: os.server.watch.handler(({ context, signal = never }) => watchServer(context.server, signal)),
  start: os.server.start.handler(({ context, input }) => context.server.start(input.port)),
  stop: os.server.stop.handler(({ context }) => context.server.stop()),
  enableMcp: os.server.enableMcp.handler(({ context }) => context.server.enableMcp()),
  disableMcp: os.server.disableMcp.handler(({ context }) => context.server.disableMcp()),
  reveal: os.server.reveal.handler(async ({ context, input }) => ({ value: await context.server.reveal(input.name) })),
  rotate: os.server.rotate.handler(({ context, input }) => context.server.rotate(input.name)),
});
